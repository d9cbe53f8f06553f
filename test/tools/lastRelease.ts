import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../../toolchain/root";

/** The code of 0.1.0, which is older than the first tag. */
const FIRST = "e4c979077c76265f573acacc76c96a0a4fb250ff";

/** A folder with the code of the last release before this commit, or the reason why there is none. */
export type LastRelease = { readonly folder: string } | { readonly missing: string };

/** Writes the code of the last release into a new folder, with the npm packages of the checkout. */
export function lastRelease(folder: string): LastRelease {
  const root = projectRoot();
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e9 });
  let commit: string;
  try {
    const [tag] = git("tag", "--list", "v*.*.*", "--merged", "HEAD^", "--sort=-version:refname").split("\n");
    commit = git("rev-parse", "--verify", `${tag === undefined || tag === "" ? FIRST : tag}^{commit}`).trim();
  } catch (error) {
    return { missing: `no history with the last release: ${(error as Error).message.trim().split("\n").at(-1) ?? ""}` };
  }
  mkdirSync(folder);
  execFileSync("sh", ["-c", 'git -C "$1" archive "$2" | tar -xf - -C "$3"', "sh", root, commit, folder]);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  return { folder };
}
