/** Starts worker processes, lets them go all at once, and collects what they say. */

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

const ENTRY = path.join(__dirname, "workerEntry.js");

export interface Answer {
  readonly host?: string;
  readonly error?: string;
}

export class Worker {
  readonly deployment: string;
  readonly #child: ChildProcess;
  readonly #ready: Promise<void>;
  readonly #exit: Promise<void>;
  #answer: Answer | undefined;

  constructor(url: string, pool: string, deployment: string, slots: number) {
    this.deployment = deployment;
    const child = spawn(process.execPath, [ENTRY, url, pool, deployment, String(slots)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child = child;
    this.#exit = new Promise((resolve) => child.once("close", () => resolve()));
    this.#ready = new Promise((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line === "ready") resolve();
        else this.#answer = JSON.parse(line) as Answer;
      });
    });
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  go(): void {
    this.#child.stdin?.end("go\n");
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** What it said before it ended; undefined when it was killed first. */
  async answer(): Promise<Answer | undefined> {
    await this.#exit;
    return this.#answer;
  }
}

/** Worker processes that are up and wait for {@link Worker.go}. */
export async function startWorkers(url: string, pool: string, count: number): Promise<Worker[]> {
  const workers: Worker[] = [];
  // A few at a time: they would only slow each other down, and it is the race afterwards that matters.
  for (let start = 0; start < count; start += 8) {
    const some = Array.from({ length: Math.min(8, count - start) }, (_, i) => {
      return new Worker(url, pool, `deployment-${start + i}`, 1);
    });
    workers.push(...some);
    await Promise.all(some.map((worker) => worker.ready()));
  }
  return workers;
}
