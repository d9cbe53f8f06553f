/** Runs the provider as a separate process, as the engine starts it. */

import { fstatSync } from "node:fs";
import type { Provider } from "./service";
import { serveProvider } from "./serve";

const PARENT_CHECK_MS = 1000;

/**
 * Prints the port on a line of its own, as the engine expects, and serves until the engine sends SIGINT or exits. Work
 * in progress is then aborted, because there is no receiver for its result.
 */
export async function runProvider(provider: Provider): Promise<void> {
  const leave = () => process.exit(0);
  process.on("SIGINT", leave);
  process.on("SIGTERM", leave);
  leaveWithParent(leave);
  const { port } = await serveProvider(provider);
  process.stdout.write(`${port}\n`);
}

/** A killed engine sends no signal, but our stdin closes or our parent changes. */
function leaveWithParent(leave: () => void): void {
  const stdin = fstatSync(0, { bigint: false });
  if (stdin.isFIFO() || stdin.isSocket()) {
    process.stdin.on("end", leave).on("close", leave).on("error", leave).resume();
  }
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && leave(), PARENT_CHECK_MS).unref();
}
