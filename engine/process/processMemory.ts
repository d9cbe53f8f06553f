import { readFileSync } from "node:fs";
import { descendantsOf } from "./processTree";

/**
 * Private memory of a process, without its program file, which all processes share. Undefined if the system does not
 * report it or the process is gone.
 */
export function memoryOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined; // The process ended meanwhile.
  }
  const lines = status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) * 1024;
}

/** Memory of a process and all its descendants. */
export function memoryOfTree(root: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return [root, ...descendantsOf(root)].reduce((sum, pid) => sum + (memoryOf(pid) ?? 0), 0);
}
