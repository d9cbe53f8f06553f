/** Asks the registries, through their own clients. */

import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import * as semver from "semver";
import type { Outdated } from "./versions";

const execute = promisify(execFile);
const GO = { ...process.env, GOWORK: "off" };

async function output(program: string, args: readonly string[], cwd: string, env = process.env): Promise<string> {
  return (await execute(program, [...args], { cwd, env, maxBuffer: 1 << 26 })).stdout;
}

/** All versions of an npm package. */
export async function npmVersions(name: string, root: string): Promise<string[]> {
  return [JSON.parse(await output("npm", ["view", name, "versions", "--json"], root)) as string | string[]].flat();
}

/** The date of the newest release, in what `npm view NAME time --json` prints. Pure. */
export function newestRelease(text: string): Date | undefined {
  const dates = Object.entries(JSON.parse(text) as Record<string, string>)
    .filter(([version]) => semver.valid(version) !== null && semver.prerelease(version) === null)
    .map(([, date]) => Date.parse(date));
  return dates.length === 0 ? undefined : new Date(Math.max(...dates));
}

/** When an npm package was released last. */
export const npmReleased = async (name: string, root: string): Promise<Date | undefined> =>
  newestRelease(await output("npm", ["view", name, "time", "--json"], root));

/** The direct requirements in what `go mod edit -json` prints. Pure. */
export function directRequirements(text: string): { readonly name: string; readonly version: string }[] {
  const { Require = [] } = JSON.parse(text) as {
    readonly Require?: readonly { readonly Path: string; readonly Version: string; readonly Indirect?: boolean }[];
  };
  return Require.filter(({ Indirect }) => Indirect !== true).map(({ Path, Version }) => ({
    name: Path,
    version: Version.slice(1),
  }));
}

/** The modules that a program in toolchain/go requires itself. */
export const goRequired = async (folder: string, root: string): Promise<ReturnType<typeof directRequirements>> =>
  directRequirements(await output("go", ["mod", "edit", "-json"], path.join(root, "toolchain", "go", folder), GO));

/** When a Go module was released last. */
export async function goReleased(module: string, root: string): Promise<Date | undefined> {
  const { Time } = JSON.parse(await output("go", ["list", "-m", "-json", `${module}@latest`], root, GO)) as {
    readonly Time?: string;
  };
  return Time === undefined ? undefined : new Date(Time);
}

/** The direct dependencies that are behind. */
export async function outdated(root: string): Promise<Record<string, Outdated>> {
  // npm ends with 1 if it finds any.
  const found = await output("npm", ["outdated", "--json"], root).catch((error: { stdout?: string }) => {
    if (!error.stdout?.trim().startsWith("{")) throw error;
    return error.stdout;
  });
  return JSON.parse(found || "{}") as Record<string, Outdated>;
}

/** Sets versions in `package.json` and its lock file, which names no registry. */
export async function npmInstall(packages: readonly string[], root: string): Promise<void> {
  const flags = ["--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved"];
  await output("npm", ["install", ...flags, ...packages], root);
}

/** All versions of a Go module, without `v`. */
export async function goVersions(module: string, root: string): Promise<string[]> {
  const [, ...versions] = (await output("go", ["list", "-m", "-versions", module], root, GO)).trim().split(" ");
  return versions.map((version) => version.slice(1));
}

/** Whether Go modules can be downloaded: a proxy may list versions that it does not serve. */
export async function isServed(modules: readonly string[], root: string): Promise<boolean> {
  return output("go", ["mod", "download", ...modules], root, GO).then(
    () => true,
    () => false,
  );
}

/** Pins modules in `toolchain/go/<folder>`. */
export async function goGet(folder: string, modules: readonly string[], root: string): Promise<void> {
  const cwd = path.join(root, "toolchain", "go", folder);
  await output("go", ["get", ...modules], cwd, GO);
  await output("go", ["mod", "tidy"], cwd, GO);
}

/** The commit of a tag; undefined if there is no such tag. */
export async function commitOf(repository: string, tag: string, root: string): Promise<string | undefined> {
  const refs = await output("git", ["ls-remote", `https://github.com/${repository}`, `refs/tags/${tag}*`], root);
  const commits = new Map(refs.split("\n").map((line) => line.split("\t").reverse() as [string, string]));
  return commits.get(`refs/tags/${tag}^{}`) ?? commits.get(`refs/tags/${tag}`);
}
