import { fork, type ChildProcess } from "node:child_process";
import type { EngineRecord } from "../../foundation/process/engines";
import { fateOf, identify, type ProcessIdentity } from "../../foundation/process/identity";
import { memoryOfTree } from "../process/processMemory";
import { killSession, killTree } from "../process/processTree";
import type { Deadline } from "./deadline";
import type { EngineJob, EngineResult, Extended, JobEvent, Noted, WorkerMessage } from "./messages";
import { Watchdog, type Watch } from "./watchdog";

export interface WorkerOptions {
  /** A program that calls `serve` of worker.ts, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  /** Memory limit of a worker with its engine and providers, whose heaps are kept small then. Default: none. */
  readonly memoryBytes?: number;
  /** Called for each line that a worker writes to standard error. */
  readonly onSaid: (line: string) => void;
}

export interface JobOptions {
  /** Called for each engine. A warm engine starts its command only after the promise resolves. Must not fail. */
  readonly onEngine?: (engine: EngineRecord) => Promise<void>;
  readonly onEvents?: (events: readonly JobEvent[]) => void;
  /** Time limit of the job. Default: none. */
  readonly limitMs?: number;
  /** When the job must have ended, also if this process is stopped. Default: only the time limit. */
  readonly deadline?: Deadline;
  /** Cancels the job, which then ends cleanly. With the reason `kill` it ends at once. */
  readonly signal?: AbortSignal;
}

/** How a job ended without a result. Its progress is unknown. */
export type Broken = { readonly broken: "died" | "timeout" | "memory" | "killed"; readonly reason: string };

/** Abort reason that ends a job at once. */
export const KILL = "kill";

/** A canceled engine may need ten seconds to end cleanly; see process/interrupt.ts. */
const CANCEL_MS = 20_000;
const LOOK_EVERY_MS = 2_000;
/** How long an idle worker may take to end. */
const END_MS = 5_000;

/*
 * Node.js and Go collect garbage late while the machine has free memory, and every worker has one Node.js process and
 * two Go processes. These settings keep the heaps small. A worker that lives for a few updates only pays for it with
 * a tenth of its CPU; see bench/README.md for those of a service.
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
  private readonly identity: ProcessIdentity | undefined;
  private readonly watchdog: Watchdog;
  /** Engines of the current job. They don't end with a killed worker. */
  private readonly engines: ProcessIdentity[] = [];

  constructor(private readonly options: WorkerOptions) {
    const { command, env, memoryBytes, onSaid } = options;
    const [program, ...args] = command;
    const isSmall = memoryBytes !== undefined;
    // A separate process group: Ctrl-C in a terminal reaches the worker only once, through this process.
    this.child = fork(program, args, {
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { ...(isSmall && SMALL_GO_HEAPS), ...env },
      // The worker must not inherit the options of this process.
      execArgv: isSmall ? [...SMALL_HEAP] : [],
    });
    this.identity = this.child.pid === undefined ? undefined : identify(this.child.pid);
    this.watchdog = new Watchdog(onSaid);
    this.child.once("exit", () => {
      this.isLeaving = true;
      this.killEngines();
      this.watchdog.close();
    });
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

  run(job: EngineJob, { onEngine, onEvents, limitMs, deadline, signal }: JobOptions): Promise<EngineResult | Broken> {
    const { child } = this;
    return new Promise((resolve) => {
      let broken: Broken | undefined;
      const end = (result: EngineResult | Broken): void => {
        child.off("message", hear).off("exit", gone).off("error", failed);
        signal?.removeEventListener("abort", canceled);
        for (const timer of [limit, look, last]) clearTimeout(timer);
        watch?.end();
        ignore?.();
        this.engines.length = 0;
        resolve(broken ?? result);
      };
      const hear = (message: WorkerMessage): void => {
        if (message.type === "engine") void this.note(message.engine, onEngine, watch);
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
      const watch = deadline && this.watch(deadline);
      const extend = (): void => this.extend(deadline);
      const ignore = deadline?.onExtend(extend);
      const late = (ms: number): void =>
        stop({ broken: "timeout", reason: `it took longer than ${Math.round(ms / 1000)} seconds` });
      const limit = limitMs === undefined ? undefined : setTimeout(late, limitMs, limitMs);
      const look = setInterval(() => {
        const bytes = this.measure() ?? 0;
        const { memoryBytes = Infinity } = this.options;
        const mib = (number: number): string => `${Math.round(number / 2 ** 20)} MiB`;
        if (bytes <= memoryBytes) return;
        kill({ broken: "memory", reason: `it took ${mib(bytes)} of memory; ${mib(memoryBytes)} are allowed` });
      }, LOOK_EVERY_MS);
      child.on("message", hear).on("exit", gone).on("error", failed);
      if (signal?.aborted === true) canceled();
      else signal?.addEventListener("abort", canceled);
      if (!child.connected) return gone(child.exitCode, child.signalCode);
      extend();
      child.send(job, (error) => error && failed(error));
    });
  }

  private watch(deadline: Deadline): Watch | undefined {
    if (process.platform !== "linux" || this.identity === undefined) return undefined;
    return this.watchdog.begin(deadline, this.identity);
  }

  /** The worker ends itself at the deadline, where it has no watchdog. */
  private extend(deadline: Deadline | undefined): void {
    if (deadline === undefined || !this.child.connected) return;
    const extended: Extended = { until: deadline.at };
    this.child.send(extended, () => undefined);
  }

  private async note(engine: EngineRecord, onEngine: JobOptions["onEngine"], watch: Watch | undefined): Promise<void> {
    if (engine.identity !== undefined) {
      this.engines.push(engine.identity);
      watch?.add(engine.identity);
    }
    await onEngine?.(engine);
    const noted: Noted = { noted: engine.pid };
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
    this.killEngines();
  }

  private killEngines(): void {
    for (const engine of this.engines.splice(0)) {
      if (fateOf(engine) !== "running") continue;
      killTree(engine.pid);
      killSession(engine.pid);
    }
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
