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

/** A file, relative to the checkout, as a commit has it; undefined where it has none. */
export async function fileAt(root: string, commit: string, file: string): Promise<string | undefined> {
  const path = `./${file}`;
  const listed = await git(root, "ls-tree", "-z", "--name-only", commit, "--", path);
  return listed === "" ? undefined : git(root, "show", `${commit}:${path}`);
}

/** The commit that is checked out, and whether files differ from it. */
export async function checkedOut(root: string): Promise<{ readonly commit: string; readonly isDirty: boolean }> {
  const [commit, status] = await Promise.all([git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")]);
  return { commit: commit.trim(), isDirty: status.trim() !== "" };
}
