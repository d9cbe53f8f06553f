import { fork, type ChildProcess } from "node:child_process";
import { killTree } from "../process/processTree";
import { messageOf } from "../../foundation/errors";
import { registerWork, type Stop } from "../process/interrupt";
import type { Existing } from "../runtime/request/prepare";
import type { Request } from "../runtime/request/request";
import type { Result } from "../runtime/result";

/** A job of a worker: one runtime to deploy or delete. */
export interface RuntimeJob {
  readonly request: Request;
  /** Default: false, which deploys. */
  readonly destroy?: boolean;
  /** Default: the runtime may be new. */
  readonly existing?: Existing;
  /** The current command, recorded in the state. */
  readonly command?: string;
  readonly defaultPlatform: string;
  readonly waitSeconds?: number;
  readonly refresh?: boolean;
}

export interface PoolOptions {
  /** Number of workers. */
  readonly parallel: number;
  readonly onResult: (result: Result) => void;
  /** Called with the ids in progress whenever a job starts. */
  readonly onBegin?: (ids: readonly string[]) => void;
  /** True if no further job should start. */
  readonly isStopped?: () => boolean;
}

/**
 * Deploys many runtimes in worker processes. Each worker has everything loaded and runs one job at a time, because
 * Pulumi's SDK keeps the running program in globals. After Ctrl-C, jobs in progress end cleanly and no other starts.
 * Returns the jobs that never started.
 */
export async function runJobs(jobs: readonly RuntimeJob[], options: PoolOptions): Promise<readonly RuntimeJob[]> {
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
  const done = registerWork({ changes, stop });
  try {
    await Promise.all(Array.from({ length: Math.min(options.parallel, jobs.length) }, runWorker));
  } finally {
    done();
  }
  return waiting;
}

/**
 * Starts this same program, which finds the project by itself. A separate process group, so that Ctrl-C reaches it only
 * once, through us.
 */
function startWorker(): ChildProcess {
  return fork(process.argv[1] ?? "", ["--worker"], {
    detached: true,
    // Options such as a debugger's port must not be inherited.
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Runs a job. If the worker dies, the result reports it. */
function runJob(worker: ChildProcess, job: RuntimeJob): Promise<Result> {
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

/** Builds the result of a job that could not run. */
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
