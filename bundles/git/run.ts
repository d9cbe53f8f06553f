/** Runs the program git on untrusted repositories. */

import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { Refused, Unavailable } from "../errors";
import { MIB, mib } from "../../foundation/net/bytes";
import type { Protocol } from "./remote";

const FETCH_MS = 10 * 60_000;
const WATCH_MS = 250;
/** For the largest repository that may be fetched: git holds whatever a server sends. */
const MEMORY_BYTES = 4096 * MIB;
/** Node.js can't limit the memory of a process, but the shell can. Without this feature, git runs without a limit. */
const LIMITED = 'ulimit -v "$0" 2>/dev/null; exec git "$@"';
const NOT_FOUND = 127;
const MISSING = "the program git is not on PATH; expected git 2.31 or newer";

interface Running {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Maximum output; more aborts git. */
  readonly most: number;
  /** Default: the time for a large fetch. */
  readonly timeoutMs?: number;
  /** Memory limit of each git process, if the system supports it. Default: 4 GiB. */
  readonly memoryBytes?: number;
  /** Called repeatedly while git runs; an error that it throws aborts git. */
  readonly watch?: () => void;
  readonly signal?: AbortSignal;
}

/** Settings of every call: no config, hook, helper or prompt of the machine, the user or the repository is used. */
const SETTINGS: Readonly<Record<string, string>> = {
  "core.hooksPath": devNull,
  "core.askPass": "",
  "core.fsmonitor": "false",
  "credential.helper": "",
  "fetch.recurseSubmodules": "false",
  "gc.auto": "0",
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "500",
  "http.lowSpeedTime": "30",
  "maintenance.auto": "false",
  "protocol.version": "2",
  "transfer.bundleURI": "false",
};

/** Environment variables that git may see; others could change its behaviour. */
const PASSED = ["PATH", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR"];
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/** `settings`: more settings for this repository. They are passed as variables, because all users can see arguments. */
export function environment(
  protocol: Protocol,
  settings: Readonly<Record<string, string>>,
  more: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const passed = [...PASSED, ...PROXIES, ...PROXIES.map((name) => name.toLowerCase())];
  const all = Object.entries({ ...SETTINGS, ...settings });
  const configured = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    ...Object.fromEntries(configured as [string, string][]),
    GIT_CONFIG_COUNT: String(all.length),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    LC_ALL: "C",
    ...more,
  };
}

/** Returns git's output. Throws Unavailable with git's last lines, or Refused if the output exceeds the limit. */
export function runGit(running: Running): Promise<Buffer> {
  const { args, cwd, env, input, most, timeoutMs = FETCH_MS, memoryBytes = MEMORY_BYTES, watch, signal } = running;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // In its own process group, because git, when asked to stop, waits for helpers, which may wait for a server.
    const child = spawn("/bin/sh", ["-c", LIMITED, String(memoryBytes / 1024), ...args], {
      cwd,
      env,
      detached: true,
      stdio: "pipe",
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let words = "";
    let failure: Error | undefined;
    const end = (error: unknown): void => {
      failure ??= error instanceof Error ? error : new Error(String(error));
      endGroup(child.pid);
    };
    const late = setTimeout(() => end(new Unavailable(`git took longer than ${timeoutMs / 1000} s`, true)), timeoutMs);
    const stop = (): void => end(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const watcher = setInterval(() => {
      try {
        watch?.();
      } catch (error) {
        end(error);
      }
    }, WATCH_MS);
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) end(new Refused(`git printed more than ${mib(most)}`));
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (words = (words + chunk.toString("utf8")).slice(-4000)));
    // Git may exit before it has read everything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
    child.on("error", (error) => (failure ??= new Unavailable(error.message, false)));
    child.on("close", (code, killed) => {
      clearInterval(watcher);
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      if (failure !== undefined) reject(failure);
      else if (code === 0) resolve(Buffer.concat(chunks));
      else if (code === NOT_FOUND) reject(new Unavailable(MISSING, false));
      else if (/out of memory|cannot allocate memory/i.test(words))
        reject(new Refused(`git needs more than ${mib(memoryBytes)} of memory for what the server sends`));
      else reject(unavailable(words, code ?? killed));
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The process has already exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const PASSING =
  /timed? ?out|connection (was )?(reset|refused|closed)|early EOF|hung up|RPC failed|transfer closed|error: (408|429|5\d\d)/i;
const DENIED = /authentication failed|could not read (username|password)|permission denied|error: 40[13]/i;

/** Uses the first message of git or ssh, which later ones only follow from. Messages of the server are not trusted. */
function unavailable(words: string, code: number | string | null): Unavailable {
  const lines = words.split("\n").filter((line) => line.trim() !== "" && !/^(remote|warning):/i.test(line));
  const first = (lines[0] ?? `it ended with ${code}`)
    .replace(/^(fatal|error): /, "")
    .replace(/\p{C}/gu, "")
    .slice(0, 300);
  const denied = DENIED.test(words) ? "; check its credentials and their permission to read" : "";
  const moved = /error: 30\d|redirect/i.test(words)
    ? "; it redirects, and git does not follow redirects here: use the new address"
    : "";
  return new Unavailable(`git can't fetch it: ${first}${denied || moved}`, denied === "" && PASSING.test(words));
}
