import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import type { GoCheckout } from "./table";

const run = promisify(execFile);

/** Modules that a registry may not have, and their repositories. */
const REPOSITORIES: Readonly<Record<string, string>> = {
  "github.com/gardener/gardener": "gardener/gardener",
  "ocm.software/ocm": "open-component-model/ocm",
};

interface Requirement {
  readonly Path: string;
  readonly Version: string;
}

/**
 * Clones a repository at a tag or commit into a folder: from the folder in `SOURCES` if it has a repository of that name,
 * else from GitHub. Where `SOURCES` has the repositories of modules that it requires too, these are taken from there.
 */
export async function checkOut({ repository, tag }: GoCheckout, folder: string): Promise<string> {
  const source = path.join(folder, "source");
  await clone(repository, tag, source);
  const given = Object.entries(REPOSITORIES).filter(([, own]) => givenAt(own) !== undefined);
  if (given.length === 0) return source;
  const { stdout } = await run("go", ["mod", "edit", "-json"], { cwd: source });
  const { Require } = JSON.parse(stdout) as { Require: readonly Requirement[] };
  for (const [module, own] of given) {
    const parts = Require.filter(({ Path }) => Path === module || Path.startsWith(`${module}/`));
    const version = parts.find(({ Path }) => Path === module)?.Version;
    if (version === undefined) continue;
    const local = path.join(folder, path.basename(own));
    await clone(own, version, local);
    const replaces = parts.map(({ Path }) => `-replace=${Path}=${path.join(local, Path.slice(module.length))}`);
    await run("go", ["mod", "edit", ...replaces], { cwd: source });
  }
  return source;
}

/** The URL of a repository in `SOURCES`; undefined if it is not there. */
function givenAt(repository: string): string | undefined {
  const sources = process.env["SOURCES"];
  const at = sources && path.resolve(sources, path.basename(repository));
  return at && fs.existsSync(at) ? `file://${fs.realpathSync(at)}` : undefined;
}

const COMMIT = /^[0-9a-f]{40}$/;

async function clone(repository: string, tag: string, target: string): Promise<void> {
  const url = givenAt(repository) ?? `https://github.com/${repository}.git`;
  const quiet = ["-c", "advice.detachedHead=false"];
  const isCommit = COMMIT.test(tag);
  const commands = isCommit
    ? [
        ["init", "--quiet", target],
        ["-C", target, "fetch", "--quiet", "--depth=1", url, tag],
        ["-C", target, ...quiet, "checkout", "--quiet", "FETCH_HEAD"],
      ]
    : [[...quiet, "clone", "--quiet", "--depth=1", `--branch=${tag}`, url, target]];
  try {
    for (const command of commands) await run("git", command);
  } catch (cause) {
    const remedy = `expected it there; a folder in SOURCES can have the repository ${path.basename(repository)} instead`;
    throw new Error(
      `${isCommit ? "commit" : "tag"} ${tag} of ${url} can't be cloned: ${remedy}\n${(cause as Error).message}`,
      { cause },
    );
  }
}
