import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import type { GoCheckout } from "./table";

const run = promisify(execFile);

/** A module that the extensions of Gardener require, and that a registry may not have. */
const GARDENER = "github.com/gardener/gardener";

/**
 * Clones a repository at a tag into a folder: from the folder in `SOURCES` if it has a repository of that name, else from
 * GitHub. Where `SOURCES` has Gardener's own repository too, its modules are taken from there.
 */
export async function checkOut({ repository, tag }: GoCheckout, folder: string): Promise<string> {
  const source = path.join(folder, "source");
  await clone(repository, tag, source);
  if (givenAt("gardener/gardener") === undefined) return source;
  const { stdout } = await run("go", ["mod", "edit", "-json"], { cwd: source });
  const { Require } = JSON.parse(stdout) as { Require: readonly { Path: string; Version: string }[] };
  const own = Require.filter(({ Path }) => Path === GARDENER || Path.startsWith(`${GARDENER}/`));
  const version = own.find(({ Path }) => Path === GARDENER)?.Version;
  if (version === undefined) return source;
  const gardener = path.join(folder, "gardener");
  await clone("gardener/gardener", version, gardener);
  const replaces = own.map(({ Path }) => `-replace=${Path}=${path.join(gardener, Path.slice(GARDENER.length))}`);
  await run("go", ["mod", "edit", ...replaces], { cwd: source });
  return source;
}

/** The URL of a repository in `SOURCES`; undefined if it is not there. */
function givenAt(repository: string): string | undefined {
  const sources = process.env["SOURCES"];
  const at = sources && path.resolve(sources, path.basename(repository));
  return at && fs.existsSync(at) ? `file://${fs.realpathSync(at)}` : undefined;
}

async function clone(repository: string, tag: string, target: string): Promise<void> {
  const url = givenAt(repository) ?? `https://github.com/${repository}.git`;
  try {
    await run("git", [
      "-c",
      "advice.detachedHead=false",
      "clone",
      "--quiet",
      "--depth=1",
      `--branch=${tag}`,
      url,
      target,
    ]);
  } catch (cause) {
    const remedy = `expected it there; a folder in SOURCES can have the repository ${path.basename(repository)} instead`;
    throw new Error(`tag ${tag} of ${url} can't be cloned: ${remedy}\n${(cause as Error).message}`, { cause });
  }
}
