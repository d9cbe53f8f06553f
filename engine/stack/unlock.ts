import { allHoldersEnded, describeLock } from "../pulumi/engineLock";
import { removeEndedLocks, type StackPlace } from "../pulumi/endedLocks";
import { Failure } from "../../foundation/errors";
import { withStore } from "../pulumi/state/store";

/**
 * Removes the lock that a killed update left on a stack, and reports it. Throws if its holder may still work on the stack.
 * If only the CLI can read the locks, the CLI makes that check.
 */
export async function unlock(place: StackPlace, note: (text: string) => void): Promise<void> {
  const { project, stack, workspace } = place;
  const locks = await withStore(workspace, (store) => store.locks(project, stack));
  if (locks.length === 0) return;
  const holders = locks.map(describeLock).join("; ");
  if (!allHoldersEnded(locks) || !(await removeEndedLocks(place, locks))) {
    throw new Failure(
      `another process is working on stack ${stack}: ${holders}; nothing was changed. If that process no longer exists, ` +
        `"pulumi cancel ${stack}" in ${workspace.folder} removes the lock`,
    );
  }
  note(`removed the lock of a process that is gone (${holders})`);
}
