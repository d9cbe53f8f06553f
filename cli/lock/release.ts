import { success, type Context } from "../context";
import { isHeldBy, type LockHolder } from "../../engine/locks/stackLock";
import { releaseLock } from "../../engine/locks/acquire";
import type { LockStore } from "../../engine/locks/lockStore";
import { listLocks, removeLock, withLocks } from "../../engine/locks/locks";
import { PLATFORM_PROJECT } from "../../engine/stack/names";
import { UsageError } from "../../foundation/errors";
import { holderOf, isStaleOnGitHub } from "./holder";
import type { ReleaseFlags } from "./options";

export async function release(context: Context, id: string | undefined, flags: ReleaseFlags): Promise<void> {
  const holder = holderOf(flags);
  if (id === undefined && flags.pullRequest === undefined) {
    throw new UsageError("found neither a stack nor --pull-request; expected one of them");
  }
  await withLocks(context.platforms, async (store) => {
    if (id === undefined) return releaseAll(context, store, holder);
    // The stack's file may be gone: a lock is identified by name.
    const [stack = "", project = PLATFORM_PROJECT] = id.split("/").reverse();
    const options = { force: flags.force === true, isOver: isStaleOnGitHub() };
    const released = await releaseLock(store, { project, stack }, holder, options);
    success(context, `${project}/${stack} ${released === undefined ? "was not locked" : "is released"}`);
  });
}

async function releaseAll(context: Context, store: LockStore, holder: LockHolder): Promise<void> {
  const mine = (await listLocks(store)).filter(({ lock }) => isHeldBy(lock, holder));
  for (const found of mine) {
    if (await removeLock(store, found)) success(context, `${found.lock.project}/${found.lock.stack} is released`);
  }
  if (mine.length === 0) success(context, `pull request ${holder.pullRequest} holds no lock`);
}
