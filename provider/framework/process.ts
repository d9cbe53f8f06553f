/** Runs the provider as a separate process, as the engine starts it. */

import { fstatSync, readFileSync } from "node:fs";
import { backendIn, backendName } from "../../foundation/pulumi/backend";
import { EngineRun } from "../../foundation/process/engines";
import { identify, startedAt } from "../../foundation/process/identity";
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
  recordEngine(process.ppid);
  const { port } = await serveProvider(
    provider,
    backendName({ folder: process.cwd(), backend: backendIn(process.env) }),
  );
  process.stdout.write(`${port}\n`);
}

/** Records an engine that a user started, so that its lock is known to be left behind if it is killed. */
function recordEngine(pid: number): void {
  const identity = identify(pid);
  const at = identity && startedAt(identity);
  if (at === undefined || !nameOf(pid).startsWith("pulumi")) return;
  // It starts providers only after it has locked its stack.
  EngineRun.begin(pid, at).locked();
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return ""; // It has just ended.
  }
}

/** A killed engine sends no signal, but our stdin closes or our parent changes. */
export function leaveWithParent(leave: () => void): void {
  const stdin = fstatSync(0, { bigint: false });
  if (stdin.isFIFO() || stdin.isSocket()) {
    process.stdin.on("end", leave).on("close", leave).on("error", leave).resume();
  }
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && leave(), PARENT_CHECK_MS).unref();
}
