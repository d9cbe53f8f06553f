import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Yard } from "../../../toolchain/yard/yard";
import type { World } from "./world";

const run = promisify(execFile);

/** Runs Pulumi for the program in a world's folder, on a stack that is called like its namespace; what is temporary is in `tmp/` there. */
export async function pulumiIn(yard: Yard, world: World, args: readonly string[]): Promise<string> {
  const tmp = path.join(world.folder, "tmp");
  mkdirSync(tmp, { recursive: true });
  const env = {
    ...yard.env,
    XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"],
    KUBECONFIG_FILE: yard.kubeconfig,
    TMPDIR: tmp,
  };
  try {
    const flags = ["--non-interactive", "--color=never", "--stack", world.namespace];
    return (await run("pulumi", [...args, ...flags], { cwd: world.folder, env })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(stdout + stderr, { cause: error });
  }
}
