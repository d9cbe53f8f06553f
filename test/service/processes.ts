import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { signalAll } from "../../engine/process/processTree";
import { processesOf } from "../engine/soak/harm";

/** Processes of a service by what they are; `mark` is what its environment has. */
export type Role = "service" | "worker" | "engine" | "provider";

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ["worker", /engine\/workers\/entry\.js/],
  ["service", /test\/service\/host\.ts/],
  ["engine", /(?:^|\/)pulumi(?:-engine)?\0/],
  ["provider", /pulumi-resource-/],
];

/** As in a container: a PID namespace, and the host name of the machine. */
export const CONTAINER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] as const;

export function hasContainers(): boolean {
  const [program, ...flags] = CONTAINER;
  const isPermitted = spawnSync(program, [...flags, "true"]).status === 0;
  if (!isPermitted) console.log("      skipped: unshare --pid is not permitted here");
  return isPermitted;
}

export function pidsOf(mark: string, role: Role): number[] {
  const pattern = ROLES.find(([name]) => name === role)?.[1] ?? /$^/;
  return processesOf(mark).flatMap(({ pid }) => (pattern.test(commandOf(pid)) ? [pid] : []));
}

/** What of a service runs, in words. */
export const remaining = (mark: string): string[] => processesOf(mark).map(({ pid, program }) => `${pid} ${program}`);

/** Kills all of a role, as the kernel does when memory is short. Answers how many there were. */
export function kill(mark: string, role: Role): number {
  const pids = pidsOf(mark, role);
  signalAll(pids, "SIGKILL");
  return pids.length;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // Ended while we looked.
  }
}
