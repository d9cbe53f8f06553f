/** The files of a bundle in memory, and the digest that stands for them. */

import { createHash } from "node:crypto";
import { isOpaqueWhiteout } from "./whiteouts";

export interface FileTree {
  /** By path with `/`, relative to the bundle's root, in the order of the paths. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Folders that hold nothing, in order; others follow from the files. */
  readonly emptyFolders: readonly string[];
  /** A few names that are at the root too and are not read; for messages. */
  readonly others: readonly string[];
}

/** Plain order of the characters' codes: the same everywhere, whatever the language of the machine. */
export const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Of an opaque whiteout only the folder stays: no image could hold more, and the digest is the same from any source. */
export function makeTree(
  files: Iterable<readonly [string, Buffer]>,
  folders: Iterable<string> = [],
  others: Iterable<string> = [],
): FileTree {
  const sorted = new Map([...files].sort(([a], [b]) => byCode(a, b)));
  const filled = new Set<string>();
  const known = new Set(folders);
  for (const [path, bytes] of sorted) {
    if (!isOpaqueWhiteout(path, bytes)) continue;
    sorted.delete(path);
    if (path.includes("/")) known.add(path.slice(0, path.lastIndexOf("/")));
  }
  const all = [...known].sort(byCode);
  for (const path of [...sorted.keys(), ...all]) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) filled.add(path.slice(0, at));
  }
  return { files: sorted, emptyFolders: all.filter((folder) => !filled.has(folder)), others: [...others].sort(byCode) };
}

/**
 * `sha256:…` of paths and contents. Times, rights, owners and the order in which the files came make no difference, nor
 * do files that are not read; so the same manifests have the same digest from any source.
 */
export function contentDigest({ files, emptyFolders }: FileTree): string {
  const hash = createHash("sha256").update("stackyard bundle content 1\n");
  for (const [path, bytes] of files) {
    hash.update(`file ${Buffer.byteLength(path)} ${path} ${bytes.length}\n`).update(bytes);
  }
  for (const folder of emptyFolders) hash.update(`folder ${Buffer.byteLength(folder)} ${folder}\n`);
  return `sha256:${hash.digest("hex")}`;
}
