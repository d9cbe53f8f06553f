import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** Returns an id that is unique across all processes and restarts. */
export const newOwner = (): string => `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** True if a process is certainly gone: it was on this host and is not running, or had our process id before us. */
export function isGone(owner: string, me: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname() || owner === me) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
