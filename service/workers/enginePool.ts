import { EngineWorker, type Broken, type JobOptions, type WorkerOptions } from "./engineWorker";
import type { EngineJob, EngineResult } from "./messages";

export interface PoolOptions extends WorkerOptions {
  /** How many workers. */
  readonly count: number;
  /** Memory after a job, and age, at which a worker is replaced. */
  readonly replaceAtBytes: number;
  readonly maxAgeMs: number;
}

/**
 * Worker processes that stay warm, each with one job at a time: the engine's SDK keeps the running program in globals, and
 * a crash, a leak or a hang of one update must not affect another.
 */
export class EnginePool {
  private readonly idle: EngineWorker[] = [];
  private readonly busy = new Set<EngineWorker>();
  private readonly waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {
    this.warm();
  }

  /** Runs a job as soon as a worker is free. */
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

  /** How many are at work, and how many could be. */
  get load(): { readonly busy: number; readonly count: number } {
    return { busy: this.busy.size, count: this.options.count };
  }

  /** Process ids of all workers, for those who watch them. */
  get pids(): readonly number[] {
    return [...this.busy, ...this.idle].flatMap(({ pid }) => pid ?? []);
  }

  /** Lets the workers go that have nothing to do, and the others when they are done. */
  close(): void {
    this.isClosed = true;
    for (const worker of this.idle.splice(0)) worker.leave();
  }

  /** Ends all workers at once, with their engines. */
  kill(): void {
    this.close();
    for (const worker of this.busy) worker.kill();
  }

  private isFit(worker: EngineWorker): boolean {
    const { replaceAtBytes, maxAgeMs } = this.options;
    const isOld = worker.memoryBytes > replaceAtBytes || Date.now() - worker.since > maxAgeMs;
    return !this.isClosed && !worker.isLeaving && !isOld;
  }

  private take(): EngineWorker {
    for (let worker = this.idle.pop(); worker !== undefined; worker = this.idle.pop()) {
      if (!worker.isLeaving) return worker;
    }
    return new EngineWorker(this.options);
  }

  /** Starts workers before they are needed. */
  private warm(): void {
    for (const [at, worker] of [...this.idle.entries()].reverse()) if (worker.isLeaving) this.idle.splice(at, 1);
    while (!this.isClosed && this.idle.length + this.busy.size < this.options.count) {
      this.idle.unshift(new EngineWorker(this.options));
    }
  }
}
