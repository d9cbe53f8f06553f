import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { layoutOf } from "../../../toolchain/yard/layout";
import type { Yard } from "../../../toolchain/yard/yard";

/** Starts a program that ends with its yard. It logs to a file of its name. */
export async function startOn(
  { directory }: Yard,
  name: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly child: ChildProcess; readonly log: string }> {
  const log = path.join(directory, "logs", `${name}.log`);
  fs.mkdirSync(path.dirname(log), { recursive: true });
  const output = fs.openSync(log, "w");
  const child = spawn(program, [...args], {
    // A path in the cluster's folder, by which its processes are identified.
    argv0: path.join(layoutOf(directory).cluster, name),
    detached: true,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...env },
  });
  fs.closeSync(output);
  await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  child.unref();
  return { child, log };
}
