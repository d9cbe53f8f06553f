/** Renders untrusted content with one engine per process, which is started on first use and stopped when idle. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { Unavailable } from "../../foundation/net/errors";
import { withCpuLimit } from "./cpu";
import { EngineUnavailable, TemplateEngine } from "./engine";

/** Limits of one rendering: of CPU, and of time, which a busy machine may need. */
const MOST_CPU_MS = 30_000;
const MOST_MS = 600_000;
const MOST_KIB = 3 * 1024 * 1024;
const IDLE_MS = 10_000;

/** A call of the engine. */
export interface Rendering {
  /** Token of the engine's function. */
  readonly token: string;
  /** Arguments of the function. `folder` contains the files. */
  readonly args: (folder: string) => object;
  /** What is rendered, for messages. */
  readonly title: string;
}

interface Running {
  readonly engine: TemplateEngine;
  readonly folder: string;
}

/** Prevents network access during rendering: the proxies don't exist, and git has no allowed protocol. */
const NO_NETWORK = { HTTP_PROXY: "http://127.0.0.1:1", HTTPS_PROXY: "http://127.0.0.1:1", GIT_ALLOW_PROTOCOL: "none" };

let running: Promise<Running> | undefined;
let users = 0;
let idle: NodeJS.Timeout | undefined;

async function start(): Promise<Running> {
  const folder = await mkdtemp(path.join(tmpdir(), "stackyard-render-"));
  try {
    // Isolates the engine from this user's settings, and keeps its temporary files in the folder.
    const env = { PATH: "/usr/bin:/bin", HOME: folder, TMPDIR: folder, ...NO_NETWORK };
    const engine = await TemplateEngine.start(process.env, { env, mostKib: MOST_KIB, folder });
    return { engine, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function stop(which: Promise<Running>): Promise<void> {
  if (running === which) running = undefined;
  try {
    const { engine, folder } = await which;
    engine.stop();
    await rm(folder, { recursive: true, force: true });
  } catch {
    // The engine never started. The caller that requested it got the error.
  }
}

/** Renders one at a time, so that a rendering that breaks the engine affects no other. */
let last: Promise<unknown> = Promise.resolve();

/** Renders these files. Throws {@link Unavailable} if there is no engine, or it failed. */
export function renderFiles(
  files: Iterable<readonly [string, Buffer]>,
  rendering: Rendering,
  signal: AbortSignal,
): Promise<unknown> {
  clearTimeout(idle);
  users++;
  const work = last
    .then(() => render(files, rendering, signal))
    .finally(() => {
      if (--users === 0) idle = setTimeout(() => running && void stop(running), IDLE_MS).unref();
    });
  last = work.catch(() => undefined);
  return work;
}

async function render(
  files: Iterable<readonly [string, Buffer]>,
  { token, args, title }: Rendering,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  const mine = (running ??= start());
  try {
    const { engine, folder } = await mine;
    const place = await mkdtemp(path.join(folder, "files-"));
    try {
      await writeAll(place, files);
      const pid = Number(await readFile(path.join(folder, "pid"), "utf8"));
      const limit = { mostMs: MOST_CPU_MS, reason: new EngineUnavailable("it took more than 30 s of CPU") };
      const result = await withCpuLimit(pid, limit, signal, (either) =>
        engine.invoke(token, args(place), { timeoutMs: MOST_MS, signal: either }),
      );
      return result["result"];
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  } catch (error) {
    // The engine may have ended, or may still work on an aborted request.
    if (error instanceof EngineUnavailable || signal.aborted) await stop(mine);
    if (!(error instanceof EngineUnavailable)) throw error;
    throw new Unavailable(`${title} can't be rendered: ${error.message}`, false, { cause: error });
  }
}

async function writeAll(place: string, files: Iterable<readonly [string, Buffer]>): Promise<void> {
  const made = new Set<string>();
  for (const [name, bytes] of files) {
    const file = path.join(place, name);
    const folder = path.dirname(file);
    if (!made.has(folder)) await mkdir(folder, { recursive: true });
    made.add(folder);
    await writeFile(file, bytes, { mode: 0o600 });
  }
}
