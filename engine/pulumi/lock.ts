import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as path from "node:path";

/** A lock of a stack, as the CLI reports it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

const LOCKED = /the stack is currently locked by \d+ lock/;
const HOLDER = /created by (\S*)@(\S+) \(pid (\d+)\) at (\S+)/g;

/** Parses the locks in an error of the CLI; undefined for other errors. */
export function parseLocks(text: string): Lock[] | undefined {
  if (!LOCKED.test(text)) return undefined;
  return [...text.matchAll(HOLDER)].map(([, user = "", host = "", pid = "", since = ""]) => ({
    user,
    host,
    pid: Number(pid),
    since,
  }));
}

/** Builds the CLI's error text for locks that were found without the CLI. */
export const lockedMessage = (locks: readonly Lock[]): string =>
  [
    `the stack is currently locked by ${locks.length} lock(s)`,
    ...locks.map(({ user, host, pid, since }) => `created by ${user}@${host} (pid ${pid}) at ${since}`),
  ].join("\n");

/** Whether the process with this id on this host is a running Pulumi CLI. Zombies don't count. */
export function isPulumiRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  try {
    // Empty for a zombie. The id may also have been reused by another program.
    const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return path.basename(program).startsWith("pulumi");
  } catch {
    return true; // No /proc on this system: rely on the process id alone.
  }
}

/** A process on a host. */
export type Holder = Pick<Lock, "host" | "pid">;

/**
 * True if every holder is gone: a process of this host that is not running, or one in `gone`, which is known to have
 * ended on another host.
 */
export function allHoldersEnded(
  locks: readonly Lock[],
  gone: readonly Holder[] = [],
  here = hostname(),
  isRunning: (pid: number) => boolean = isPulumiRunning,
): boolean {
  const isDead = ({ host, pid }: Lock): boolean =>
    host === here ? !isRunning(pid) : gone.some((one) => one.host === host && one.pid === pid);
  return locks.length > 0 && locks.every(isDead);
}

/** `pid 17 of ann on laptop, since 2026-01-01T00:00:00Z`. */
export function describeLock(lock: Lock): string {
  return `pid ${lock.pid} of ${lock.user} on ${lock.host}, since ${lock.since}`;
}
