import { success, type Context } from "../context";
import { describedStack } from "../project/stacks";
import { acquireLock } from "../../engine/locks/acquire";
import { withLocks } from "../../engine/locks/locks";
import { describeHolder } from "../../engine/locks/stackLock";
import { holderOf, isStaleOnGitHub } from "./holder";
import type { AcquireFlags } from "./options";

export async function acquire(context: Context, id: string, { reason, ...flags }: AcquireFlags): Promise<void> {
  const stack = await describedStack(context.root, id);
  const wanted = {
    project: stack.project,
    stack: stack.name,
    ...holderOf(flags),
    since: new Date().toISOString(),
    ...(reason !== undefined && { reason }),
  };
  const { lock, isOld } = await withLocks(context.platforms, (store) => acquireLock(store, wanted, isStaleOnGitHub()));
  const since = isOld ? ` since ${lock.since}` : "";
  success(context, `${stack.id} is locked by ${describeHolder(lock)}${since}`);
}
