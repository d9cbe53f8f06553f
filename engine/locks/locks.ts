import { Failure } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import type { LockStore } from "./lockStore";
import { parseStackLock, type KeptLock } from "./stackLock";

/** Below `.pulumi/` of the backend, in a folder that the CLI does not use. */
const FOLDER = "stackyard/locks/";

const nameOf = (project: string, stack: string): string => `${FOLDER}${project}/${stack}.json`;

/** Opens the lock store of a backend; undefined if the backend can't keep locks. */
export async function openLocks({ folder, backend = "" }: Workspace): Promise<LockStore | undefined> {
  if (backend.startsWith("file://")) return (await import("./fileLocks.js")).FileLocks.open(backend, folder);
  if (backend.startsWith("postgres://")) return (await import("./postgresLocks.js")).PostgresLocks.open(backend);
  if (backend.startsWith("s3://")) return (await import("./s3Locks.js")).S3Locks.open(backend);
  return undefined;
}

/** Runs work with the lock store of the backend. Throws if the backend can't keep locks. */
export async function withLocks<T>(workspace: Workspace, work: (store: LockStore) => Promise<T>): Promise<T> {
  const store = await openLocks(workspace);
  if (store === undefined) {
    throw new Failure(
      "this state backend keeps no locks of stacks; expected PULUMI_BACKEND_URL with file://, postgres:// or s3://",
    );
  }
  return finished(store, work);
}

/** Like {@link withLocks}, but returns undefined if the backend can't keep locks, in which case none exist. */
export async function withLocksIfAny<T>(
  workspace: Workspace,
  work: (store: LockStore) => Promise<T>,
): Promise<T | undefined> {
  const store = await openLocks(workspace);
  return store && finished(store, work);
}

async function finished<T>(store: LockStore, work: (store: LockStore) => Promise<T>): Promise<T> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function findLock(store: LockStore, project: string, stack: string): Promise<KeptLock | undefined> {
  const text = await store.read(nameOf(project, stack));
  return text === undefined ? undefined : parseStackLock(text, project, stack);
}

export async function listLocks(store: LockStore): Promise<KeptLock[]> {
  const stacks = (await store.names(FOLDER)).flatMap((name) => {
    const [, project, stack] = /^([^/]+)\/([^/]+)\.json$/.exec(name.slice(FOLDER.length)) ?? [];
    return project !== undefined && stack !== undefined ? [{ project, stack }] : [];
  });
  const found = await Promise.all(stacks.map(({ project, stack }) => findLock(store, project, stack)));
  return found
    .filter((lock) => lock !== undefined)
    .sort((a, b) => (nameOf(a.lock.project, a.lock.stack) < nameOf(b.lock.project, b.lock.stack) ? -1 : 1));
}

export const createLock = (store: LockStore, { lock, text }: KeptLock): Promise<boolean> =>
  store.create(nameOf(lock.project, lock.stack), text);

/** Removes exactly this lock, and never a later one of the same stack. */
export const removeLock = (store: LockStore, { lock, text }: KeptLock): Promise<boolean> =>
  store.removeIf(nameOf(lock.project, lock.stack), text);
