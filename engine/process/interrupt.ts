/**
 * Handles every interrupt of a command: Ctrl-C, SIGTERM, a closed terminal, or a closed output pipe. Operations in
 * progress are canceled and get a few seconds to end cleanly. A second signal, or the end of this time, kills them. No
 * child process remains in either case.
 */

import { endProcesses } from "./processTree";
import { EXIT, Failure } from "../../foundation/errors";

type Cause = "SIGINT" | "SIGTERM" | "SIGHUP" | "EPIPE";

/**
 * How to stop an operation: `cancel` ends it cleanly, `terminate` does not wait for steps in progress, `kill` ends it
 * at once.
 */
export type Stop = "cancel" | "terminate" | "kill";

/** Work that must end before the process exits. */
interface Work {
  /** What it is changing, such as `the update of stack acme`. Undefined: it only reads. */
  readonly changes?: () => string | undefined;
  stop(how: Stop): void;
}

/** How long a canceled operation may take to end cleanly, and then to terminate. */
const CANCEL_MS = 10_000;
const TERMINATE_MS = 2_000;

const works = new Set<Work>();
/** Number of sections that must run their `finally`, for example to restore a stack file; they end by themselves. */
let guarded = 0;
const listeners = new Set<() => void>();
let cause: Cause | undefined;
let touched: readonly string[] = [];
let say: (text: string) => void = () => undefined;

/** Thrown by code that would start something during an interrupt. */
export class Interrupted extends Failure {
  constructor() {
    super("interrupted");
  }
}

export const isInterrupted = (): boolean => cause !== undefined;

/** Throws during an interrupt. Call it before starting anything that makes changes. */
export function throwIfInterrupted(): void {
  if (cause !== undefined) throw new Interrupted();
}

/** Registers a listener for signals that find nothing to cancel. Returns a function that removes it. */
export function onInterrupt(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Registers work that signals must stop. Returns a function that removes it. */
export function registerWork(work: Work): () => void {
  works.add(work);
  // Work that cleans up after an interrupt must not run forever either: the timers are already running.
  return () => void works.delete(work);
}

/** Runs code that must reach its `finally`: a signal only cancels what it waits for. */
export async function guard<T>(code: () => Promise<T>): Promise<T> {
  guarded += 1;
  try {
    return await code();
  } finally {
    guarded -= 1;
  }
}

/** Handles signals and closed output pipes of this process. `report` prints a line for the user. */
export function watchInterrupts(report: (text: string) => void): void {
  say = report;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt(signal));
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // EIO: the terminal is gone.
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
      if (cause === undefined) interrupt("EPIPE");
    });
  }
}

/** Ends the command because of an external event. A second call ends it at once. */
export function interrupt(why: Cause): void {
  // Every write to a closed pipe fails again, and closing a terminal also sends a signal: these don't count as a second
  // interrupt.
  if (cause !== undefined) return why === "EPIPE" || why === "SIGHUP" ? undefined : leave("kill");
  cause = why;
  touched = [...works].flatMap(({ changes }) => changes?.() ?? []);
  for (const listener of listeners) listener();
  if (works.size === 0 && guarded === 0) return leave("kill");
  const what = touched.length === 0 ? "" : `: cancelling ${touched.join(", ")}`;
  say(`interrupted${what}; a second Ctrl-C stops at once`);
  stopAll("cancel");
  setTimeout(() => stopAll("terminate"), CANCEL_MS).unref();
  setTimeout(() => leave("kill"), CANCEL_MS + TERMINATE_MS).unref();
}

/**
 * Exits after a command that was interrupted but has completed, because open connections would keep the process alive.
 */
export function exitIfInterrupted(): void {
  if (cause !== undefined) leave("cancel");
}

function stopAll(how: Stop): void {
  for (const work of works) work.stop(how);
}

function leave(how: Stop): never {
  const left = works.size > 0;
  stopAll(how);
  if (listeners.size > 0) say("interrupted");
  else if (touched.length === 0) say("interrupted: nothing was being changed");
  else {
    const end = left ? "was stopped in the middle" : "was cancelled";
    say(`interrupted: ${touched.join(", ")} ${end}. Created resources stay; run the same command to continue`);
  }
  endProcesses(process.pid);
  process.exit(EXIT.interrupted);
}
