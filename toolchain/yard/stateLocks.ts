import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { startOf } from "../bootstrap/lock";

/** What Pulumi writes into a lock of a stack. */
export interface StateLock {
  readonly pid: number;
  readonly hostname: string;
  /** When it was taken, RFC 3339. */
  readonly timestamp: string;
}

/** Whether the holder of a lock can no longer exist: its process was on this machine and is gone. */
export function isDead(lock: StateLock, hostname: string, alive: (pid: number) => boolean): boolean {
  return lock.hostname === hostname && !alive(lock.pid);
}

function alivePulumi(pid: number): boolean {
  if (startOf(pid) === undefined) return false;
  try {
    // The number of a killed run may have been given to another program since.
    return path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "").startsWith("pulumi");
  } catch {
    return true; // No way to tell here: let it count.
  }
}

/** Removes locks of stacks whose update was killed, so that the next one need not be told to. Returns the stacks. */
export function removeDeadLocks(state: string): string[] {
  const locks = path.join(state, ".pulumi", "locks");
  if (!fs.existsSync(locks)) return [];
  const files = fs.readdirSync(locks, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  const freed: string[] = [];
  for (const file of files) {
    const full = path.join(locks, file);
    let text;
    try {
      text = fs.readFileSync(full, "utf8");
    } catch {
      continue; // Its update has just ended.
    }
    if (!isDead(JSON.parse(text) as StateLock, os.hostname(), alivePulumi)) continue;
    fs.rmSync(full, { force: true });
    freed.push(path.dirname(file).split(path.sep).slice(1).join("/"));
  }
  return freed;
}
