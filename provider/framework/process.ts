/** The provider as a process of its own, the way the engine starts it. */

import { fstatSync } from "node:fs";
import type { Provider } from "./service";
import { serveProvider } from "./serve";

const PARENT_CHECK_MS = 1000;

/**
 * Prints the port on a line of its own, which is all that the engine expects, and serves until the engine says
 * SIGINT or is gone. What is in progress then ends at once: nobody is left to hear how it went.
 */
export async function runProvider(provider: Provider): Promise<void> {
  const leave = () => process.exit(0);
  process.on("SIGINT", leave);
  process.on("SIGTERM", leave);
  leaveWithParent(leave);
  const { port } = await serveProvider(provider);
  process.stdout.write(`${port}\n`);
}

/** An engine that was killed sends no signal. Its end of our stdin closes, or we get another parent. */
function leaveWithParent(leave: () => void): void {
  const stdin = fstatSync(0, { bigint: false });
  if (stdin.isFIFO() || stdin.isSocket()) {
    process.stdin.on("end", leave).on("close", leave).on("error", leave).resume();
  }
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && leave(), PARENT_CHECK_MS).unref();
}
