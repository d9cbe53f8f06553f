import { success, type Context } from "../context";
import { Failure } from "../../foundation/errors";
import { acquireLock, refuseLocked, releaseLock } from "../../engine/locks/acquire";
import { findLock, removeLock, withLocks, withLocksIfAny } from "../../engine/locks/locks";
import { describeHolder, isHeldBy, type StackLock } from "../../engine/locks/stackLock";
import { holderOf, isStaleOnGitHub } from "./holder";
import type { HolderFlags } from "./options";

type Place = Pick<StackLock, "project" | "stack">;

/** Throws if another holder has the lock of a stack. */
export async function refuseOthers(context: Context, place: Place, flags: HolderFlags = {}): Promise<void> {
  await withLocksIfAny(context.platforms, (store) => refuseLocked(store, place, holderOf(flags), isStaleOnGitHub()));
}

/** Releases the lock of a pull request that is closed, or merged and deployed. */
export async function releaseDeployed(context: Context, place: Place, flags: HolderFlags = {}): Promise<void> {
  const isOver = isStaleOnGitHub();
  await withLocksIfAny(context.platforms, async (store) => {
    const found = await findLock(store, place.project, place.stack);
    if (found === undefined || isHeldBy(found.lock, holderOf(flags)) || !(await isOver(found.lock))) return;
    if (await removeLock(store, found)) {
      success(context, `${place.project}/${place.stack}: released the lock of ${describeHolder(found.lock)}`);
    }
  });
}

export interface LockAttempt {
  /** Why the lock was not acquired. */
  readonly refused?: Failure;
  /** Releases the acquired lock. */
  release(): Promise<void>;
}

/** Acquires the lock of a stack unless another holder has it. */
export async function acquireFor(context: Context, place: Place, flags: HolderFlags): Promise<LockAttempt> {
  const holder = holderOf(flags);
  const wanted = { ...place, ...holder, since: new Date().toISOString() };
  try {
    await withLocks(context.platforms, (store) => acquireLock(store, wanted, isStaleOnGitHub()));
  } catch (error) {
    if (error instanceof Failure) return { refused: error, release: () => Promise.resolve() };
    throw error;
  }
  const release = async (): Promise<void> => {
    await withLocks(context.platforms, (store) => releaseLock(store, place, holder));
  };
  return { release };
}
