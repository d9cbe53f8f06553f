/** A provider as a process of ours. */

import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs it until standard input ends, which it also does when this process is killed; or until a signal. The shell closes
 * its own standard output, so that the end of that is the provider's.
 */
const UNTIL_WE_ARE_GONE = 'trap : HUP INT TERM; "$@" </dev/null & exec >&-; read -r _; kill $!; wait';
const LEAVE_NOTHING = '; rm -rf -- "$FOLDER"';

export interface Start {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Of memory that it may ask for, where the system can see to that. Default: any. */
  readonly mostKib?: number;
  /** Removed with all in it when it has ended. Default: none. */
  readonly folder?: string;
}

export function startProvider(
  executable: string,
  { args = [], env = process.env, mostKib, folder }: Start = {},
): ChildProcess {
  const bounds = mostKib === undefined ? "" : `ulimit -v ${mostKib} 2>/dev/null; `;
  const script = bounds + UNTIL_WE_ARE_GONE + (folder === undefined ? "" : LEAVE_NOTHING);
  return spawn("/bin/sh", ["-c", script, "sh", executable, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    // Ctrl-C in a terminal and Pulumi, which kills a plugin with all processes of its group, must not reach the shell:
    // nobody would be left to end the provider and to remove the folder.
    detached: true,
    env: folder === undefined ? env : { ...env, FOLDER: folder },
  });
}

/** The first line that a provider prints is its port. */
export function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    const ended = (): void => reject(new Error("the Kubernetes provider ended before it printed its port"));
    child.once("close", ended);
    if (!child.stdout) return;
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => resolve(Number(line))).once("close", ended);
  });
}
