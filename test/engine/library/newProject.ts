import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump } from "js-yaml";
import { buildPackage } from "../../../toolchain/release/package";
import { projectRoot } from "../../../toolchain/root";

/** Built once for all projects of this process, because that takes seconds of CPU. */
let built: Promise<string> | undefined;

async function buildOwn(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-package-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await buildPackage(projectRoot(), folder);
  return folder;
}

/** Writes the npm package of this checkout into a folder. */
export async function writeOwn(folder: string): Promise<void> {
  cpSync(await (built ??= buildOwn()), folder, { recursive: true });
}

/** Writes a Pulumi project with the npm package, as another team has it after an installation. */
export async function newProject(folder: string, name: string, write = writeOwn): Promise<void> {
  await install(folder, write);
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
