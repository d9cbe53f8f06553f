import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * A process, distinct from every other one of any machine or container. A host name and a process id are not enough:
 * containers may have the same of both, and a machine uses its ids again.
 */
export interface ProcessIdentity {
  /** Id of the boot of the machine. */
  readonly boot: string;
  /** PID namespace, in which the process id is valid. */
  readonly namespace: string;
  readonly pid: number;
  /** When it started, in the unit of the system. */
  readonly start: string;
}

/** `unknown`: the process is, or was, out of sight of this one. */
export type Fate = "running" | "ended" | "unknown";

/** The boot and the PID namespace of this process. */
type Space = Pick<ProcessIdentity, "boot" | "namespace">;

let space: { readonly found: Space | undefined } | undefined;

function here(): Space | undefined {
  space ??= { found: findSpace() };
  return space.found;
}

/** Undefined where the system does not report it. */
function findSpace(): Space | undefined {
  try {
    if (process.platform === "darwin") {
      const boot = execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
      return boot === "" ? undefined : { boot, namespace: "-" };
    }
    // In a namespace of its own that still has the /proc of another one, process ids don't mean what /proc says.
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const [namespace] = /\d+/.exec(readlinkSync("/proc/self/ns/pid")) ?? [];
    return boot === "" || namespace === undefined ? undefined : { boot, namespace };
  } catch {
    return undefined;
  }
}

/** Returns the identity of a running process; undefined if there is none, or if the system does not report it. */
export function identify(pid: number): ProcessIdentity | undefined {
  const where = here();
  const start = where && startOf(pid);
  return where && typeof start === "string" ? { ...where, pid, start } : undefined;
}

/** When a process started, in milliseconds since 1970; undefined where the system does not report it. */
export function startedAt({ start }: ProcessIdentity): number | undefined {
  try {
    const [seconds] = readFileSync("/proc/uptime", "utf8").split(" ");
    // In hundredths of a second since the boot, on every Linux that Node.js supports.
    return Date.now() - Number(seconds) * 1000 + Number(start) * 10;
  } catch {
    return undefined;
  }
}

/** Whether a process still runs. Only a process of this boot and PID namespace is known to have ended. */
export function fateOf({ boot, namespace, pid, start }: ProcessIdentity): Fate {
  const where = here();
  if (where?.boot !== boot || where.namespace !== namespace) return "unknown";
  const found = startOf(pid);
  if (found === undefined) return isThere(pid) ? "unknown" : "ended";
  return found === start ? "running" : "ended";
}

/** Start time of a process; false for a zombie, undefined if it can't be read. */
function startOf(pid: number): string | false | undefined {
  try {
    if (process.platform === "darwin") {
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
    }
    // The name in parentheses may contain any character, so count from its end. The start time is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return /^[ZX]/.test(fields[0] ?? "") ? false : fields[19];
  } catch {
    return undefined;
  }
}

/** Whether a process has this id, as the system says, which may hide the processes of other users in /proc. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
