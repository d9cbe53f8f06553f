/** Collects a bundle's files from untrusted entries, and ignores everything else. */

import { Refused } from "../errors";
import { LIMITS, mib, type ReadLimits } from "../limits";
import { Followed, realPath, type Node } from "./links";
import { checkPlain, cleanPath, linkTarget, shownPath } from "./paths";
import { byCode, makeTree, type FileTree } from "./tree";

/** Names at a bundle's root to read; undefined for all except folders of version control. */
export type Keep = readonly string[] | undefined;

/** Never part of a bundle, in any folder that is its root. */
const NEVER: readonly string[] = [".git", ".hg", ".svn"];

/** Selects the part of a source that is the bundle. */
export interface SourceScope {
  /** Folder that is the bundle's root; empty for the source's root. */
  readonly directory: string;
  /** Names at the bundle's root that its format reads. The rest is ignored. */
  readonly keep: Keep;
  /**
   * An image may contain a whole system around the bundle, with devices and arbitrary links, which are ignored. In
   * other sources they are always rejected.
   */
  readonly image: boolean;
}

/** Maximum number of names that are kept to recognize formats, that messages show, and of removed folders. */
const [OTHERS, SHOWN, CLEARS] = [1000, 12, 1000];
export class TreeBuilder {
  /** Paths outside of the bundle's folder that its links lead to, and that were not read. */
  readonly needs = new Set<string>();
  /** By path in the source. */
  readonly #nodes = new Map<string, Node>();
  readonly #folders = new Set<string>();
  readonly #others = new Set<string>();
  /** Names at the source's root, until the bundle's folder is found. */
  readonly #tops = new Set<string>();
  readonly #prefix: string;
  #met: boolean;
  #entries = 0;
  #bytes = 0;
  #clears = 0;

  constructor(
    readonly scope: SourceScope,
    readonly limits: ReadLimits = LIMITS,
    /** Paths outside of the bundle's folder that are read as well. */
    readonly also: ReadonlySet<string> = new Set(),
  ) {
    this.#prefix = scope.directory === "" ? "" : `${scope.directory}/`;
    this.#met = scope.directory === "";
  }

