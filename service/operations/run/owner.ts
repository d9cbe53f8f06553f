import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { fateOf, identify } from "../../../foundation/process/identity";

/**
 * Returns an id that is unique across all processes and restarts, with the identity of this process. Replicas may have
 * the same host name, and the process id 1 each.
 */
export function newOwner(): string {
  const { boot, namespace, start } = identify(process.pid) ?? {};
  const identity = boot === undefined ? [] : [boot, namespace, start];
  return [hostname(), process.pid, randomBytes(4).toString("hex"), ...identity].join(":");
}

/** True if a process has certainly ended. For any other, only its lease decides. */
export function isGone(owner: string): boolean {
  // A start time may contain colons.
  const [, pid, , boot, namespace, ...start] = owner.split(":");
  if (boot === undefined || namespace === undefined) return false;
  return fateOf({ boot, namespace, pid: Number(pid), start: start.join(":") }) === "ended";
}

/** The part of an id that people need: host name, process id and a random part. */
export const describeOwner = (owner: string): string => owner.split(":").slice(0, 3).join(":");
