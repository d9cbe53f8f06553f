/** Replaces links by what they lead to, as a file system follows them, and never out of the source. */

import { Refused } from "../errors";
import { mib, type ReadLimits } from "../limits";
import { cleanPath, shownPath } from "./paths";

/** By path in the source. */
export type Node = Buffer | { readonly link: string };

/** Of one path, as in Linux. */
const MOST_LINKS = 40;

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);
const isWithin = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

/**
 * Path without links; undefined if it leads out of the source or in a circle. Ends at a name that `isKnown` does not know
 * and that `..` follows, because it may be a link.
 */
export function realPath(
  path: string,
  nodes: ReadonlyMap<string, Node>,
  isKnown: (folder: string) => boolean = () => true,
): string | undefined {
  const rest = path.split("/").reverse();
  const at: string[] = [];
  for (let links = 0; rest.length > 0;) {
    const name = rest.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (at.length > 0 && !isKnown(at.join("/"))) break;
      if (at.pop() === undefined) return undefined;
      continue;
    }
    at.push(name);
    const node = nodes.get(at.join("/"));
    if (node === undefined || Buffer.isBuffer(node)) continue;
    if (++links > MOST_LINKS || node.link.startsWith("/")) return undefined;
    at.pop();
    rest.push(...node.link.split("/").reverse());
  }
  return at.join("/");
}

/** The content of a folder with links followed. */
export class Followed {
  readonly files: [string, Buffer][] = [];
  readonly folders: string[] = [];
  readonly #names = new Map<string, Set<string>>();
  #entries = 0;
  #bytes = 0;

  /** `lost` is called with the path of each link and the path without content that it leads to. */
  constructor(
    private readonly nodes: ReadonlyMap<string, Node>,
    folders: ReadonlySet<string>,
    private readonly limits: ReadLimits,
    private readonly lost: (link: string, to: string) => void,
  ) {
    for (const folder of folders) this.#names.set(folder, new Set());
    for (const path of [...nodes.keys(), ...folders]) {
      const slash = path.lastIndexOf("/");
      const [folder, name] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
      const names = this.#names.get(folder) ?? new Set();
      this.#names.set(folder, names.add(name));
    }
  }

  /** `reads`: whether a name in the folder itself is part of the content. */
  add(folder: string, reads: (name: string) => boolean): void {
    this.#visit(folder, "", [folder], reads);
  }

  #visit(folder: string, as: string, above: readonly string[], reads: (name: string) => boolean): void {
    for (const name of this.#names.get(folder) ?? []) {
      if (!reads(name)) continue;
      if (++this.#entries > this.limits.entries)
        throw new Refused(`it has more than ${this.limits.entries} entries with its links`);
      const [path, shown] = [join(folder, name), cleanPath(join(as, name))];
      const to = realPath(path, this.nodes, (one) => this.#names.has(one));
      if (to === undefined) throw this.#refused(path, "out of the source or in a circle");
      const content = this.nodes.get(to);
      if (Buffer.isBuffer(content)) this.#file(shown, content);
      else if (!this.#names.has(to)) this.lost(path, to);
      else if (path !== to && above.some((one) => isWithin(one, to)))
        throw this.#refused(path, "a folder that contains it");
      else {
        this.folders.push(shown);
        this.#visit(to, shown, [...above, to], () => true);
      }
    }
  }

  /** Every link to a file counts with the file's size. */
  #file(path: string, content: Buffer): void {
    const { keptBytes, keptFiles } = this.limits;
    this.#bytes += content.length;
    if (this.#bytes > keptBytes) throw new Refused(`the bundle's files have more than ${mib(keptBytes)}`);
    if (this.files.push([path, content]) > keptFiles) throw new Refused(`the bundle has more than ${keptFiles} files`);
  }

  #refused(path: string, where: string): Refused {
    const node = this.nodes.get(path);
    const link = node === undefined || Buffer.isBuffer(node) ? "" : node.link;
    return new Refused(`${shownPath(path)} is a link to ${shownPath(link)}, ${where}; expected one to its content`);
  }
}
