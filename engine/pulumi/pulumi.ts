import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { Failure } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { EngineRun, type EngineRecord } from "../../foundation/process/engines";
import { engineEnv, fence } from "../backend/fence";
import { crashOf, passphraseFault } from "./diagnostics";
import { unwritableFault } from "../../foundation/unwritable";
import { parseLocks } from "./engineLock";
import { registerWork, type Stop } from "../process/interrupt";
import { killSession, killTree } from "../process/processTree";
import { repairAfter } from "./state/repair";
import { reportRepair } from "./state/damage";

/** Result of one run of the CLI. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The signal that ended it, if any. */
  readonly signal?: NodeJS.Signals;
}

interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Print the output directly. Default: capture it in {@link Finished}. */
  readonly visible?: boolean;
  /** Standard input. Default: empty. */
  readonly input?: string;
}

/** Commands that make changes, as nouns. */
const CHANGES: Readonly<Record<string, string>> = {
  up: "the update",
  destroy: "the destruction",
  refresh: "the refresh",
  import: "the import",
};

/** Returns a description such as `the update of stack acme`; undefined for commands without changes. */
export function changesOf(args: readonly string[]): string | undefined {
  const noun = CHANGES[args[0] ?? ""];
  return noun && `${noun} of stack ${args[args.indexOf("--stack") + 1] ?? ""}`;
}

/** Commands that start providers. */
const WITH_PROVIDERS = new Set(["preview", ...Object.keys(CHANGES)]);

/**
 * Creates a folder for temporary files of one run: the Kubernetes provider leaves a kubeconfig with credentials there
 * for each Helm release. Undefined for runs without providers.
 */
const temporaryFolder = ([verb = ""]: readonly string[]): string | undefined =>
  WITH_PROVIDERS.has(verb) ? mkdtempSync(path.join(tmpdir(), "stackyard-run-")) : undefined;

/** Called with each run of an engine before it locks a stack, and awaited. Must not fail. */
type StartListener = (run: EngineRecord) => Promise<void>;

const starts = new Set<StartListener>();

/** Registers a listener for all runs of engines that begin from now on. */
export function onStart(listener: StartListener): void {
  starts.add(listener);
}

/** Announces that an engine is about to run a command, and waits for all listeners. */
export async function announce(run: EngineRecord): Promise<void> {
  await Promise.all([...starts].map((listener) => listener(run)));
}

/** For every engine. The legacy layout without projects is not used, and checking for it would list all stacks. */
export const ENGINE_ENV = { PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DIY_BACKEND_NO_LEGACY_WARNING: "true" };

/**
 * One run of the Pulumi CLI. It has its own session, so that Ctrl-C and the end of the terminal reach it only through
 * this process: see engine/process/interrupt.ts. When it is killed, its plugins are killed too, because they would not exit.
 */
export class PulumiProcess {
  readonly finished: Promise<Finished>;
  private readonly child: ChildProcess;
  private readonly run: EngineRun | undefined;

  constructor(
    args: readonly string[],
    workspace: Workspace,
    { env = {}, visible = false, input }: ProcessOptions = {},
  ) {
    const quiet = visible ? [] : ["--color=never"];
    const temporary = temporaryFolder(args);
    const change = changesOf(args);
    if (change !== undefined) void fence(workspace);
    this.child = spawn("pulumi", [...args, "--non-interactive", ...quiet], {
      cwd: workspace.folder,
      env: {
        ...process.env,
        ...engineEnv(workspace),
        ...ENGINE_ENV,
        ...(!visible && { PULUMI_DEBUG_COMMANDS: "true" }),
        ...(temporary !== undefined && { TMPDIR: temporary }),
        ...env,
      },
      stdio: visible
        ? ["ignore", process.stderr, "inherit"]
        : [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    this.child.stdin?.end(input);
    this.run = this.child.pid === undefined ? undefined : EngineRun.begin(this.child.pid);
    // Not awaited: the CLI needs a tenth of a second to start before it locks anything.
    if (this.run !== undefined) void announce(this.run.record);
    const done = registerWork({ changes: () => change, stop: (how) => this.stop(how) });
    this.finished = this.wait(change).finally(() => {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
      done();
    });
  }

  /** The engine works now, so it has locked its stack. */
  locked(): void {
    this.run?.locked();
  }

  /** The engine cancels on its first SIGINT, and stops waiting on its second. */
  private stop(how: Stop): void {
    if (how !== "kill") this.child.kill("SIGINT");
    else if (this.child.pid !== undefined) killTree(this.child.pid);
  }

  private wait(change: string | undefined): Promise<Finished> {
    let stdout = "";
    let stderr = "";
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      this.child.once("error", (error: NodeJS.ErrnoException) => {
        reject(error.code === "ENOENT" ? new Failure(NOT_FOUND) : error);
      });
      this.child.once("exit", (_code, signal) => {
        if (signal !== null && this.child.pid !== undefined) killSession(this.child.pid);
      });
      this.child.once("close", (code, signal) => {
        this.run?.end(code === 0);
        resolve({
          code: code ?? 1,
          stdout,
          stderr: signal ? `${stderr}\n${endedBy(signal, change)}` : stderr,
          ...(signal && { signal }),
        });
      });
    });
  }
}

export function endedBy(signal: NodeJS.Signals, change = "its work"): string {
  const why = signal === "SIGKILL" ? "; unless it was killed by hand, the machine may be short of memory" : "";
  return (
    `the engine (pulumi) was ended by ${signal} in the middle of ${change}${why}. ` +
    "Run the command again: it continues from the created resources"
  );
}

const NOT_FOUND =
  'pulumi was not found on PATH; run "make up", then ". .yard/env" in the project folder, or install the Pulumi CLI';

/** The errors of an update, which the CLI prints to standard output, each once. */
const errorsIn = (stdout: string): string[] => [
  ...new Set([...stdout.matchAll(/(?:^|\s)error: (.+)$/gm)].flatMap(([, text]) => text ?? [])),
];

/** Runs the CLI and returns its output. Throws with its error output if it fails. */
export async function pulumi(args: readonly string[], workspace: Workspace, input?: string): Promise<string> {
  const run = () => new PulumiProcess(args, workspace, { input }).finished;
  let finished = await run();
  const repaired = finished.code === 0 ? [] : await repairAfter(finished.stderr, workspace);
  repaired.forEach(reportRepair);
  if (repaired.length > 0) finished = await run();
  const { code, stdout, stderr, signal } = finished;
  if (code === 0) return stdout;
  const kind = signal !== undefined ? "ended" : parseLocks(stderr) ? "locked" : undefined;
  throw new Failure(
    crashOf(stderr) ??
      passphraseFault(stderr) ??
      unwritableFault(stderr) ??
      (stderr.replace(/^error: /gm, "").trim() ||
        [`pulumi ${args.join(" ")} failed`, ...errorsIn(stdout)].join("\n  ")),
    kind,
  );
}
