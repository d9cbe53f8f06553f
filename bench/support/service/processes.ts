import { readFileSync } from "node:fs";
import { descendantsOf } from "../../../engine/process/processTree";

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and its descendants, including those that have ended and were waited for. */
export function cpuOfTree(root: number): number {
  return [root, ...descendantsOf(root)].reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  const fields = read(pid, "stat").split(") ").pop()?.split(" ") ?? [];
  // utime, stime, cutime, cstime.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

/** Programs of the service, by a part of their command lines. */
const PROGRAMS = {
  workers: /workers\/entry\.js/,
  service: /bin\/stackyard-service/,
  engines: /(?:^|\/)pulumi(?:-engine)?\0/,
  providers: /pulumi-resource-/,
} as const;

export type Program = keyof typeof PROGRAMS | "others";
export type Memory = Readonly<Partial<Record<Program, number>>>;

/** Memory of a process and its descendants in MiB, by program; shared pages are counted once. */
export function memoryOfTree(root: number): Memory {
  const sums: Partial<Record<Program, number>> = {};
  for (const pid of [root, ...descendantsOf(root)]) {
    const command = read(pid, "cmdline");
    const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
    const program = names.find((name) => PROGRAMS[name].test(command)) ?? "others";
    const [, kilobytes = 0] = /^Pss:\s+(\d+) kB$/m.exec(read(pid, "smaps_rollup")) ?? [];
    sums[program] = (sums[program] ?? 0) + Number(kilobytes) / 1024;
  }
  return sums;
}

export const totalOf = (memory: Memory): number => Object.values(memory).reduce((sum, each) => sum + each, 0);

/** Samples a process and its descendants, and keeps the maximum. */
export class MemoryWatch {
  highest: Memory = {};
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly root: number) {
    this.timer = setInterval(() => this.look(), 1_000);
  }

  look(): void {
    const now = memoryOfTree(this.root);
    if (totalOf(now) > totalOf(this.highest)) this.highest = now;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

/** Reads a file of a process in /proc; empty if it has ended meanwhile. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
