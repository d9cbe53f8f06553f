import * as fs from "node:fs";
import * as path from "node:path";
import type { Lock } from "../../engine/pulumi/engineLock";
import { parseLock } from "../../engine/pulumi/state/stateStore";
import { isMissing } from "../../foundation/errorCode";
import { hasEnded, isRunningHere } from "../../foundation/process/engines";

interface Found {
  readonly file: string;
  /** `<project>/<stack>`. */
  readonly stack: string;
  readonly lock: Lock;
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
    const stack = path.dirname(name).split(path.sep).slice(1).join("/");
    return parseLock(text, path.basename(name)).map((lock) => ({ file, stack, lock }));
  });
}

/** Removes the locks of killed updates, so that the next one need not ask for it. Returns the stacks. */
export function removeDeadLocks(state: string): string[] {
  const dead = findLocks(state).filter(({ lock }) => hasEnded(lock));
  for (const { file } of dead) fs.rmSync(file, { force: true });
  return dead.map(({ stack }) => stack);
}

/**
 * Waits while an update of a stack runs on this machine, for example one that outlived its make. Locks of which nothing
 * is known here are left for Pulumi to report.
 */
export async function waitForUpdate(state: string, stack: string, onWait: (pid: number) => void): Promise<void> {
  for (let reported = false; ; reported = true) {
    removeDeadLocks(state);
    const running = findLocks(state).find((found) => found.stack === stack && isRunningHere(found.lock));
    if (!running) return;
    if (!reported) onWait(running.lock.pid);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
