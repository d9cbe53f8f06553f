import { readFileSync } from "node:fs";
import { below } from "./processTree";

/**
 * Memory that a process has for itself; its program's file, of which all processes share one copy, is not counted.
 * Undefined if the system does not say, and of a process that is gone.
 */
export function memoryOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined; // Ended while we looked.
  }
  const lines = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) * 1024;
}

/** The same of a process with all below it. */
export function memoryOfTree(root: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return [root, ...below(root)].reduce((sum, pid) => sum + (memoryOf(pid) ?? 0), 0);
}
