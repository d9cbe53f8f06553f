import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Parent of each process. */
function parents(): Map<number, number> {
  if (!existsSync("/proc/self/stat")) return fromPs();
  const found = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name in parentheses may contain anything, so count from its end.
      const [, parent] = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      found.set(Number(entry), Number(parent));
    } catch {
      continue; // Ended while we looked.
    }
  }
  return found;
}

function fromPs(): Map<number, number> {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(pairs.map(([pid = 0, parent = 0]) => [pid, parent]));
}

/** All processes below one, those farthest away first. */
export function below(root: number): number[] {
  const all = [...parents()];
  const found: number[] = [];
  for (let level = [root]; level.length > 0; found.unshift(...level)) {
    const from = new Set(level);
    level = all.flatMap(([pid, parent]) => (from.has(parent) ? [pid] : []));
  }
  return found;
}

/** Processes of a session, no matter who their parents are by now. Only where the system reports it. */
function inSession(session: number): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      return Number(fields[3]) === session ? [Number(entry)] : [];
    } catch {
      return []; // Ended while we looked.
    }
  });
}

/** Kills what a process that was killed has left of its session: plugins of an engine, which nobody asks to end any more. */
export function killSession(session: number): void {
  kill(inSession(session), "SIGKILL");
}

/** Kills processes; those that are gone count as killed. */
function kill(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Kills a process with all below it, such as an engine with its plugins, which do not end when it is killed. */
export function killTree(root: number): void {
  kill([...below(root), root], "SIGKILL");
}

/** Ends what was started below a process that is about to end; politely, since some remove a folder then. */
export function endProcesses(root: number): void {
  kill(below(root), "SIGTERM");
}
