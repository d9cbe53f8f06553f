import { fork, type ChildProcess } from "node:child_process";
import * as path from "node:path";
import { memoryOfTree } from "../../engine/pulumi/processMemory";
import { killTree } from "../../engine/pulumi/processTree";
import type { EngineProcess } from "../database/tables";
import type { NewEvent } from "../operations/events";
import type { EngineJob, EngineResult, Noted, WorkerMessage } from "./messages";

export interface WorkerOptions {
  /** Folder of the checkout or installation whose programs run. */
  readonly root: string;
  /** Folder of the runtimes' project. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Memory limit of a worker with its engine and providers. */
  readonly memoryBytes: number;
  /** Called for each line that a worker writes to standard error. */
  readonly onSaid: (line: string) => void;
}

export interface JobOptions {
  /** Called for each engine. A warm engine starts its command only after the promise resolves. Must not fail. */
  readonly onEngine?: (process: EngineProcess) => Promise<void>;
  readonly onEvents?: (events: readonly NewEvent[]) => void;
  /** Time limit of the job. */
  readonly limitMs: number;
  /** Cancels the job, which then ends cleanly. With the reason `kill` it ends at once. */
  readonly signal?: AbortSignal;
}

/** How a job ended without a result. Its progress is unknown. */
export type Broken = { readonly broken: "died" | "timeout" | "memory" | "killed"; readonly reason: string };

/** Abort reason that ends a job at once. */
export const KILL = "kill";

/** A canceled engine may need ten seconds to end cleanly; see engine/interrupt.ts. */
const CANCEL_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
/** How long an idle worker may take to end. */
const END_MS = 5_000;

/*
 * Node.js and Go collect garbage late while the machine has free memory, and every worker has one Node.js process and
 * two Go processes. These settings keep the heaps small without measurable CPU cost; see docs/benchmarks.md.
 */
const SMALL_HEAP = ["--max-semi-space-size=8", "--heap-growing-percent=30"];
const SMALL_GO_HEAPS = { GOGC: "50" };

/** A worker process. It runs one job at a time. */
export class EngineWorker {
  readonly since = Date.now();
  /** Memory after the last job, including the engine and providers where the system reports it. */
  memoryBytes = 0;
  /** True once the worker was asked to stop or is stopping by itself. */
  isLeaving = false;
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<void>;
  private readonly child: ChildProcess;

  constructor(private readonly options: WorkerOptions) {
    const { root, folder, env, onSaid } = options;
    // A separate process group: Ctrl-C in a terminal reaches the worker only once, through this process.
    this.child = fork(path.join(root, "service", "workers", "entry.js"), [root, folder], {
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...SMALL_GO_HEAPS, ...env },
      // The worker must not inherit the options of this process.
      execArgv: [...SMALL_HEAP],
    });
    this.child.once("exit", () => (this.isLeaving = true));
    this.child.once("error", (error) => onSaid(error.message));
    this.ended = new Promise((resolve) => {
      this.child.once("exit", () => resolve());
      this.child.once("error", () => this.child.pid === undefined && resolve());
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line.trim() !== "") onSaid(line);
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  run(job: EngineJob, { onEngine, onEvents, limitMs, signal }: JobOptions): Promise<EngineResult | Broken> {
    const { child } = this;
    return new Promise((resolve) => {
      let broken: Broken | undefined;
      const end = (result: EngineResult | Broken): void => {
        child.off("message", hear).off("exit", gone).off("error", failed);
        signal?.removeEventListener("abort", canceled);
        for (const timer of [limit, look, last]) clearTimeout(timer);
        resolve(broken ?? result);
      };
      const hear = (message: WorkerMessage): void => {
        if (message.type === "engine") void this.note(message.process, onEngine);
        if (message.type === "events") onEvents?.(message.events);
        if (message.type !== "result") return;
        this.memoryBytes = this.measure() ?? message.memoryBytes;
        end(message.result);
      };
      const gone = (code: number | null, by: string | null): void =>
        end({ broken: "died", reason: `its worker process ended before it was done (${by ?? `exit code ${code}`})` });
      const failed = (error: Error): void => end({ broken: "died", reason: error.message });
      const stop = (why: Broken): void => {
        broken ??= why;
        this.cancel();
        last ??= setTimeout(() => this.kill(), CANCEL_MS);
      };
      const kill = (why: Broken): void => {
        broken = why;
        this.kill();
      };
      const canceled = (): void => {
        if (signal?.reason === KILL) return kill({ broken: "killed", reason: "this process may no longer work on it" });
        this.cancel();
        last ??= setTimeout(() => this.kill(), CANCEL_MS);
      };
      let last: NodeJS.Timeout | undefined;
      const limit = setTimeout(
        () => stop({ broken: "timeout", reason: `it took longer than ${Math.round(limitMs / 1000)} seconds` }),
        limitMs,
      );
      const look = setInterval(() => {
        const bytes = this.measure();
        if (bytes === undefined || bytes <= this.options.memoryBytes) return;
        const mib = (number: number): string => `${Math.round(number / 2 ** 20)} MiB`;
        kill({
          broken: "memory",
          reason: `it took ${mib(bytes)} of memory; ${mib(this.options.memoryBytes)} are allowed`,
        });
      }, LOOK_EVERY_MS);
      child.on("message", hear).on("exit", gone).on("error", failed);
      if (signal?.aborted === true) canceled();
      else signal?.addEventListener("abort", canceled);
      if (!child.connected) return gone(child.exitCode, child.signalCode);
      child.send(job, (error) => error && failed(error));
    });
  }

  private async note(process: EngineProcess, onEngine: JobOptions["onEngine"]): Promise<void> {
    await onEngine?.(process);
    const noted: Noted = { noted: process.pid };
    // If the worker has exited meanwhile, its exit event reports that.
    if (this.child.connected) this.child.send(noted, () => undefined);
  }

  /** Stops the worker when it is idle. */
  leave(): void {
    this.isLeaving = true;
    if (this.child.connected) this.child.disconnect();
    const last = setTimeout(() => this.kill(), END_MS);
    void this.ended.then(() => clearTimeout(last));
  }

  /** Kills the worker with its engine and providers. */
  kill(): void {
    this.isLeaving = true;
    if (this.child.pid !== undefined && this.child.exitCode === null) killTree(this.child.pid);
  }

  private measure(): number | undefined {
    return this.pid === undefined ? undefined : memoryOfTree(this.pid);
  }

  /** Cancels the engine cleanly. The worker stops afterwards. */
  private cancel(): void {
    this.isLeaving = true;
    this.child.kill("SIGINT");
  }
}
