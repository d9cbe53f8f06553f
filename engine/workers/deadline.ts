import { readFileSync } from "node:fs";
import { uptime as osUptime } from "node:os";

/** Part of a lease in which its engine may run. The rest is for ending it, and for clocks of different speed. */
const USE = 5 / 6;

/** Seconds since the machine was started, with the time in which it was suspended. Nothing sets this clock. */
export function uptime(): number {
  try {
    return Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
  } catch {
    return osUptime();
  }
}

/**
 * When the work under a lease must have ended: before the lease is over, so before another process takes it. It begins
 * with the moment in which the lease was asked for.
 */
export class Deadline {
  private readonly listeners = new Set<() => void>();
  private until: number;

  constructor(
    private readonly leaseMs: number,
    private readonly now: () => number = uptime,
  ) {
    this.until = this.after(now());
  }

  /** In seconds of {@link uptime}. */
  get at(): number {
    return this.until;
  }

  /** Milliseconds until then; negative if it is over. */
  get left(): number {
    return (this.until - this.now()) * 1000;
  }

  /** Returns the current moment, for {@link extend}. */
  get moment(): number {
    return this.now();
  }

  /** The lease was renewed by a request of that moment. */
  extend(asked: number): void {
    this.until = this.after(asked);
    for (const listener of this.listeners) listener();
  }

  /** Returns a function that removes the listener. */
  onExtend(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private after(moment: number): number {
    return moment + (this.leaseMs / 1000) * USE;
  }
}
