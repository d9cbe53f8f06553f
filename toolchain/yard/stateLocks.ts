import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { startOf } from "../bootstrap/lock";
import { isMissing } from "../../foundation/errorCode";

/** Content of Pulumi's lock of a stack. */
export interface StateLock {
  readonly pid: number;
  readonly hostname: string;
  /** When it was acquired, as RFC 3339. */
  readonly timestamp: string;
}

/** Whether the holder of a lock is certainly gone: its process was on this machine and has ended. */
export function isDead(lock: StateLock, hostname: string, alive: (pid: number) => boolean): boolean {
  return lock.hostname === hostname && !alive(lock.pid);
}

function alivePulumi(pid: number): boolean {
  if (startOf(pid) === undefined) return false;
  try {
    // The process id may have been reused by another program.
    return path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] ?? "").startsWith("pulumi");
  } catch {
    return true; // Unknown on this system, so assume that it is running.
  }
}

interface Found {
  readonly file: string;
  /** `<project>/<stack>`. */
  readonly stack: string;
  readonly lock: StateLock;
}

function findLocks(state: string): Found[] {
  const locks = path.join(state, ".pulumi", "locks");
  if (!fs.existsSync(locks)) return [];
  const files = fs.readdirSync(locks, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.flatMap((name) => {
    const file = path.join(locks, name);
    let text;
    try {
      text = fs.readFileSync(file, "utf8");
    } catch (error) {
      if (isMissing(error)) return []; // The update has just ended.
      throw error;
    }
    return [
      { file, stack: path.dirname(name).split(path.sep).slice(1).join("/"), lock: JSON.parse(text) as StateLock },
    ];
  });
}

/** Removes the locks of killed updates, so that the next one need not ask for it. Returns the stacks. */
export function removeDeadLocks(state: string): string[] {
  const dead = findLocks(state).filter(({ lock }) => isDead(lock, os.hostname(), alivePulumi));
  for (const { file } of dead) fs.rmSync(file, { force: true });
  return dead.map(({ stack }) => stack);
}

/**
 * Waits while an update of a stack runs on this machine, for example one that outlived its make. Locks of other
 * machines are left for Pulumi to report.
 */
export async function waitForUpdate(state: string, stack: string, onWait: (pid: number) => void): Promise<void> {
  for (let reported = false; ; reported = true) {
    removeDeadLocks(state);
    const running = findLocks(state).find((found) => found.stack === stack && found.lock.hostname === os.hostname());
    if (!running) return;
    if (!reported) onWait(running.lock.pid);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
