import { spawn } from "node:child_process";
import * as path from "node:path";

/** The nearest tests usually catch a change, and loading few files is fast. */
const BATCHES = [6, 40, Infinity];
/** A change may loop forever. */
const LIMIT_MS = 10 * 60_000;

const MOCHA = path.join("node_modules", "mocha", "bin", "mocha.js");
const FLAGS = ["--no-config", "--require", "test/unhandledRejections.ts", "--timeout", "60000", "--bail"];

/** Whether one of these test files fails, or does not end. Runs the first ones first. */
export async function failsOn(folder: string, files: readonly string[]): Promise<boolean> {
  let from = 0;
  for (const size of BATCHES) {
    const batch = files.slice(from, from + size);
    if (batch.length > 0 && !(await passes(folder, batch))) return true;
    from += size;
  }
  return false;
}

/** Whether all of them pass; `stdio` is where they print. */
export function passes(
  cwd: string,
  files: readonly string[],
  stdio: "ignore" | "inherit" = "ignore",
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that programs that a test started end with it.
    const child = spawn(process.execPath, ["--import", "tsx", MOCHA, ...FLAGS, ...files], {
      cwd,
      stdio,
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), LIMIT_MS);
    child.on("error", reject);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}
