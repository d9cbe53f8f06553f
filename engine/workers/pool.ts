import { fork, type ChildProcess } from "node:child_process";
import { killTree } from "../pulumi/processTree";
import { messageOf } from "../../foundation/errors";
import { underWay, type Stop } from "../interrupt";
import type { Existing } from "../runtime/request/prepare";
import type { Request } from "../runtime/request/request";
import type { Result } from "../runtime/result";

/** What a worker is sent: one runtime to deploy, or to destroy. */
export interface Job {
  readonly request: Request;
  /** Default: deploy. */
  readonly destroy?: boolean;
  /** Default: may be new. */
  readonly existing?: Existing;
  /** Command at work, for the record in the state. */
  readonly command?: string;
  readonly defaultPlatform: string;
  readonly waitSeconds?: number;
  readonly refresh?: boolean;
}

export interface PoolOptions {
  /** How many workers. */
  readonly parallel: number;
  readonly onResult: (result: Result) => void;
  /** Called with those in progress whenever one is begun. */
  readonly onBegin?: (ids: readonly string[]) => void;
  /** True when no other is to be begun. */
  readonly isStopped?: () => boolean;
}

/**
 * Deploys many runtimes in worker processes, each with everything loaded and one runtime at a time: the engine's SDK
 * keeps the running program in globals, so that two at a time in one process would mix.
 * After Ctrl-C the runtimes in progress end cleanly and no other is begun. Returns which jobs were never begun.
 */
export async function runJobs(jobs: readonly Job[], options: PoolOptions): Promise<readonly Job[]> {
  const waiting = [...jobs];
  const workers = new Set<ChildProcess>();
  let stopping = false;
  const stop = (how: Stop) => {
    stopping = true;
    for (const worker of workers) {
      // A worker escalates the first signal by itself.
      if (how === "cancel") worker.kill("SIGINT");
      if (how === "kill" && worker.pid !== undefined) killTree(worker.pid);
    }
  };
  const begun = new Set<string>();
  const changes = () => `the updates of ${[...begun].join(", ")}`;

  const runWorker = async () => {
    let worker: ChildProcess | undefined;
    for (let job = waiting[0]; job !== undefined && !stopping && options.isStopped?.() !== true; job = waiting[0]) {
      waiting.shift();
      if (!worker) workers.add((worker = startWorker()));
      begun.add(job.request.id);
      options.onBegin?.([...begun]);
      const result = await runJob(worker, job);
      begun.delete(job.request.id);
      if (!worker.connected) {
        workers.delete(worker);
        worker = undefined;
      }
      options.onResult(result);
    }
    worker?.disconnect();
  };
  const done = underWay({ changes, stop });
  try {
    await Promise.all(Array.from({ length: Math.min(options.parallel, jobs.length) }, runWorker));
  } finally {
    done();
  }
  return waiting;
}

/** This same program, which finds the project by itself. In a process group of its own, so that Ctrl-C reaches it once, through us. */
function startWorker(): ChildProcess {
  return fork(process.argv[1] ?? "", ["--worker"], {
    detached: true,
    // A debugger's port and the like are ours alone.
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** The result of a worker that dies says so. */
function runJob(worker: ChildProcess, job: Job): Promise<Result> {
  const started = performance.now();
  return new Promise((resolve) => {
    const finish = (result: Result) => {
      worker.off("message", finish).off("exit", gone).off("error", broken);
      resolve(result);
    };
    const fail = (reason: string) => finish(failed(job.request.id, reason, performance.now() - started));
    const gone = (code: number | null, signal: string | null) =>
      fail(`its worker process ended before it was done (${signal ?? `exit code ${code}`}); run the same again`);
    const broken = (error: Error) => fail(error.message);
    worker.on("message", finish).on("exit", gone).on("error", broken);
    worker.send(job, (error) => error && broken(error));
  });
}

/** The result of a job that could not even be run. */
export function failed(id: string, error: unknown, milliseconds: number): Result {
  const reason = typeof error === "string" ? error : messageOf(error);
  return {
    id,
    ok: false,
    milliseconds: Math.round(milliseconds),
    changes: {},
    outputs: {},
    errors: [reason],
    notes: [],
  };
}
