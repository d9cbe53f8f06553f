import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";

/** The files of locks and states, wherever a backend keeps them. */
export interface StackFiles {
  /** Names of the locks that a stack has. */
  listLocks(): Promise<readonly string[]>;
  writeLock(name: string, content: string): Promise<void>;
  removeLock(name: string): Promise<void>;
}

/**
 * Runs some work while nobody else can work on a stack, by a lock as the CLI's: written, and good only when there is no
 * other one then. Undefined if another process was faster.
 */
export async function whileLocked<T>(files: StackFiles, work: () => Promise<T>): Promise<T | undefined> {
  if ((await files.listLocks()).length > 0) return undefined;
  const name = `${randomUUID()}.json`;
  await files.writeLock(name, lockContent());
  try {
    const others = (await files.listLocks()).filter((each) => each !== name);
    return others.length > 0 ? undefined : await work();
  } finally {
    await files.removeLock(name);
  }
}

const lockContent = (): string =>
  JSON.stringify({
    pid: process.pid,
    username: userInfo().username,
    hostname: hostname(),
    timestamp: new Date().toISOString(),
  });
