import type { Workspace } from "../../foundation/pulumi/backend";
import type { Lock } from "./engineLock";
import { withLocksIfAny } from "../locks/locks";

export interface StackPlace {
  readonly project: string;
  readonly stack: string;
  readonly workspace: Workspace;
}

/**
 * Removes exactly these locks of a stack, whose holders have ended. `pulumi cancel` would also remove one that a living
 * engine has taken since. Returns false if the backend is one that only the CLI can change.
 */
export async function removeEndedLocks(
  { project, stack, workspace }: StackPlace,
  locks: readonly Lock[],
): Promise<boolean> {
  const removed = await withLocksIfAny(workspace, async (store) => {
    for (const { file } of locks) {
      const name = `locks/organization/${project}/${stack}/${file}`;
      const text = await store.read(name);
      // Undefined if another process has removed it. The name is random, so no other process takes a lock of that name.
      if (text !== undefined) await store.removeIf(name, text);
    }
    return true;
  });
  return removed ?? false;
}
