import { spawn } from "node:child_process";
import { EngineRun } from "../../foundation/process/engines";

interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program with visible output and no input. Returns its exit code; a program that was ended by a signal counts
 * as failed. The program receives interrupts too, and this waits until it has cleaned up.
 */
export function run(program: string, args: readonly string[], { cwd, env }: RunOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const engine = program === "pulumi" && child.pid !== undefined ? EngineRun.begin(child.pid) : undefined;
    const wait = (): void => undefined;
    process.on("SIGINT", wait);
    const terminate = (): void => void child.kill("SIGTERM");
    process.on("SIGTERM", terminate);
    child.on("error", (cause) => reject(new Error(`${program} could not be started`, { cause })));
    child.on("close", (code) => {
      process.off("SIGINT", wait);
      process.off("SIGTERM", terminate);
      engine?.end(code === 0);
      resolve(code ?? 1);
    });
  });
}
