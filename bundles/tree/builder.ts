/** Collects a bundle's files from untrusted entries, and ignores everything else. */

import { Refused } from "../errors";
import { LIMITS, mib, type ReadLimits } from "../limits";
import { checkPlain, cleanPath, linkTarget, shownPath } from "./paths";
import { byCode, makeTree, type FileTree } from "./tree";

/** Names at a bundle's root to read; undefined for all except folders of version control. */
export type Keep = readonly string[] | undefined;

/** Never part of a bundle, in any folder that is its root. */
const NEVER: readonly string[] = [".git", ".hg", ".svn"];

/** Selects the part of a source that is the bundle. */
interface SourceScope {
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

type Node = Buffer | { readonly link: string };

/** Maximum number of names at the root that are kept for messages. */
const OTHERS = 12;
/** Maximum number of removed folders. */
const CLEARS = 1000;

export class TreeBuilder {
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

  /** Records the name of an ignored entry at the bundle's root, for messages. */
  beside(path: string): void {
    this.#met ||= path === this.scope.directory || path.startsWith(this.#prefix);
    if (!this.#met && this.#tops.size < OTHERS) this.#tops.add(path.split("/", 1).join("").slice(0, 60));
    if (!path.startsWith(this.#prefix) || this.#others.size >= OTHERS) return;
    const [name = ""] = path.slice(this.#prefix.length).split("/", 1);
    if (name !== "" && !this.#reads(name)) this.#others.add(name.slice(0, 60));
  }

  /** Whether the entry is part of the bundle. */
  wants(path: string): boolean {
    return this.#inside(path) !== undefined;
  }

  /** Whether the bundle's root is this folder or below it. */
  leadsTo(path: string): boolean {
    return path === "" || this.#prefix.startsWith(`${path}/`);
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
    const inside = this.#inside(path);
    if (inside === undefined || inside === "") return;
    this.#clash(inside, true);
    this.#drop(inside);
    this.#folders.add(inside);
  }

  /** Adds a symbolic link. Links to files of the bundle are resolved at the end. */
  link(path: string, target: string): void {
    if (linkTarget(path, target) === undefined)
      this.#foreign(path, `is a link to ${shownPath(target)}, out of the bundle`);
    if (this.#inside(path) !== undefined) this.#put(path, { link: target });
  }

  /** Adds a hard link: another name for an earlier file. */
  hardLink(path: string, rawTarget: string): void {
    const inside = this.#inside(path);
    if (inside === undefined && this.scope.image) return;
    const target = cleanPath(rawTarget);
    if (inside === undefined) return;
    const found = this.#nodes.get(this.#inside(target) ?? "");
    if (found === undefined)
      throw new Refused(`${shownPath(path)} is a link to ${shownPath(target)}, which is no file of the bundle`);
    if (Buffer.isBuffer(found)) this.room(path, found.length);
    this.#put(path, found);
  }

  /** Rejects a device, a pipe or another special file. */
  special(path: string, what: string): void {
    this.#foreign(path, `is ${what}`);
  }

  /** Removes a file or a folder with its content; for layers of an image. */
  remove(path: string): void {
    const inside = this.#inside(path);
    if (inside === undefined || this.#folders.has(inside) || this.#isFolder(inside)) this.clear(path);
    if (inside !== undefined) this.#drop(inside);
  }

  /** Removes the content of a folder. */
  clear(path: string): void {
    const inside = this.#inside(path);
    const below = inside === undefined ? (this.leadsTo(path) ? "" : undefined) : inside === "" ? "" : `${inside}/`;
    if (below === undefined) return;
    // Each removal scans all entries.
    if (++this.#clears > CLEARS) throw new Refused(`its layers remove folders of the bundle more than ${CLEARS} times`);
    for (const each of [...this.#nodes.keys()]) if (each.startsWith(below)) this.#drop(each);
    for (const each of [...this.#folders]) if (each.startsWith(below)) this.#folders.delete(each);
  }

  /**
   * Returns the bundle. Throws {@link Refused} if its folder is missing, and for links that lead to none of its files.
   */
  build(): FileTree {
    if (!this.#met) {
      const there = [...this.#tops].sort(byCode).join(", ") || "nothing";
      throw new Refused(`it has no folder ${shownPath(this.scope.directory)}; at its root it has ${there}`);
    }
    const files: [string, Buffer][] = [];
    let bytes = 0;
    for (const path of this.#nodes.keys()) {
      const content = this.#content(path);
      bytes += content.length;
      // Every link to a file counts with the file's size.
      if (bytes > this.limits.keptBytes)
        throw new Refused(`the bundle's files have more than ${mib(this.limits.keptBytes)}`);
      files.push([path, content]);
    }
    return makeTree(files, this.#folders, this.#others);
  }

  #content(path: string): Buffer {
    let at = path;
    for (let steps = 0; steps < 8; steps++) {
      const node = this.#nodes.get(at);
      if (Buffer.isBuffer(node)) return node;
      if (node === undefined) break;
      const target = linkTarget(this.#prefix + at, node.link);
      const inside = target === undefined ? undefined : this.#inside(target);
      if (inside === undefined) break;
      at = inside;
    }
    const { link } = this.#nodes.get(path) as { link: string };
    throw new Refused(`${shownPath(path)} is a link to ${shownPath(link)}, which is no file of the bundle`);
  }

  #put(path: string, node: Node): void {
    const inside = this.#inside(path);
    if (inside === undefined) return;
    if (inside === "" || this.#isFolder(inside)) {
      throw new Refused(`${shownPath(path)} is no folder; expected the folder with the bundle's content`);
    }
    checkPlain(inside);
    this.#clash(inside, false);
    this.remove(path);
    this.room(path, Buffer.isBuffer(node) ? node.length : 0);
    for (let at = inside.indexOf("/"); at > 0; at = inside.indexOf("/", at + 1)) {
      this.#drop(inside.slice(0, at));
      this.#folders.add(inside.slice(0, at));
    }
    this.#nodes.set(inside, node);
    this.#bytes += Buffer.isBuffer(node) ? node.length : 0;
  }

  /**
   * In image layers the later entry wins; in an archive, duplicates are rejected because tools would read different
   * bundles.
   */
  #clash(inside: string, folder: boolean): void {
    if (this.scope.image) return;
    const twice = this.#nodes.has(inside) || (!folder && this.#folders.has(inside));
    if (twice) throw new Refused(`${shownPath(inside)} is in it twice; expected every file once`);
    for (let at = inside.indexOf("/"); at > 0; at = inside.indexOf("/", at + 1)) {
      if (!this.#nodes.has(inside.slice(0, at))) continue;
      throw new Refused(`${shownPath(inside)} is below ${shownPath(inside.slice(0, at))}, which is no folder`);
    }
  }

  #drop(inside: string): void {
    const node = this.#nodes.get(inside);
    if (Buffer.isBuffer(node)) this.#bytes -= node.length;
    this.#nodes.delete(inside);
    this.#folders.delete(inside);
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

  /** All names in `keep` are folders. */
  #isFolder(inside: string): boolean {
    return this.scope.keep?.includes(inside) ?? false;
  }
}
