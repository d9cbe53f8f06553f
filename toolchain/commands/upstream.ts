import * as path from "node:path";
import { ensureTools } from "../tools/ensure";
import { run } from "./run";

/** `make upstream`: the real charts on a yard of their own; from the folder in `UPSTREAM`, else from their repositories. */
export async function upstream(root: string): Promise<number> {
  const { folders } = await ensureTools(root);
  const given = process.env["UPSTREAM"];
  const args = ["--import", "tsx", "test/upstream/run.ts", ...(given ? [path.resolve(given)] : [])];
  const env = { ...process.env, PATH: [...folders, process.env["PATH"]].join(path.delimiter) };
  return run(process.execPath, args, { cwd: root, env });
}
