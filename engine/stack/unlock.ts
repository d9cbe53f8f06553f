import { allHoldersEnded, describeLock } from "../pulumi/lock";
import { pulumi } from "../pulumi/pulumi";
import { Failure } from "../../foundation/errors";
import { withStore } from "../state/store";

/**
 * Removes the lock that a killed update left on a stack, and reports it. Throws if a process is working on the stack.
 * If only the CLI can read the locks, the CLI makes that check.
 */
export async function unlock(
  { project, stack, folder }: { readonly project: string; readonly stack: string; readonly folder: string },
  note: (text: string) => void,
): Promise<void> {
  const locks = await withStore(folder, (store) => store.locks(project, stack));
  if (locks.length === 0) return;
  const holders = locks.map(describeLock).join("; ");
  if (!allHoldersEnded(locks)) {
    throw new Failure(
      `another process is working on stack ${stack}: ${holders}; nothing was changed. If that process no longer exists, ` +
        `"pulumi cancel ${stack}" in ${folder} removes the lock`,
    );
  }
  await pulumi(["cancel", stack, "--yes"], folder);
  note(`removed the lock of a process that is gone (${holders})`);
}
