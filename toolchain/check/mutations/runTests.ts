import { spawn } from "node:child_process";
import * as path from "node:path";

/** The nearest tests usually catch a change, and loading few files is fast. */
const BATCHES = [6, 40, Infinity];
/** Time for the tests of a change, which may loop forever, on a machine that runs all tests in less. */
export const LIMIT_MS = 10 * 60_000;

const MOCHA = path.join("node_modules", "mocha", "bin", "mocha.js");
const FLAGS = ["--no-config", "--require", "test/unhandledRejections.ts", "--timeout", "60000", "--bail"];

/** Whether one of these test files fails, or does not end in time. Runs the first ones first. */
export async function failsOn(folder: string, files: readonly string[], limitMs: number): Promise<boolean> {
  let from = 0;
  for (const size of BATCHES) {
    const batch = files.slice(from, from + size);
    if (batch.length > 0 && !(await passes(folder, batch, { limitMs }))) return true;
    from += size;
  }
  return false;
}

/** Whether all of them pass; `stdio` is where they print. Default of the limit: none. */
export function passes(
  cwd: string,
  files: readonly string[],
  { stdio = "ignore", limitMs }: { readonly stdio?: "ignore" | "inherit"; readonly limitMs?: number },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that programs that a test started end with it.
    const child = spawn(process.execPath, ["--import", "tsx", MOCHA, ...FLAGS, ...files], {
      cwd,
      stdio,
      detached: true,
    });
    const end = () => process.kill(-(child.pid ?? 0), "SIGKILL");
    const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}
