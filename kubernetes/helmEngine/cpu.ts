/** Limits the work of a process by the CPU that it takes, so that a busy machine is not mistaken for it. */

import { existsSync, readFileSync } from "node:fs";

const LOOK_MS = 250;
/** Of the fields in /proc, on every architecture. */
const MS_PER_TICK = 10;

/** CPU that a process has taken; where the system does not report it, the time that has passed; NaN when it has ended. */
function spentMs(pid: number): number {
  if (!existsSync("/proc/self/stat")) return performance.now();
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return NaN;
  }
}

/** Calls `work` with a signal that aborts with `reason` when the process has taken more CPU since then. */
export async function withCpuLimit<T>(
  pid: number,
  { mostMs, reason }: { readonly mostMs: number; readonly reason: Error },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const before = spentMs(pid);
  const look = setInterval(() => spentMs(pid) - before > mostMs && limit.abort(reason), LOOK_MS);
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearInterval(look);
  }
}
