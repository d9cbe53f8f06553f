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

async function everything(root: string): Promise<number> {
  const { folders } = await ensureTools(root);
  const given = process.env["UPSTREAM"];
  const args = ["--import", "tsx", "test/upstream/run.ts", ...(given ? [path.resolve(given)] : [])];
  const env = { ...process.env, PATH: [...folders, process.env["PATH"]].join(path.delimiter) };
  return run(process.execPath, args, { cwd: root, env });
}
