import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Cost of one run of a program. */
export interface Cost {
  readonly seconds: number;
  /** Seconds until its first output; until its end if there was none. */
  readonly firstSeconds?: number;
  /** User and system time of the program and all child processes that it waited for. */
  readonly cpuSeconds: number;
  /** Maximum resident memory of the program and all its descendants, in MiB; sampled ten times a second. */
  readonly memoryMib: number;
}

export interface Command {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** The shell's `times`: the first line is about the shell, the second about its children. */
const ACCOUNT = '"$@"; code=$?; times >&3; exit $code';

/** Runs a program and measures it. Throws with its output if it fails. */
export async function measure({ argv, folder, env, input }: Command): Promise<Cost> {
  const started = performance.now();
  const child = spawn("bash", ["-c", ACCOUNT, "bash", ...argv], {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const texts = ["", "", ""];
  let firstSeconds: number | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.once("data", () => (firstSeconds ??= (performance.now() - started) / 1000));
  }
  [child.stdout, child.stderr, child.stdio[3]].forEach((stream, index) => {
    (stream as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => (texts[index] += text));
  });
  child.stdin?.end(input ?? "");
  let memoryMib = 0;
  const timer = setInterval(() => (memoryMib = Math.max(memoryMib, memoryOf(child.pid ?? 0))), 100);
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit) => resolve(exit ?? 1));
  });
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}:\n${texts[0]}${texts[1]}`);
  return { seconds, firstSeconds: firstSeconds ?? seconds, cpuSeconds: cpu(texts[2] ?? ""), memoryMib };
}

/** Parses `0m1.25s 0m0.12s` in the second line to seconds. */
function cpu(times: string): number {
  const parts = (times.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g);
  return [...parts].reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
}

interface Running {
  readonly parent: number;
  readonly pages: number;
}

function memoryOf(root: number): number {
  const all = new Map<number, Running>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      all.set(Number(entry), { parent: Number(stat[1]), pages: Number(stat[21]) });
    } catch {
      continue; // The process ended meanwhile.
    }
  }
  const isBelow = (pid: number): boolean => pid === root || (all.has(pid) && isBelow(all.get(pid)?.parent ?? 0));
  let pages = 0;
  for (const [pid, running] of all) if (isBelow(pid)) pages += running.pages;
  return (pages * 4096) / 2 ** 20;
}

/** Runs something several times, one after the other. */
export async function repeat(times: number, run: (index: number) => Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let index = 0; index < times; index++) costs.push(await run(index));
  return costs;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
