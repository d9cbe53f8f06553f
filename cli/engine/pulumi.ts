import { spawn, type ChildProcess } from "node:child_process";
import { Failure } from "../errors";

/** What one run of the CLI left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * One run of the Pulumi CLI. It gets a process group of its own, so that Ctrl-C reaches it once, through us:
 * the first makes the engine cancel and end cleanly, the second makes it stop at once.
 */
export class PulumiProcess {
  readonly finished: Promise<Finished>;
  private readonly child: ChildProcess;

  constructor(args: readonly string[], folder: string, env: NodeJS.ProcessEnv = {}) {
    this.child = spawn("pulumi", [...args, "--non-interactive", "--color=never"], {
      cwd: folder,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", PULUMI_DEBUG_COMMANDS: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const forward = (signal: NodeJS.Signals) => this.child.kill(signal === "SIGHUP" ? "SIGINT" : signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    this.finished = this.wait().finally(() => {
      for (const signal of FORWARDED) process.off(signal, forward);
    });
  }

  private wait(): Promise<Finished> {
    let stdout = "";
    let stderr = "";
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      this.child.once("error", (error: NodeJS.ErrnoException) => {
        reject(error.code === "ENOENT" ? new Failure(NOT_FOUND) : error);
      });
      this.child.once("close", (code, signal) => {
        resolve({ code: code ?? 1, stdout, stderr: signal ? `${stderr}\npulumi was ended by ${signal}` : stderr });
      });
    });
  }
}

export const NOT_FOUND =
  'pulumi was not found on PATH; run "make up", then ". .yard/env" in the project folder, or install the Pulumi CLI';

/** Runs the CLI to its end; throws with what it said when it fails. */
export async function pulumi(args: readonly string[], folder: string): Promise<string> {
  const { code, stdout, stderr } = await new PulumiProcess(args, folder).finished;
  if (code !== 0) throw new Failure(stderr.replace(/^error: /gm, "").trim() || `pulumi ${args.join(" ")} failed`);
  return stdout;
}
