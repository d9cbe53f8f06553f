import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../../bootstrap/progress.js";
import { allProcesses, ofYard, TERASLICE_DOUBLE } from "../../yard/processes";
import { startYard, type Yard } from "../../yard/yard";
import { run } from "../run";
import { example, isReal, setup } from "./setup";

/** Default port of the master. */
const PORT = "5678";
const PATIENCE_MS = 30_000;
const PAUSE_MS = 200;

/**
 * Starts the tests' double of a Teraslice master, because the yard's pods are simulated and don't respond. It runs
 * until the yard is stopped, and loses its data then.
 */
async function simulateMaster(yard: Yard, root: string): Promise<void> {
  const running = ofYard(allProcesses(), [yard.directory]);
  if (running.some(({ args }) => args[0] === TERASLICE_DOUBLE)) return;
  const log = path.join(yard.directory, "teraslice-master.log");
  const output = fs.openSync(log, "w");
  const program = path.join(root, "test", "doubles", "teraslice", "serve.ts");
  // The last argument identifies its yard, so that it ends with it.
  const args = ["--import", "tsx", program, yard.kubeconfig, PORT, yard.env["PULUMI_HOME"] ?? ""];
  const child = spawn(process.execPath, args, {
    argv0: TERASLICE_DOUBLE,
    cwd: root,
    env: yard.env,
    detached: true,
    stdio: ["ignore", output, output],
  });
  child.unref();
  fs.closeSync(output);
  const deadline = Date.now() + PATIENCE_MS;
  while (!fs.readFileSync(log, "utf8").includes(" answers for ")) {
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`the double of a Teraslice master does not answer; what it said is in ${log}`);
    }
    await sleep(PAUSE_MS);
  }
  say("✓ The pods of the yard are not real: a double of a Teraslice master answers for this one");
}

const STACK = "dev";

const given = (variable: string): string => {
  const value = process.env[variable];
  if (value) return value;
  throw new Error(`${variable} is not set; make help says how`);
};

const job = (): readonly string[] => [given("JOB"), "--yes"];

/** `make teraslice-build`: needs no yard, which would put our command on PATH. */
const build = (root: string): Promise<number> => {
  const args = ["teraslice", "build", given("FOLDER"), "--tag", given("IMAGE")];
  return run(process.execPath, [path.join(root, "cli", "bin", "stackyard"), ...args], { cwd: root });
};

interface Verb {
  /** The command of `stackyard teraslice`. */
  readonly name: string;
  /** Its arguments besides the stack, from the environment. */
  readonly words?: () => readonly string[];
  /** Whether it works without a master. */
  readonly isLocal?: true;
}

/** The commands that `make teraslice-<key>` runs for the stack `dev` on the local yard. */
export const VERBS = {
  up: { name: "up", words: () => ["--yes"] },
  show: { name: "show", isLocal: true },
  render: { name: "render", words: () => [given("JOB")], isLocal: true },
  register: { name: "register", words: job },
  start: { name: "start", words: job },
  stop: { name: "stop", words: job },
  scale: { name: "workers", words: () => [given("JOB"), "total", given("WORKERS"), "--yes"] },
  state: { name: "state" },
  destroy: { name: "destroy", words: () => ["--yes"] },
} as const satisfies Readonly<Record<string, Verb>>;

const target =
  ({ name, words = () => [], isLocal }: Verb) =>
  async (root: string): Promise<number> => {
    const args = ["teraslice", name, "--stack", STACK, ...words()];
    const yard = await startYard();
    if (!isLocal && !isReal(yard)) await simulateMaster(yard, root);
    return run("stackyard", args, { cwd: root, env: yard.env });
  };

type Target = `teraslice-${"build" | "example" | "setup" | keyof typeof VERBS}`;

export const TERASLICE = {
  "teraslice-build": build,
  "teraslice-setup": setup,
  "teraslice-example": example,
  ...Object.fromEntries(Object.entries(VERBS).map(([key, verb]) => [`teraslice-${key}`, target(verb)])),
} as Readonly<Record<Target, (root: string) => Promise<number>>>;
