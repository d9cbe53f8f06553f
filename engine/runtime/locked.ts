import { setTimeout as sleep } from "node:timers/promises";
import { allHoldersEnded, describeLock, parseLocks, type Holder, type Lock } from "../pulumi/lock";
import type { Outcome } from "../update/operation";
import { pulumi } from "../pulumi/pulumi";
import { repairAfter } from "../state/repair";

/** How often to check again while another process works on the stack. */
const AGAIN_AFTER_MS = 1000;

export interface LockOptions {
  readonly stack: string;
  readonly folder: string;
  /** How long to wait for a stack that another process works on. Default: 0. */
  readonly waitSeconds?: number;
  /** Processes of other hosts that have certainly ended: their locks are removed. */
  readonly gone?: readonly Holder[];
  readonly note: (text: string) => void;
}

/**
 * Runs an operation and handles locks. A lock of a dead process on this host is removed and the operation runs again;
 * for a live process it waits up to the time limit. A state damaged by a killed process is repaired, and the operation
 * runs again.
 */
export async function retryWhileLocked(run: () => Promise<Outcome>, options: LockOptions): Promise<Outcome> {
  const until = Date.now() + (options.waitSeconds ?? 0) * 1000;
  let reported = false;
  for (;;) {
    const outcome = await run();
    if (outcome.ok) return outcome;
    const repaired = await repairAfter([outcome.stderr, ...outcome.errors].join("\n"), options.folder);
    repaired.forEach(options.note);
    if (repaired.length > 0) continue;
    const locks = parseLocks(outcome.stderr);
    if (!locks) return outcome;
    if (allHoldersEnded(locks, options.gone)) {
      options.note(`removed the lock of a process that is gone (${locks.map(describeLock).join("; ")})`);
      await pulumi(["cancel", options.stack, "--yes"], options.folder);
      continue;
    }
    if (Date.now() >= until) return { ...outcome, errors: [lockedMessage(locks, options.stack)], kind: "locked" };
    if (!reported) options.note(`waiting for ${locks.map(describeLock).join("; ")}`);
    reported = true;
    await sleep(AGAIN_AFTER_MS);
  }
}

function lockedMessage(locks: readonly Lock[], stack: string): string {
  return (
    `another process is working on this stack: ${locks.map(describeLock).join("; ")}. ` +
    `Wait for it with --wait SECONDS; if that process no longer exists, "pulumi cancel ${stack}" in runtime/ removes the lock`
  );
}
