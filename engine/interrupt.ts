/**
 * Handles every interrupt of a command: Ctrl-C, SIGTERM, a closed terminal, a reader of
 * its output that went away. What is in progress is canceled and may end cleanly for a few seconds; a second signal,
 * or the end of those seconds, ends it at once. Either way no process of ours remains.
 */

import { endProcesses } from "./pulumi/processTree";
import { EXIT, Failure } from "../foundation/errors";

export type Cause = "SIGINT" | "SIGTERM" | "SIGHUP" | "EPIPE";

/** How a work is asked to end: first politely, then without waiting for what it began, then at once. */
export type Stop = "cancel" | "terminate" | "kill";

/** Work that must be ended before the process exits. */
export interface Work {
  /** What it is changing now, such as `the update of stack acme`. None: it only reads. */
  readonly changes?: () => string | undefined;
  stop(how: Stop): void;
}

/** How long what is in progress may take to end cleanly, and then to stop. */
const CANCEL_MS = 10_000;
const TERMINATE_MS = 2_000;

const works = new Set<Work>();
/** Pieces of code that put things back when they are left, such as a stack file; they end by themselves. */
let guarded = 0;
const listeners = new Set<() => void>();
let cause: Cause | undefined;
let touched: readonly string[] = [];
let say: (text: string) => void = () => undefined;

/** Thrown if something would be started during an interrupt. */
export class Interrupted extends Failure {
  constructor() {
    super("interrupted");
  }
}

export const isInterrupted = (): boolean => cause !== undefined;

/** Throws if the command is to end; to be called before anything is started that changes something. */
export function goOn(): void {
  if (cause !== undefined) throw new Interrupted();
}

/** Has something reported when a signal comes that finds nothing to cancel. To be taken back with what it gives. */
export function onInterrupt(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Has a work stopped by signals until the function given back is called. */
export function underWay(work: Work): () => void {
  works.add(work);
  // Started for cleaning up after an interrupt, which must not be forever either: the timers run already.
  return () => void works.delete(work);
}

/** Runs code that must come to its `finally`: a signal only cancels what it waits for. */
export async function guard<T>(code: () => Promise<T>): Promise<T> {
  guarded += 1;
  try {
    return await code();
  } finally {
    guarded -= 1;
  }
}

/** From now on signals and lost readers end this process our way. `tell` prints a line for the user. */
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

/** Ends the command for a reason from outside. The second time at once. */
export function interrupt(why: Cause): void {
  // A lost reader is noticed at each write, and a closed terminal also sends a signal.
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

/** The last thing of a command that was interrupted and was completed: open connections must not keep it alive. */
export function leaveIfInterrupted(): void {
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
