import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { EngineRun } from "../../../foundation/process/engines";
import { userName } from "../../../foundation/process/user";

/** The lock and state files of a stack, in any backend. */
interface StackFiles {
  /** Names of the stack's locks. */
  listLocks(): Promise<readonly string[]>;
  writeLock(name: string, content: string): Promise<void>;
  removeLock(name: string): Promise<void>;
}

/**
 * Runs work under a lock on a stack in the CLI's format. The lock holds only if there is no other one after it was
 * written. Returns undefined if the stack is locked.
 */
export async function withStackLock<T>(files: StackFiles, work: () => Promise<T>): Promise<T | undefined> {
  if ((await files.listLocks()).length > 0) return undefined;
  const name = `${randomUUID()}.json`;
  const run = EngineRun.begin(process.pid);
  await files.writeLock(name, lockContent());
  try {
    const others = (await files.listLocks()).filter((each) => each !== name);
    return others.length > 0 ? undefined : await work();
  } finally {
    await files.removeLock(name);
    run.end(true);
  }
}

const lockContent = (): string =>
  JSON.stringify({
    pid: process.pid,
    username: userName(),
    hostname: hostname(),
    timestamp: new Date().toISOString(),
  });
