import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { EngineRecord } from "../../foundation/process/engines";
import { removeEndedLocks } from "../pulumi/endedLocks";
import { allHoldersEnded, describeLock, parseLocks, type Lock } from "../pulumi/engineLock";
import type { OperationOutcome } from "../update/operation";
import { RUNTIME_PROJECT } from "../stack/names";
import { repairAfter } from "../pulumi/state/repair";

/** How often to check again while another process works on the stack. */
const AGAIN_AFTER_MS = 1000;
const RUNTIMES = { project: RUNTIME_PROJECT };

export interface LockOptions {
  readonly stack: string;
  readonly workspace: Workspace;
  /** How long to wait for a stack that another process works on. Default: 0. */
  readonly waitSeconds?: number;
  /** Engines that have certainly ended elsewhere: their locks are removed. */
  readonly gone?: readonly EngineRecord[];
  readonly note: (text: string) => void;
}

/**
 * Runs an operation and handles locks. A lock whose holder has certainly ended is removed and the operation runs again;
 * for any other it waits up to the time limit. A state damaged by a killed process is repaired, and the operation
 * runs again.
 */
export async function retryWhileLocked(
  run: () => Promise<OperationOutcome>,
  options: LockOptions,
): Promise<OperationOutcome> {
  const until = Date.now() + (options.waitSeconds ?? 0) * 1000;
  let reported = false;
  const removed = new Set<string>();
  for (;;) {
    const outcome = await run();
    if (outcome.ok) return outcome;
    const repaired = await repairAfter([outcome.stderr, ...outcome.errors].join("\n"), options.workspace);
    repaired.forEach(options.note);
    if (repaired.length > 0) continue;
    const locks = parseLocks(outcome.stderr);
    if (!locks) return outcome;
    const { stack, workspace, gone } = options;
    const isNew = !locks.some(({ file }) => removed.has(file));
    if (isNew && allHoldersEnded(locks, gone) && (await removeEndedLocks({ ...RUNTIMES, stack, workspace }, locks))) {
      for (const { file } of locks) removed.add(file);
      options.note(`removed the lock of a process that is gone (${locks.map(describeLock).join("; ")})`);
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
