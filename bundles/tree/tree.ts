/** The files of a bundle in memory, and their digest. */

import { createHash } from "node:crypto";
import { isOpaqueWhiteout } from "./whiteouts";

export interface FileTree {
  /** By path with `/`, relative to the bundle's root, sorted. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Empty folders, sorted; other folders follow from the files. */
  readonly emptyFolders: readonly string[];
  /** Ignored names at the root. */
  readonly others: readonly string[];
}

/** Compares by character code, independent of the locale. */
export const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Replaces an opaque whiteout by its folder: an image could not contain the file, so the digest stays the same for any
 * source.
 */
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
 * Returns `sha256:…` of paths and contents. Times, permissions, owners, the order of files, and ignored files don't
 * matter, so the same manifests have the same digest from any source.
 */
export function contentDigest({ files, emptyFolders }: FileTree): string {
  const hash = createHash("sha256").update("stackyard bundle content 1\n");
  for (const [path, bytes] of files) {
    hash.update(`file ${Buffer.byteLength(path)} ${path} ${bytes.length}\n`).update(bytes);
  }
  for (const folder of emptyFolders) hash.update(`folder ${Buffer.byteLength(folder)} ${folder}\n`);
  return `sha256:${hash.digest("hex")}`;
}
