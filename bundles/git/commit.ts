/**
 * Reads a bundle's files in one commit from git's objects. Without a checkout, no code of the repository can run and no
 * file is written elsewhere.
 */

import { Refused } from "../errors";
import { mib } from "../limits";
import { ancestors, type Keep, type TreeBuilder } from "../tree/builder";
import { shownPath } from "../tree/paths";
import type { Workplace } from "./workplace";

interface Item {
  readonly mode: string;
  readonly object: string;
  readonly size: number;
  readonly path: string;
}

const LINK = "120000";
/** Maximum output when git lists a commit. */
const LISTING = 64 * 1024 * 1024;

const pathsOf = (below: string, keep: Keep): string[] =>
  keep?.map((name) => below + name) ?? (below === "" ? [] : [below]);

export async function readCommit(commit: string, builder: TreeBuilder, { git }: Workplace): Promise<void> {
  const { directory, keep } = builder.scope;
  const below = directory === "" ? "" : `${directory}/`;
  const list = async (...args: string[]): Promise<Item[]> =>
    parse(await git(["ls-tree", "-z", "--long", "--full-tree", ...args], { most: LISTING }));
  const beside = await list(commit, ...(below === "" ? [] : ["--", below]));
  const within = await list("-r", "-t", commit, "--", ...pathsOf(below, keep), ...builder.also);
  // Git does not follow links on the way to a path.
  const above = [directory, ...builder.also].flatMap(ancestors).filter((path) => path !== "");
  const links = above.length === 0 ? [] : await list(commit, "--", ...above);
  const wanted = new Map<string, Item>();
  for (const item of [...beside, ...within, ...links]) {
    const leads = item.mode === LINK && builder.leadsTo(item.path);
    if (builder.wants(item.path) || leads) wanted.set(builder.entry(item.path), item);
    else builder.beside(item.path);
  }
  const read: [string, Item][] = [];
  let bytes = 0;
  for (const [path, item] of wanted) {
    if (item.mode === "040000") builder.folder(path);
    else if (item.mode === "160000")
      throw new Refused(`${shownPath(path)} is a submodule; expected only files and folders`);
    else {
      builder.room(path, item.size);
      bytes += item.size;
      read.push([path, item]);
    }
    // All contents are read in one call.
    if (bytes > builder.limits.keptBytes)
      throw new Refused(`the bundle's files have more than ${mib(builder.limits.keptBytes)}`);
  }
  const contents = await blobs(
    read.map(([, { object }]) => object),
    bytes,
    { git },
  );
  read.forEach(([path, { mode }], index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    if (mode === LINK) builder.link(path, content.toString("utf8"));
    else builder.file(path, content);
  });
}

/** Parses lines of `<mode> <type> <object> <size>\t<path>\0`. */
function parse(listing: Buffer): Item[] {
  return listing
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", object = "", size = "", path = ""] =
        /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      return { mode, object, size: size === "-" ? 0 : Number(size), path };
    });
}

/** Reads blobs in the format `<object> blob <size>\n<content>\n`. */
async function blobs(objects: readonly string[], bytes: number, { git }: Workplace): Promise<Buffer[]> {
  if (objects.length === 0) return [];
  const most = bytes + objects.length * 100;
  const all = await git(["cat-file", "--batch"], { input: `${objects.join("\n")}\n`, most });
  let at = 0;
  return objects.map((object) => {
    const end = all.indexOf("\n", at);
    const [found, type, size] = all.subarray(at, end).toString("utf8").split(" ");
    if (found !== object || type !== "blob") throw new Refused(`git has no content ${object}`);
    const content = all.subarray(end + 1, end + 1 + Number(size));
    at = end + 2 + Number(size);
    return content;
  });
}
