import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { dump } from "js-yaml";
import { buildPackage } from "../../../toolchain/release/package";
import { projectRoot } from "../../../toolchain/root";
import type { Yard } from "../../../toolchain/yard/yard";
import type { World } from "./world";

const run = promisify(execFile);

/** Writes a Pulumi project with the npm package, as another team has it after an installation. */
export async function newProject(folder: string, name: string): Promise<void> {
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "stackyard"), { recursive: true });
  await buildPackage(projectRoot(), path.join(modules, "stackyard"));
  for (const each of ["@pulumi", "google-protobuf"]) {
    symlinkSync(path.join(projectRoot(), "node_modules", each), path.join(modules, each));
  }
  const providers = [{ name: "stackyard", path: "./node_modules/stackyard/provider" }];
  const project = { name, runtime: "nodejs", main: "index.js", plugins: { providers } };
  writeFileSync(path.join(folder, "Pulumi.yaml"), dump(project));
}

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
