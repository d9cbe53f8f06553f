import { hasEnded, type EngineRecord } from "../../foundation/process/engines";

/** A lock of a stack, as the CLI reports it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
  /** Name of its file. */
  readonly file: string;
}

const LOCKED = /the stack is currently locked by \d+ lock/;
const HOLDER = /([^/\s?]+)(?:\?\S*)?: created by (\S*)@(\S+) \(pid (\d+)\) at (\S+)/g;

/** Parses the locks in an error of the CLI; undefined for other errors. */
export function parseLocks(text: string): Lock[] | undefined {
  if (!LOCKED.test(text)) return undefined;
  return [...text.matchAll(HOLDER)].map(([, file = "", user = "", host = "", pid = "", since = ""]) => ({
    user,
    host,
    pid: Number(pid),
    since,
    file,
  }));
}

/** Builds the CLI's error text for locks that were found without the CLI. */
export const lockedMessage = (locks: readonly Lock[]): string =>
  [
    `the stack is currently locked by ${locks.length} lock(s)`,
    ...locks.map(({ file, user, host, pid, since }) => `${file}: created by ${user}@${host} (pid ${pid}) at ${since}`),
  ].join("\n");

/** Whether all holders have certainly ended. `gone`: engines that have ended elsewhere. */
export const allHoldersEnded = (locks: readonly Lock[], gone: readonly EngineRecord[] = []): boolean =>
  locks.length > 0 && locks.every((lock) => hasEnded(lock, gone));

/** `pid 17 of ann on laptop, since 2026-01-01T00:00:00Z`. */
export function describeLock(lock: Lock): string {
  return `pid ${lock.pid} of ${lock.user} on ${lock.host}, since ${lock.since}`;
}
