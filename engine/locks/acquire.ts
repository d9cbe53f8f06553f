import { Failure } from "../../foundation/errors";
import type { LockStore } from "./lockStore";
import { createLock, findLock, removeLock } from "./locks";
import { describeStackLock, isHeldBy, renderStackLock, type LockHolder, type StackLock } from "./stackLock";

/** How often to retry when the lock changes hands in between. */
const TRIES = 5;

interface Acquired {
  readonly lock: StackLock;
  /** True if the holder already had the lock. */
  readonly isOld: boolean;
}

/** Returns whether another holder's lock is obsolete and may be removed. */
export type IsStale = (lock: StackLock) => Promise<boolean>;

const never: IsStale = () => Promise.resolve(false);

/** Acquires the lock of a stack, or keeps it if the holder already has it. Throws if another holder has it. */
export async function acquireLock(store: LockStore, wanted: StackLock, isOver: IsStale = never): Promise<Acquired> {
  const mine = { lock: wanted, text: renderStackLock(wanted) };
  for (let turn = 0; turn < TRIES; turn++) {
    if (await createLock(store, mine)) return { lock: wanted, isOld: false };
    const found = await findLock(store, wanted.project, wanted.stack);
    if (found === undefined) continue; // Released in between.
    if (isHeldBy(found.lock, wanted)) return { lock: found.lock, isOld: true };
    if (!(await isOver(found.lock))) throw new Failure(lockedText(found.lock));
    await removeLock(store, found);
  }
  throw new Failure(`${wanted.project}/${wanted.stack}: its lock changed hands ${TRIES} times; run the command again`);
}

/**
 * Throws if another holder has the lock of a stack. Returns the existing lock: the holder's own, or one that is
 * obsolete.
 */
export async function refuseLocked(
  store: LockStore,
  { project, stack }: Pick<StackLock, "project" | "stack">,
  holder: LockHolder,
  isOver: IsStale = never,
): Promise<StackLock | undefined> {
  const found = await findLock(store, project, stack);
  if (found === undefined || isHeldBy(found.lock, holder) || (await isOver(found.lock))) return found?.lock;
  throw new Failure(lockedText(found.lock));
}

/**
 * Releases the lock of a stack and returns it; undefined if the stack is not locked. Releasing another holder's lock
 * needs `force`, unless it is obsolete.
 */
export async function releaseLock(
  store: LockStore,
  { project, stack }: Pick<StackLock, "project" | "stack">,
  holder: LockHolder,
  { force = false, isOver = never }: { readonly force?: boolean; readonly isOver?: IsStale } = {},
): Promise<StackLock | undefined> {
  const found = await findLock(store, project, stack);
  if (found === undefined) return undefined;
  if (!force && !isHeldBy(found.lock, holder) && !(await isOver(found.lock))) throw new Failure(lockedText(found.lock));
  if (await removeLock(store, found)) return found.lock;
  throw new Failure(`the lock of ${project}/${stack} changed hands in the meantime; see "stackyard lock list"`);
}

/** Describes the holder of a lock, and how to get the lock. */
const lockedText = (lock: StackLock): string =>
  `${describeStackLock(lock)}. Nothing was changed. Wait until ` +
  (lock.pullRequest === undefined ? "it is released" : "that is deployed or closed") +
  `, or release it with "stackyard lock release ${lock.project}/${lock.stack} --force"`;
