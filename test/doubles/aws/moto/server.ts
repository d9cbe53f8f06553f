import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { pythonEnvironment } from "../../../../toolchain/python/environment";

const root = path.join(__dirname, "../../../..");

export interface MotoServer {
  /** Value of `STACKYARD_AWS_MOTO`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts moto with an empty account, or returns why it can't run on this machine. */
export async function startMoto(): Promise<MotoServer | { readonly missing: string }> {
  const environment = await pythonEnvironment("moto", root);
  if ("missing" in environment) return environment;
  const child = spawn(environment.python, [path.join(__dirname, "server.py")], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, "line"), ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`moto ended with ${child.exitCode} before it printed its port`);
  return {
    address: `http://127.0.0.1:${String(first[0])}`,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
