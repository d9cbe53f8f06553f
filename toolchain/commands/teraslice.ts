import * as path from "node:path";
import { startYard } from "../yard/yard";
import { simulateMaster } from "./terasliceMaster";
import { run } from "./run";

const STACK = "dev";

const given = (variable: string): string => {
  const value = process.env[variable];
  if (value) return value;
  throw new Error(`${variable} is not set; make help says how`);
};

/** `make teraslice-<what>`: runs that command of `stackyard teraslice` for the stack `dev` on the local yard. */
const command =
  (what: string, words: () => readonly string[] = () => [], asksMaster = true) =>
  async (root: string): Promise<number> => {
    const args = ["teraslice", what, "--stack", STACK, ...words()];
    const yard = await startYard();
    if (asksMaster) await simulateMaster(yard, root);
    return run("stackyard", args, { cwd: root, env: yard.env });
  };
const job = (): readonly string[] => [given("JOB"), "--yes"];

/** `make teraslice-build`: needs no yard, which would put our command on PATH. */
const build = (root: string): Promise<number> => {
  const args = ["teraslice", "build", given("FOLDER"), "--tag", given("IMAGE")];
  return run(process.execPath, [path.join(root, "cli", "bin", "stackyard"), ...args], { cwd: root });
};

export const TERASLICE = {
  "teraslice-build": build,
  "teraslice-up": command("up", () => ["--yes"]),
  "teraslice-show": command("show", undefined, false),
  "teraslice-render": command("render", () => [given("JOB")], false),
  "teraslice-register": command("register", job),
  "teraslice-start": command("start", job),
  "teraslice-stop": command("stop", job),
  "teraslice-scale": command("scale", () => [given("JOB"), given("WORKERS"), "--yes"]),
  "teraslice-state": command("state"),
  "teraslice-destroy": command("destroy", () => ["--yes"]),
} as const;
