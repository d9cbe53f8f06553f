import { spawn, type ChildProcess } from "node:child_process";
import * as path from "node:path";
import type { Results } from "./results";

/** Prefix of the line with the results of a file; no test prints it. */
export const RESULTS = "\u0000results ";

/** Time for the output that a process wrote before it ended. */
const LAST_OUTPUT_MS = 300;

/** Output and results of a test file of the engine layer; no results if the process ended early. */
interface FileRun {
  readonly printed: string;
  readonly results?: Results;
}

/**
 * A process that runs test files of the engine layer one after the other on its own yard: starting one per file would
 * take longer than most files. After a failure the next file gets a new process and yard, because the failed file may
 * have left stacks and objects behind.
 */
export class EngineWorker {
  #child?: ChildProcess;

  constructor(
    private readonly root: string,
    private readonly yard: string,
  ) {}

  async run(file: string): Promise<FileRun> {
    const run = await this.#run(file);
    if (run.results?.failed !== 0) await this.end();
    return run;
  }

  #run(file: string): Promise<FileRun> {
    const child = (this.#child ??= this.#start());
    return new Promise((resolve) => {
      let printed = "";
      const done = (run: FileRun): void => {
        child.stdout?.off("data", hear);
        child.stderr?.off("data", hear);
        child.off("exit", exited);
        resolve(run);
      };
      const hear = (chunk: Buffer): void => {
        printed += chunk.toString();
        const at = printed.indexOf(RESULTS);
        const end = at < 0 ? -1 : printed.indexOf("\n", at);
        if (end < 0) return;
        const results = JSON.parse(printed.slice(at + RESULTS.length, end)) as Results;
        done({ printed: printed.slice(0, at) + printed.slice(end + 1), results });
      };
      // Not "close": it waits for programs that the tests left behind, and never comes after disconnect().
      const exited = (code: number | null, signal: string | null): void => {
        this.#child = undefined;
        setTimeout(() => {
          done({ printed: `${printed}The tests' process ended before the file did: ${signal ?? `code ${code}`}\n` });
        }, LAST_OUTPUT_MS);
      };
      child.stdout?.on("data", hear);
      child.stderr?.on("data", hear);
      child.on("exit", exited);
      child.send({ file });
    });
  }

  /** Stops the process, which removes its yard. */
  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    await new Promise<void>((resolve) => {
      child.on("exit", () => resolve());
      child.disconnect();
    });
  }

  #start(): ChildProcess {
    return spawn(process.execPath, ["--import", "tsx", path.join("test", "engine", "worker.ts"), this.yard], {
      cwd: this.root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
  }
}
