import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { Failure } from "../../../foundation/errors";
import { isObject, objectIn } from "../../../foundation/json/isObject";

/** The folder of an asset's sources. */
export interface Sources {
  /** The folder with `asset.json`. */
  readonly root: string;
  /** Whether its dependencies were installed for this build, and belong to it. */
  readonly isInstalled: boolean;
}

/** Installers by the file in which they record versions, each with its arguments. */
const INSTALLERS: readonly (readonly [lock: string, program: string, ...args: string[]])[] = [
  ["yarn.lock", "yarn", "install", "--production", "--frozen-lockfile", "--no-progress"],
  ["pnpm-lock.yaml", "pnpm", "install", "--prod", "--frozen-lockfile"],
  ["package-lock.json", "npm", "ci", "--omit=dev", "--no-audit", "--no-fund"],
  ["package.json", "npm", "install", "--omit=dev", "--install-links", "--no-audit", "--no-fund"],
];

/**
 * Builds an asset with its dependencies: those of its `package.json`, and of that of the folder around it. Missing ones
 * are installed in a temporary copy, so that the folder stays as it is.
 */
export async function withDependencies<T>(
  folder: string,
  root: string,
  build: (sources: Sources) => Promise<T>,
): Promise<T> {
  const wanting: string[] = [];
  for (const place of new Set([root, folder])) if (await lacksDependencies(place)) wanting.push(place);
  if (wanting.length === 0) return build({ root, isInstalled: false });
  const copy = await mkdtemp(path.join(tmpdir(), "stackyard-asset-"));
  const copied = (place: string): string => path.join(copy, path.relative(folder, place));
  try {
    await cp(folder, copy, { recursive: true, filter: (source) => path.basename(source) !== ".git" });
    for (const place of wanting) await install(copied(place), place);
    return await build({ root: copied(root), isInstalled: wanting.includes(root) });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** What is installed is used as it is. */
async function lacksDependencies(folder: string): Promise<boolean> {
  const file = path.join(folder, "package.json");
  if (!existsSync(file) || existsSync(path.join(folder, "node_modules"))) return false;
  const { dependencies } = objectIn(await readFile(file, "utf8"));
  return isObject(dependencies) && Object.keys(dependencies).length > 0;
}

async function install(folder: string, shown: string): Promise<void> {
  const [, program = "", ...args] = INSTALLERS.find(([lock]) => existsSync(path.join(folder, lock))) ?? [];
  try {
    await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 1e8 });
  } catch (error) {
    const { code, stderr = "", message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    const why = code === "ENOENT" ? `${program} is not on PATH` : stderr.trim() || message;
    throw new Failure(`the dependencies of ${shown} can't be installed by ${program} ${args.join(" ")}: ${why}`);
  }
}
