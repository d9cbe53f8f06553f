import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Parent process ids, by process id. */
function parents(): Map<number, number> {
  if (!existsSync("/proc/self/stat")) return fromPs();
  const found = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name in parentheses may contain any character, so count from its end.
      const [, parent] = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      found.set(Number(entry), Number(parent));
    } catch {
      continue; // The process ended meanwhile.
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

/** All descendants of a process, deepest first. */
export function descendantsOf(root: number): number[] {
  const all = [...parents()];
  const found: number[] = [];
  for (let level = [root]; level.length > 0; found.unshift(...level)) {
    const from = new Set(level);
    level = all.flatMap(([pid, parent]) => (from.has(parent) ? [pid] : []));
  }
  return found;
}

/** Processes of a session, regardless of their current parents. Empty if the system does not report it. */
function inSession(session: number): number[] {
  if (!existsSync("/proc/self/stat")) return [];
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      return Number(fields[3]) === session ? [Number(entry)] : [];
    } catch {
      return []; // The process ended meanwhile.
    }
  });
}

/** Kills the remaining processes in the session of a killed process, such as the plugins of an engine. */
export function killSession(session: number): void {
  signalAll(inSession(session), "SIGKILL");
}

/** Sends a signal to processes. Ignores those that are already gone. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** Kills a process and its descendants. Plugins, for example, don't end when their engine is killed. */
export function killTree(root: number): void {
  signalAll([...descendantsOf(root), root], "SIGKILL");
}

/**
 * Terminates the descendants of a process that is about to exit. SIGTERM, because some must remove a temporary folder.
 */
export function endProcesses(root: number): void {
  signalAll(descendantsOf(root), "SIGTERM");
}
