import { readFileSync } from "node:fs";
import { below } from "../../engine/pulumi/processTree";

/** Memory of a process with all below it. Undefined where the system does not say. */
export function memoryOfTree(root: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  return [root, ...below(root)].reduce((sum, pid) => sum + memoryOf(pid), 0);
}

function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0; // Ended while we looked.
  }
}