  /**
   * Checks and counts an entry and returns its path in the source, as the next three methods need it. Throws
   * {@link Refused} for a path that leaves the source.
   */
  entry(raw: string): string {
    if (++this.#entries > this.limits.entries) throw new Refused(`it has more than ${this.limits.entries} entries`);
    const path = cleanPath(raw);
    if (!this.scope.image) checkPlain(path);
    this.beside(path);
    return path;
  }

  /** Records the name of an ignored entry at the bundle's root, to recognize other formats. */
  beside(path: string): void {
    this.#met ||= path === this.scope.directory || path.startsWith(this.#prefix);
    if (!this.#met && this.#tops.size < OTHERS) this.#tops.add(path.split("/", 1).join("").slice(0, 60));
    if (!path.startsWith(this.#prefix) || this.#others.size >= OTHERS) return;
    const [name = ""] = path.slice(this.#prefix.length).split("/", 1);
    if (name !== "" && !this.#reads(name)) this.#others.add(name.slice(0, 60));
  }

  /** Whether the entry is read. */
  wants(path: string): boolean {
    if (this.#inside(path) !== undefined) return true;
    return this.also.size > 0 && ancestors(path).some((one) => this.also.has(one));
  }

  /** Whether the bundle's root, or something else that is read, is this folder or below it. */
  leadsTo(path: string): boolean {
    return path === "" || [this.#prefix, ...this.also].some((one) => one.startsWith(`${path}/`));
  }

  /** Throws {@link Refused} if a file of this size exceeds the limits. Call it before reading the content. */
  room(path: string, bytes: number): void {
    const { fileBytes, keptBytes, keptFiles } = this.limits;
    if (bytes > fileBytes) throw new Refused(`${shownPath(path)} has more than ${mib(fileBytes)}`);
    if (this.#bytes + bytes > keptBytes) throw new Refused(`the bundle's files have more than ${mib(keptBytes)}`);
    if (this.#nodes.size >= keptFiles) throw new Refused(`the bundle has more than ${keptFiles} files`);
  }

  file(path: string, content: Buffer): void {
    this.#put(path, content);
  }

  folder(path: string): void {
    if (!this.wants(path)) return;
    this.#clash(path, true);
    this.#drop(path);
    this.#folders.add(path);
  }

  /** Adds a symbolic link. Links are followed at the end. */
  link(path: string, target: string): void {
    if (linkTarget(path, target) === undefined)
      this.#foreign(path, `is a link to ${shownPath(target)}, out of the source`);
    if (this.wants(path) || this.scope.image) this.#put(path, { link: target });
    else if (this.leadsTo(path)) {
      this.#clash(path, false);
      this.#set(path, { link: target });
    }
  }

  /** Adds a hard link: another name for an earlier file. */
  hardLink(path: string, rawTarget: string): void {
    if (!this.wants(path) && this.scope.image) return;
    const target = cleanPath(rawTarget);
    if (!this.wants(path)) return;
    const found = this.#nodes.get(target);
    if (found === undefined) return this.#lost(path, target);
    if (Buffer.isBuffer(found)) this.room(path, found.length);
    this.#put(path, found);
  }

  /** Rejects a device, a pipe or another special file. */
  special(path: string, what: string): void {
    this.#foreign(path, `is ${what}`);
  }

  /** Removes a file or a folder with its content; for layers of an image. */
  remove(path: string): void {
    if (!this.wants(path) || this.#folders.has(path)) this.clear(path);
    this.#drop(path);
  }

  /** Removes the content of a folder. */
  clear(path: string): void {
    if (!this.wants(path) && !this.leadsTo(path)) return;
    const below = path === "" ? "" : `${path}/`;
    // Each removal scans all entries.
    if (++this.#clears > CLEARS) throw new Refused(`its layers remove folders of the bundle more than ${CLEARS} times`);
    for (const each of [...this.#nodes.keys()]) if (each.startsWith(below)) this.#drop(each);
    for (const each of [...this.#folders]) if (each.startsWith(below)) this.#folders.delete(each);
  }

  /** Path of the bundle's folder without links. */
  root(): string {
    const { directory } = this.scope;
    const path = realPath(directory, this.#nodes);
    if (path !== undefined) return path;
    throw new Refused(`${shownPath(directory)} is a link out of the source or in a circle; expected a folder`);
  }

  /**
   * Returns the bundle, with what its links lead to. Throws {@link Refused} if its folder is missing, and for links that
   * lead to nothing or out of the source.
   */
  build(): FileTree {
    if (!this.#met) {
      const there = [...this.#tops].sort(byCode).slice(0, SHOWN).join(", ") || "nothing";
      throw new Refused(`it has no folder ${shownPath(this.scope.directory)}; at its root it has ${there}`);
    }
    const followed = new Followed(this.#nodes, this.#folders, this.limits, (link, to) => this.#lost(link, to));
    followed.add(this.scope.directory, (name) => this.#reads(name));
    return makeTree(followed.files, followed.folders, this.#others);
  }

  /** Notes that a link leads to what was not read. */
  #lost(link: string, to: string): void {
    const isHidden = to.split("/").some((name) => NEVER.includes(name));
    if (this.scope.image || isHidden || this.wants(to))
      throw new Refused(`${shownPath(link)} is a link to ${shownPath(to)}, which is no file of the source`);
    this.needs.add(to);
  }

  #put(path: string, node: Node): void {
    if (!this.wants(path)) return;
    const isLink = !Buffer.isBuffer(node);
    // All names in `keep` are folders, or links to them.
    const isFolder = this.scope.keep?.includes(this.#inside(path) ?? "") === true && !(isLink && !this.scope.image);
    if (path === this.scope.directory || isFolder) {
      throw new Refused(`${shownPath(path)} is no folder; expected the folder with the bundle's content`);
    }
    checkPlain(path);
    this.#clash(path, false);
    this.remove(path);
    this.room(path, isLink ? 0 : node.length);
    this.#set(path, node);
    this.#bytes += isLink ? 0 : node.length;
  }

  #set(path: string, node: Node): void {
    for (const folder of ancestors(path).slice(1)) {
      this.#drop(folder);
      this.#folders.add(folder);
    }
    this.#nodes.set(path, node);
  }

  /**
   * In image layers the later entry wins; in an archive, duplicates are rejected because tools would read different
   * bundles.
   */
  #clash(path: string, folder: boolean): void {
    if (this.scope.image) return;
    const twice = this.#nodes.has(path) || (!folder && this.#folders.has(path));
    if (twice) throw new Refused(`${shownPath(path)} is in it twice; expected every file once`);
    const above = ancestors(path)
      .slice(1)
      .findLast((one) => this.#nodes.has(one));
    if (above !== undefined) throw new Refused(`${shownPath(path)} is below ${shownPath(above)}, which is no folder`);
  }

  #drop(path: string): void {
    const node = this.#nodes.get(path);
    if (Buffer.isBuffer(node)) this.#bytes -= node.length;
    this.#nodes.delete(path);
    this.#folders.delete(path);
  }

  #foreign(path: string, what: string): void {
    if (this.scope.image && !this.wants(path)) return;
    throw new Refused(`${shownPath(path)} ${what}; expected only files and folders`);
  }

  /** Path relative to the bundle's root; undefined if the format does not read it. */
  #inside(path: string): string | undefined {
    if (!path.startsWith(this.#prefix)) return undefined;
    const inside = path.slice(this.#prefix.length);
    const [name = ""] = inside.split("/", 1);
    return name !== "" && this.#reads(name) ? inside : undefined;
  }

  /** Whether a name at the bundle's root is part of the bundle. */
  #reads(name: string): boolean {
    const { keep } = this.scope;
    return keep === undefined ? !NEVER.includes(name) : keep.includes(name);
  }
}

/** A path and the folders above it, from the innermost; without the root. */
export function ancestors(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, names.length - at).join("/"));
}
