import { setTimeout as sleep } from "node:timers/promises";
import { allDead, describeLock, parseLocks, type Holder, type Lock } from "../pulumi/lock";
import type { Outcome } from "../update/operation";
import { pulumi } from "../pulumi/pulumi";
import { repairAfter } from "../state/repair";

/** How often to look again while another process works on the stack. */
const AGAIN_AFTER_MS = 1000;

export interface LockOptions {
  readonly stack: string;
  readonly folder: string;
  /** How long to wait for a stack that another process works on. Default: not at all. */
  readonly waitSeconds?: number;
  /** Processes of other hosts that have surely ended: their locks are removed. */
  readonly gone?: readonly Holder[];
  readonly note: (text: string) => void;
}

/**
 * Runs an operation. When it finds the stack locked by a process of this host that is gone, the lock is removed and
 * the operation run again; when by a live one, it waits as long as it may. A state that a killed process left damaged is
 * repaired, and the operation run again.
 */
export async function throughLocks(run: () => Promise<Outcome>, options: LockOptions): Promise<Outcome> {
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
    if (allDead(locks, options.gone)) {
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
