/** Runs a provider as a child process. */

import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs the provider until stdin closes, which also happens if this process is killed, or until it receives a signal.
 * The shell closes its own stdout, so that stdout ends with the provider.
 */
const RUN = 'trap : HUP INT TERM; "$@" </dev/null &';
const UNTIL_STDIN_CLOSES = " exec >&-; read -r _; kill $!; wait";
const REMOVE_FOLDER = '; rm -rf -- "$FOLDER"';
const WRITE_PID = ' echo $! >"$FOLDER/pid";';

interface Start {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Memory limit in KiB, if the system supports one. Default: unlimited. */
  readonly mostKib?: number;
  /** Gets a file `pid`, and is removed with its content when the provider has ended. Default: none. */
  readonly folder?: string;
}

export function startProvider(
  executable: string,
  { args = [], env = process.env, mostKib, folder }: Start = {},
): ChildProcess {
  const bounds = mostKib === undefined ? "" : `ulimit -v ${mostKib} 2>/dev/null; `;
  const run = folder === undefined ? RUN + UNTIL_STDIN_CLOSES : RUN + WRITE_PID + UNTIL_STDIN_CLOSES + REMOVE_FOLDER;
  return spawn("/bin/sh", ["-c", bounds + run, "sh", executable, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
    // Signals to the process group (Ctrl-C, or Pulumi killing a plugin) must not reach the shell, which stops the
    // provider and removes the folder.
    detached: true,
    env: folder === undefined ? env : { ...env, FOLDER: folder },
  });
}

/** The port, which a provider prints as its first line. */
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
