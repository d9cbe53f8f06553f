import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Failure } from "../../foundation/errors";

const run = promisify(execFile);

async function git(root: string, ...args: string[]): Promise<string> {
  try {
    return (await run("git", args, { cwd: root, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split("\n").at(-1);
    throw new Failure(`git ${args.join(" ")} failed${said ? `: ${said.replace(/^fatal: /, "")}` : ""}`);
  }
}

const names = (text: string): string[] => text.split("\0").filter((name) => name !== "");

/** A change: all files, relative to the checkout, that differ from a commit. */
export interface Changed {
  readonly base: string;
  readonly files: readonly string[];
}

/** What differs from where this work and `revision` parted, committed or not. */
export async function changedSince(root: string, revision: string): Promise<Changed> {
  const base = (await git(root, "merge-base", revision, "HEAD")).trim();
  const [changed, fresh] = await Promise.all([
    git(root, "diff", "--name-only", "--relative", "--no-renames", "-z", base),
    git(root, "ls-files", "--others", "--exclude-standard", "-z"),
  ]);
  return { base, files: [...new Set([...names(changed), ...names(fresh)])].sort() };
}

/** A file, relative to the checkout, as a commit has it; undefined if it has none. */
export async function fileAt(root: string, commit: string, file: string): Promise<string | undefined> {
  const path = `./${file}`;
  const listed = await git(root, "ls-tree", "-z", "--name-only", commit, "--", path);
  return listed === "" ? undefined : git(root, "show", `${commit}:${path}`);
}

/** A file that differs from the commit that is checked out. */
export interface Differing {
  /** Relative to the repository's folder. */
  readonly file: string;
  /** Whether both have it. */
  readonly isModified: boolean;
}

export interface Checkout {
  /** The repository's folder, in which the project may be a folder. */
  readonly top: string;
  readonly commit: string;
  readonly differing: readonly Differing[];
}

/** The commit that is checked out, and all files of its repository that differ from it. */
export async function checkoutOf(root: string): Promise<Checkout> {
  const [top, commit, status] = await Promise.all([
    git(root, "rev-parse", "--show-toplevel"),
    git(root, "rev-parse", "HEAD"),
    // Without renames each entry is one name, after two letters of status and a space.
    git(root, "status", "--porcelain", "--no-renames", "-z"),
  ]);
  const differing = names(status).map((entry) => ({
    file: entry.slice(3),
    isModified: /^[ M]{2}$/.test(entry.slice(0, 2)),
  }));
  return { top: top.replace(/\r?\n$/, ""), commit: commit.trim(), differing };
}
