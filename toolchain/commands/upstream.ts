import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { say } from "../bootstrap/progress";
import { ensureTools } from "../tools/ensure";
import { sideLock } from "../yard/sideYards";
import { run } from "./run";

/**
 * `make upstream`: tests the real charts on a separate yard; from the folder in `UPSTREAM`, else from their
 * repositories.
 */
export function upstream(root: string): Promise<number> {
  return withLock(
    sideLock(root, "upstream"),
    () => everything(root),
    (holder) => say(`• Process ${holder} runs make upstream in this checkout; waiting`),
  );
}

/** `make requests`: what the charts and bundles in the folder of `UPSTREAM` request; with `TEXTS=1`, each request. */
export const requests = (root: string): Promise<number> =>
  script(root, "requests.ts", process.env["TEXTS"] ? ["texts"] : []);

const everything = (root: string): Promise<number> => script(root, "run.ts", []);

async function script(root: string, name: string, args: readonly string[]): Promise<number> {
  const { folders } = await ensureTools(root);
  const given = process.env["UPSTREAM"];
  const all = ["--import", "tsx", `test/upstream/${name}`, ...(given ? [path.resolve(given)] : []), ...args];
  const env = { ...process.env, PATH: [...folders, process.env["PATH"]].join(path.delimiter) };
  return run(process.execPath, all, { cwd: root, env });
}
