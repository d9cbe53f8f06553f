import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Yard } from "../../../toolchain/yard";
import type { World } from "./world";

const run = promisify(execFile);

/** Runs Pulumi for the program in a world's folder, on a stack that is called like its namespace. */
export async function pulumiIn(yard: Yard, world: World, args: readonly string[]): Promise<string> {
  const env = { ...yard.env, XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"], KUBECONFIG_FILE: yard.kubeconfig };
  try {
    const flags = ["--non-interactive", "--color=never", "--stack", world.namespace];
    return (await run("pulumi", [...args, ...flags], { cwd: world.folder, env })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr, { cause: error });
  }
}
