import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { isMissing } from "../../foundation/errorCode";
import { Failure } from "../../foundation/errors";

const run = promisify(execFile);

async function git(root: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", args, { cwd: root, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    if (isMissing(error) && !existsSync(root))
      throw new Failure(`found no folder ${root}; expected that of the project`);
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    throw new Failure(`git ${args.join(" ")} failed${said ? `: ${said.replace(/^fatal: /, "")}` : ""}`);
  }
}

const names = (text: string): string[] => text.split("\0").filter((name) => name !== "");

/** The files that differ from a commit, relative to the checkout. */
interface Changed {
  readonly base: string;
  readonly files: readonly string[];
}

/** Returns what changed since the merge base with `revision`, committed or not. */
export async function changedSince(root: string, revision: string): Promise<Changed> {
  const base = (await git(root, "merge-base", revision, "HEAD")).trim();
  const [changed, fresh] = await Promise.all([
    git(root, "diff", "--name-only", "--relative", "--no-renames", "-z", base),
    git(root, "ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  return { base, files: [...new Set([...names(changed), ...names(fresh)])].sort() };
}

/** Returns the content of a file, relative to the checkout, in a commit; undefined if the commit does not have it. */
export async function fileAt(root: string, commit: string, file: string): Promise<string | undefined> {
  const path = `./${file}`;
  const listed = await git(root, "ls-tree", "-z", "--name-only", commit, "--", path);
  return listed === "" ? undefined : git(root, "show", `${commit}:${path}`);
}

/** A file that differs from the current commit. */
export interface Differing {
  /** Relative to the repository's root. */
  readonly file: string;
  /** Whether the file exists on both sides. */
  readonly isModified: boolean;
}

export interface Checkout {
  /** Root of the repository, of which the project may be a subfolder. */
  readonly top: string;
  readonly commit: string;
  readonly differing: readonly Differing[];
}

/** Returns the current commit, and all files of the repository that differ from it. */
export async function checkoutOf(root: string): Promise<Checkout> {
  const [top, commit, status] = await Promise.all([
    git(root, "rev-parse", "--show-toplevel"),
    git(root, "rev-parse", "HEAD"),
    // Without renames, each entry has one name, after two status letters and a space.
    git(root, "status", "--porcelain", "--no-renames", "-z"),
  ]);
  const differing = names(status).map((entry) => ({
    file: entry.slice(3),
    isModified: /^[ M]{2}$/.test(entry.slice(0, 2)),
  }));
  return { top: top.replace(/\r?\n$/, ""), commit: commit.trim(), differing };
}
