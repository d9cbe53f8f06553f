import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** Names this process among all that there ever were. */
export const newOwner = (): string => `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`;

/** Whether a process is gone for certain: one of this host that does not run, or that had our process id before us. */
export function isGone(owner: string, me: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== hostname() || owner === me) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
