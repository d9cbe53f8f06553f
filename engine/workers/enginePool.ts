import { EngineWorker, type Broken, type JobOptions, type WorkerOptions } from "./engineWorker";
import type { EngineJob, EngineResult } from "./messages";

export interface PoolOptions extends WorkerOptions {
  /** Number of workers. */
  readonly count: number;
  /** Memory after a job, and age, at which a worker is replaced. Default: never. */
  readonly replaceAtBytes?: number;
  readonly maxAgeMs?: number;
}

/**
 * A pool of warm worker processes that run one job at a time. Pulumi's SDK keeps the running program in globals, and a
 * crash, leak or hang of one update must not affect another.
 */
export class EnginePool {
  private readonly idle: EngineWorker[] = [];
  private readonly busy = new Set<EngineWorker>();
  private readonly waiting: (() => void)[] = [];
  /** Workers whose processes have not ended. */
  private readonly started = new Set<EngineWorker>();
  private isClosed = false;

  private readonly options: PoolOptions;

  constructor(options: PoolOptions) {
    const warned = new Set<string>();
    // Each worker has the same backend, and so the same warning about it.
    const onSaid = (line: string): void => {
      if (warned.has(line)) return;
      if (line.startsWith("warning: ")) warned.add(line);
      options.onSaid(line);
    };
    this.options = { ...options, onSaid };
    this.warm();
  }

  /** Runs a job on the next free worker. */
  async run(job: EngineJob, options: JobOptions): Promise<EngineResult | Broken> {
    while (this.busy.size >= this.options.count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    const worker = this.take();
    this.busy.add(worker);
    try {
      return await worker.run(job, options);
    } finally {
      this.busy.delete(worker);
      if (this.isFit(worker)) this.idle.push(worker);
      else worker.leave();
      this.warm();
      this.waiting.shift()?.();
    }
  }

  /** Number of busy workers and of all workers. */
  get load(): { readonly busy: number; readonly count: number } {
    return { busy: this.busy.size, count: this.options.count };
  }

  /** Process ids of all workers, for monitoring. */
  get pids(): readonly number[] {
    return [...this.busy, ...this.idle].flatMap(({ pid }) => pid ?? []);
  }

  /** Stops idle workers, and busy ones when their job ends. A later job gets a worker of its own. */
  close(): void {
    this.isClosed = true;
    for (const worker of this.idle.splice(0)) worker.leave();
  }

  /** Kills what still runs. Resolves when all workers have ended. */
  async end(): Promise<void> {
    this.close();
    for (const worker of this.busy) worker.kill();
    await Promise.all([...this.started].map((worker) => worker.ended));
  }

  private isFit(worker: EngineWorker): boolean {
    const { replaceAtBytes = Infinity, maxAgeMs = Infinity } = this.options;
    const isOld = worker.memoryBytes > replaceAtBytes || Date.now() - worker.since > maxAgeMs;
    return !this.isClosed && !worker.isLeaving && !isOld;
  }

  private take(): EngineWorker {
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (!worker.isLeaving) return worker;
    }
    return this.start();
  }

  private start(): EngineWorker {
    const worker = new EngineWorker(this.options);
    this.started.add(worker);
    void worker.ended.then(() => this.started.delete(worker));
    return worker;
  }

  /** Starts workers ahead of demand. */
  private warm(): void {
    for (const [at, worker] of [...this.idle.entries()].reverse()) if (worker.isLeaving) this.idle.splice(at, 1);
    while (!this.isClosed && this.idle.length + this.busy.size < this.options.count) {
      this.idle.unshift(this.start());
    }
  }
}
