/** Runs the program git on behalf of somebody who is not trusted. */

import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { Refused, Unavailable } from "../errors";
import { MIB, mib } from "../../foundation/net/bytes";
import type { Protocol } from "./remote";

const FETCH_MS = 10 * 60_000;
const WATCH_MS = 250;
/** For content of the largest repository that is fetched; git itself keeps whatever a server sends. */
const MEMORY_BYTES = 4096 * MIB;
/** Node.js can't limit the memory of a process. Where the system can't either, git runs without a limit. */
const LIMITED = 'ulimit -v "$0" 2>/dev/null; exec git "$@"';
const NOT_FOUND = 127;
const MISSING = "the program git is not on PATH; expected git 2.31 or newer";

export interface Running {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  /** More output than that ends it. */
  readonly most: number;
  /** Default: as long as a large fetch may take. */
  readonly timeoutMs?: number;
  /** Memory that each of git's processes may reserve, where the system can limit it. Default: 4 GiB. */
  readonly memoryBytes?: number;
  /** Asked again and again while it runs; an error that it throws ends it. */
  readonly watch?: () => void;
  readonly signal?: AbortSignal;
}

/** Settings that hold for every call: nothing of the machine's, the user's or the repository's runs or answers. */
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

/** Variables of ours that git may see; the rest could change what it does. */
const PASSED = ["PATH", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR"];
const PROXIES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];

/** `settings` are for this repository besides; they travel as variables, because arguments can be seen by everybody. */
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

/** What git printed. Throws Unavailable with git's last lines, Refused for too much. */
export function runGit(running: Running): Promise<Buffer> {
  const { args, cwd, env, input, most, timeoutMs = FETCH_MS, memoryBytes = MEMORY_BYTES, watch, signal } = running;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A group of its own: git that is asked to end waits for its helpers, which may wait for a server.
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
    // It may end before it has read everything.
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
    // It ended by itself a moment ago.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const PASSING =
  /timed? ?out|connection (was )?(reset|refused|closed)|early EOF|hung up|RPC failed|transfer closed|error: (408|429|5\d\d)/i;
const DENIED = /authentication failed|could not read (username|password)|permission denied|error: 40[13]/i;

/** The first words of git itself or of ssh: what comes after only follows from it. What the server says may be anything. */
function unavailable(words: string, code: number | string | null): Unavailable {
  const lines = words.split("\n").filter((line) => line.trim() !== "" && !/^(remote|warning):/i.test(line));
  const first = (lines[0] ?? `it ended with ${code}`)
    .replace(/^(fatal|error): /, "")
    .replace(/\p{C}/gu, "")
    .slice(0, 300);
  const denied = DENIED.test(words) ? "; are its credentials right, and may they read this?" : "";
  const moved = /error: 30\d|redirect/i.test(words)
    ? "; it redirects, and git does not follow redirects here: use the new address"
    : "";
  return new Unavailable(`git can't fetch it: ${first}${denied || moved}`, denied === "" && PASSING.test(words));
}
