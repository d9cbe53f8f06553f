import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import * as path from "node:path";
import type { Workspace } from "../../foundation/pulumi/backend";
import { EngineRun } from "../../foundation/process/engines";
import { engineEnv, fence } from "../backend/fence";
import { registerWork, type Stop } from "../process/interrupt";
import { memoryOf } from "../process/processMemory";
import { killSession, killTree } from "../process/processTree";
import { announce, changesOf, ENGINE_ENV, endedBy, type Finished } from "./pulumi";

const PROGRAM = "pulumi-engine";

/*
 * The process keeps about 1 MiB per run, such as open connections, and starts with 32 MiB. It is replaced after this
 * number of runs or above this memory.
 */
const MOST_RUNS = 500;
const MOST_BYTES = 80 * 2 ** 20;

/**
 * Finds the engine program next to the Pulumi CLI, built from the same sources. Official installations don't have it.
 */
export function findEngine({ PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  if (process.platform === "win32") return undefined;
  const folder = PATH.split(path.delimiter).find((each) => each !== "" && existsSync(path.join(each, "pulumi")));
  const file = folder === undefined ? undefined : path.join(folder, PROGRAM);
  return file !== undefined && existsSync(file) ? file : undefined;
}

/** Backends that one process may use for several runs: those without sessions in the engine. */
export const keepsOpen = ({ backend = "" }: Pick<Workspace, "backend">): boolean =>
  backend.startsWith("file://") || backend.startsWith("postgres://");

/**
 * A process that keeps the engine loaded and runs one CLI command after the other. Like the CLI, it has its own
 * session. It stops after the first failed run, so that no run affects a later one.
 */
export class WarmEngine {
  private readonly child: ChildProcess;
  /** Its connections to a state database stay open from one run to the next, with the same name. */
  private readonly id = randomUUID();
  private runs = 0;
  private current: EngineRun | undefined;
  private isDone = false;
  private stdout = "";
  private stderr = "";
  private heard: () => void = () => undefined;
  private readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;

  constructor(
    program: string,
    private readonly mostBytes = MOST_BYTES,
  ) {
    this.child = spawn(program, [], {
      env: { ...process.env, ...ENGINE_ENV, PULUMI_DEBUG_COMMANDS: "true" },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.heard();
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.heard();
    });
    // The process has ended; its exit event reports why.
    this.child.stdin?.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      this.child.once("error", (error) => {
        this.stderr += error.message;
        resolve({ code: 1, signal: null });
      });
      this.child.once("exit", (_code, signal) => {
        this.isDone = true;
        if (signal !== null && this.child.pid !== undefined) killSession(this.child.pid);
      });
      this.child.once("close", (code, signal) => resolve({ code, signal }));
    });
    this.hold(false);
  }

  /** `ready` for another command, `worn` if it must be replaced although nothing failed, or `ended`. */
  status(): "ready" | "worn" | "ended" {
    if (this.isDone) return "ended";
    const bytes = this.child.pid === undefined ? undefined : memoryOf(this.child.pid);
    return this.runs >= MOST_RUNS || (bytes ?? 0) > this.mostBytes ? "worn" : "ready";
  }

  /** Runs one command with additional environment variables. One command at a time. */
  async run(
    args: readonly string[],
    workspace: Workspace,
    variables: Readonly<Record<string, string>>,
  ): Promise<Finished> {
    const { child } = this;
    const change = changesOf(args);
    if (change !== undefined) void fence(workspace);
    const done = registerWork({ changes: () => change, stop: (how) => this.stop(how) });
    this.runs += 1;
    this.stdout = this.stderr = "";
    this.hold(true);
    try {
      // It locks the stack at once, so the announcement is awaited unless the process ends first.
      if (child.pid !== undefined) {
        this.current = EngineRun.begin(child.pid);
        await Promise.race([announce(this.current.record), this.ended]);
      }
      const end = `\u001e${randomUUID()}`;
      const answered = new Promise<Finished>((resolve) => {
        this.heard = () => {
          const [out, code] = this.stdout.split(end, 2);
          const [err, rest] = this.stderr.split(end, 2);
          if (code?.endsWith("\n") !== true || rest === undefined) return;
          resolve({ code: Number(code), stdout: out ?? "", stderr: err ?? "" });
        };
      });
      const { folder } = workspace;
      const env = { ...engineEnv(workspace, this.id), ...variables };
      const request = { args: [...args, "--non-interactive", "--color=never"], folder, env, end };
      child.stdin?.write(`${JSON.stringify(request)}\n`);
      const finished = await Promise.race([
        answered,
        this.ended.then(({ code, signal }): Finished => ({
          code: code ?? 1,
          stdout: this.stdout,
          stderr: signal ? `${this.stderr}\n${endedBy(signal, change)}` : this.stderr,
          ...(signal && { signal }),
        })),
      ]);
      // Any output on standard error, such as a lock that could not be removed, counts as a failure.
      const isClean = finished.code === 0 && finished.stderr === "";
      if (!isClean) this.isDone = true;
      this.current?.end(isClean);
      return finished;
    } finally {
      this.hold(false);
      done();
    }
  }

  /** The engine works now, so it has locked its stack. */
  locked(): void {
    this.current?.locked();
  }

  /** Stops the process when it is idle. */
  close(): void {
    this.isDone = true;
    this.child.stdin?.end();
  }

  private stop(how: Stop): void {
    this.isDone = true;
    if (how !== "kill") this.child.kill("SIGINT");
    else if (this.child.pid !== undefined) killTree(this.child.pid);
  }

  /** This process stays alive for a running command; an idle engine ends with this process. */
  private hold(isAtWork: boolean): void {
    const streams = [this.child.stdin, this.child.stdout, this.child.stderr] as unknown as {
      ref(): void;
      unref(): void;
    }[];
    for (const each of [this.child, ...streams]) {
      if (isAtWork) each.ref();
      else each.unref();
    }
  }
}
