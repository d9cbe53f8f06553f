/** Runs the steps of a run, until one fails, somebody interrupts, or its time is over. */

import { Failure, messageOf } from "../../foundation/errors";
import { cleanUp } from "./cleanUp";
import type { AccountStep, AccountTest } from "./step";

const MINUTE_MS = 60_000;

export type RunResult = "done" | "failed" | "interrupted";

/** `all`: the steps in their order; the options name which of them run. */
export async function runSteps(test: AccountTest, all: readonly AccountStep[]): Promise<RunResult> {
  const { options, record, say } = test;
  const wanted = all.filter(({ name }) => options.steps.includes(name));
  const before = all.slice(0, all.indexOf(wanted[0]!)).find(({ name }) => record.step(name)?.state !== "done");
  if (before)
    throw new Failure(`${wanted[0]!.name} needs ${before.name}, which has not run in ${record.folder}; run it first`);
  const stop = new Stop(test, options.limitMinutes);
  try {
    for (const [index, step] of wanted.entries()) {
      const done = record.step(step.name);
      if (done?.state === "done" && !options.isChosen) {
        say(`✓ ${step.name}: done before, in ${duration(done.seconds)}`);
        continue;
      }
      say(`▶ ${step.name} (${index + 1} of ${wanted.length}, about ${step.minutes} min): ${step.does}`);
      await one(test, step, stop);
    }
    return "done";
  } catch (error) {
    say(messageOf(error));
    return await ended(test, stop);
  } finally {
    stop.end();
  }
}

async function one(test: AccountTest, step: AccountStep, stop: Stop): Promise<void> {
  const { record, say } = test;
  const started = Date.now();
  const seconds = (): number => Math.round((Date.now() - started) / 1000);
  record.mark(step.name, "running", 0);
  try {
    await Promise.race([step.run(test), stop.happens]);
    record.mark(step.name, "done", seconds());
    say(`✓ ${step.name} in ${duration(seconds())}`);
  } catch (error) {
    record.mark(step.name, "failed", seconds());
    say(`✗ ${step.name} after ${duration(seconds())}`);
    throw stop.reason === undefined ? error : new Failure(stop.reason);
  }
}

/** What passes its time is deleted. After a failure or an interruption, everything stays for the next command. */
async function ended(test: AccountTest, stop: Stop): Promise<RunResult> {
  if (!stop.isLate) return stop.reason === undefined ? "failed" : "interrupted";
  stop.end();
  test.commands.goOn();
  await runCleanUp(test);
  return "failed";
}

/** Deletes what the run has created; has no limit of time. */
export async function runCleanUp(test: AccountTest): Promise<RunResult> {
  const stop = new Stop(test, Infinity);
  test.say("▶ clean-up");
  try {
    await Promise.race([cleanUp(test), stop.happens]);
    test.say("✓ clean-up");
    return "done";
  } catch (error) {
    test.say(`✗ clean-up: ${messageOf(error)}`);
    return stop.reason === undefined ? "failed" : "interrupted";
  } finally {
    stop.end();
  }
}

/** An interruption from outside, or the end of the time. */
class Stop {
  reason: string | undefined;
  isLate = false;
  /** Rejects when the command that was running has ended. */
  readonly happens: Promise<never>;
  end: () => void = () => undefined;

  constructor({ commands, say }: AccountTest, limitMinutes: number) {
    this.happens = new Promise((_, reject) => {
      const stop = (reason: string): void => {
        if (this.reason !== undefined) return;
        this.reason = reason;
        say(`${reason}; waiting for the running command`);
        void commands.stop().then(() => reject(new Failure(reason)));
      };
      const interrupt = (signal: string): void => stop(`interrupted by ${signal}`);
      const late = (): void => {
        this.isLate = this.reason === undefined;
        stop(`the limit of ${limitMinutes} minutes is over`);
      };
      const timer = limitMinutes === Infinity ? undefined : setTimeout(late, limitMinutes * MINUTE_MS);
      process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
      this.end = () => {
        clearTimeout(timer);
        process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      };
    });
    this.happens.catch(() => undefined);
  }
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
