import { Failure } from "../../foundation/errors";
import type { LockStore } from "./lockStore";
import { createLock, findLock, removeLock } from "./locks";
import { describeStackLock, isHeldBy, renderStackLock, type LockHolder, type StackLock } from "./stackLock";

/** How often a lock may change hands while it is acquired. */
const TRIES = 5;

export interface Acquired {
  readonly lock: StackLock;
  /** Whether the holder had it before. */
  readonly isOld: boolean;
}

/** Whether the reason for another holder's lock is gone, so that it may be removed. */
export type IsOver = (lock: StackLock) => Promise<boolean>;

const never: IsOver = () => Promise.resolve(false);

/** Acquires the lock of a stack, or keeps it. Throws if another holder has it. */
export async function acquireLock(store: LockStore, wanted: StackLock, isOver: IsOver = never): Promise<Acquired> {
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

/** Throws if another holder has the lock of a stack. Answers the lock that the holder has, or that is over. */
export async function refuseLocked(
  store: LockStore,
  { project, stack }: Pick<StackLock, "project" | "stack">,
  holder: LockHolder,
  isOver: IsOver = never,
): Promise<StackLock | undefined> {
  const found = await findLock(store, project, stack);
  if (found === undefined || isHeldBy(found.lock, holder) || (await isOver(found.lock))) return found?.lock;
  throw new Failure(lockedText(found.lock));
}

/**
 * Releases the lock of a stack, and answers it; undefined if nobody holds it. Another user's needs `force`, or must be
 * over.
 */
export async function releaseLock(
  store: LockStore,
  { project, stack }: Pick<StackLock, "project" | "stack">,
  holder: LockHolder,
  { force = false, isOver = never }: { readonly force?: boolean; readonly isOver?: IsOver } = {},
): Promise<StackLock | undefined> {
  const found = await findLock(store, project, stack);
  if (found === undefined) return undefined;
  if (!force && !isHeldBy(found.lock, holder) && !(await isOver(found.lock))) throw new Failure(lockedText(found.lock));
  if (await removeLock(store, found)) return found.lock;
  throw new Failure(`the lock of ${project}/${stack} changed hands in the meantime; see "stackyard lock list"`);
}

/** Who holds a lock, and the ways to get it. */
export const lockedText = (lock: StackLock): string =>
  `${describeStackLock(lock)}. Nothing was changed. Wait until ` +
  (lock.pullRequest === undefined ? "it is released" : "that is deployed or closed") +
  `, or release it with "stackyard lock release ${lock.project}/${lock.stack} --force"`;
