import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import * as path from "node:path";

/** Who holds the lock of a stack, as the CLI reports it. */
export interface Lock {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly since: string;
}

const LOCKED = /the stack is currently locked by \d+ lock/;
const HOLDER = /created by (\S*)@(\S+) \(pid (\d+)\) at (\S+)/g;

/** The locks that a CLI's complaint names; undefined when it complains of something else. */
export function parseLocks(text: string): Lock[] | undefined {
  if (!LOCKED.test(text)) return undefined;
  return [...text.matchAll(HOLDER)].map(([, user = "", host = "", pid = "", since = ""]) => ({
    user,
    host,
    pid: Number(pid),
    since,
  }));
}

/** The CLI's complaint about locks, for one that was found without it. */
export const complaintOf = (locks: readonly Lock[]): string =>
  [
    `the stack is currently locked by ${locks.length} lock(s)`,
    ...locks.map(({ user, host, pid, since }) => `created by ${user}@${host} (pid ${pid}) at ${since}`),
  ].join("\n");

/** Whether a process of that id runs the Pulumi CLI on this host; one that ended and was not waited for does not. */
export function isPulumiRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  try {
    // Empty for a process that has ended. The number may also have been given to another program since.
    const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return path.basename(program).startsWith("pulumi");
  } catch {
    return true; // No /proc on this system: the number alone must do.
  }
}

/** A process on some host. */
export type Holder = Pick<Lock, "host" | "pid">;

/**
 * True when every holder is gone, so that nobody can be disturbed: a process of this host that does not run, or one of `gone`,
 * of which somebody knows that it has ended on another host.
 */
export function allDead(
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
