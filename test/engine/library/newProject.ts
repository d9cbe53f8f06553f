import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";
import { buildPackage } from "../../../toolchain/release/package";
import { projectRoot } from "../../../toolchain/root";

/** Writes a Pulumi project with the npm package, as another team has it after an installation. */
export async function newProject(
  folder: string,
  name: string,
  build = (own: string): Promise<void> => buildPackage(projectRoot(), own),
): Promise<void> {
  await install(folder, build);
  const providers = [{ name: "stackyard", path: "./node_modules/stackyard/provider" }];
  const project = { name, runtime: "nodejs", main: "index.js", plugins: { providers } };
  writeFileSync(path.join(folder, "Pulumi.yaml"), dump(project));
}

/** Puts the npm package into a project, and links what it depends on, as there may be no registry. */
export async function install(folder: string, write: (own: string) => Promise<void>): Promise<void> {
  const modules = path.join(folder, "node_modules");
  mkdirSync(path.join(modules, "stackyard"), { recursive: true });
  await write(path.join(modules, "stackyard"));
  for (const each of ["@pulumi", "google-protobuf"]) {
    symlinkSync(path.join(projectRoot(), "node_modules", each), path.join(modules, each));
  }
}
