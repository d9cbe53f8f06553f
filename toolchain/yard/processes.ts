import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { startOf } from "../bootstrap/lock";

export interface Process {
  readonly pid: number;
  readonly args: readonly string[];
}

/** Name of the process that simulates a Teraslice master. */
export const TERASLICE_DOUBLE = "teraslice-master-double";

/** Name of the process that simulates Gardener. */
export const GARDENER_DOUBLE = "gardener-double";

/**
 * Programs that a yard starts. Other processes that mention the yard's folder (an editor, a `tail -f`) must not be
 * stopped.
 */
const OURS = new Set([
  "etcd",
  "gardener-apiserver",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "karpenter",
  "kwok-controller",
  "kwokctl",
  "postgres",
  "pulumi-resource-kubernetes",
  "yard-node",
  TERASLICE_DOUBLE,
  GARDENER_DOUBLE,
]);

/** Gardener's extensions have programs of their own, one for each cloud. */
const isOurs = (name: string): boolean => OURS.has(name) || name.startsWith("gardener-extension-admission-");

function fromProc(): Process[] {
  const found: Process[] = [];
  for (const entry of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const line = fs.readFileSync(`/proc/${entry}/cmdline`, "utf8");
      if (line !== "") found.push({ pid: Number(entry), args: line.replace(/\0$/, "").split("\0") });
    } catch {
      continue; // The process ended meanwhile.
    }
  }
  return found;
}

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-ww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64e6 }).split(
    "\n",
  );
  return lines.flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid !== undefined && command !== undefined ? [{ pid: Number(pid), args: command.split(" ") }] : [];
  });
}

export function allProcesses(): Process[] {
  return fs.existsSync("/proc/self/cmdline") ? fromProc() : fromPs();
}

/**
 * Filters processes that a yard in one of the folders has started: our programs with a path in the folder among their
 * arguments.
 */
export function ofYard(processes: readonly Process[], folders: readonly string[]): Process[] {
  return processes.filter(
    ({ args }) =>
      isOurs(path.basename(args[0] ?? "")) &&
      args.some((word) => folders.some((folder) => word.includes(`${folder}${path.sep}`) || word.endsWith(folder))),
  );
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Stops processes: with the first signal, and with SIGKILL after the given time. Returns when they are gone. */
export async function end(processes: readonly Process[], first: NodeJS.Signals, patienceMs: number): Promise<void> {
  const starts = new Map(processes.map(({ pid }) => [pid, startOf(pid)]));
  const alive = (): number[] =>
    [...starts].filter(([pid, start]) => start !== undefined && startOf(pid) === start).map(([pid]) => pid);
  for (const pid of alive()) signal(pid, first);
  const deadline = Date.now() + patienceMs;
  for (let left = alive(); left.length > 0; left = alive()) {
    if (Date.now() > deadline) for (const pid of left) signal(pid, "SIGKILL");
    if (Date.now() > deadline + 10_000)
      throw new Error(`the processes ${left.join(", ")} do not end even when killed; end them by hand`);
    await sleep(20);
  }
}
