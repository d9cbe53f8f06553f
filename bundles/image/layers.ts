/** Merges the layers of an image, as far as they affect the bundle. */

import { createHash } from "node:crypto";
import { decompress, type Room } from "../archive/decompress";
import { drain, Meter, type Bytes } from "../../foundation/net/streams";
import { readTar, type TarEntry } from "../archive/tar";
import { Refused, Unavailable } from "../errors";
import { mib } from "../limits";
import type { TreeBuilder } from "../tree/builder";
import { shownPath } from "../tree/paths";
import { MARK, OPAQUE } from "../tree/whiteouts";
import type { Descriptor } from "./manifest";

/** Changes by one layer. Deletions only affect earlier layers, wherever their markers are in this one. */
interface Layer {
  readonly removed: readonly string[];
  readonly cleared: readonly string[];
  readonly added: readonly { readonly path: string; readonly entry: TarEntry; readonly content: Buffer }[];
}

/**
 * Reads a layer completely and verifies its size and digests; only then its content may be used. `diffId`: digest of
 * the unpacked layer, if the image contains it.
 */
export async function readLayer(
  source: Bytes,
  wanted: Descriptor,
  diffId: string | undefined,
  builder: TreeBuilder,
  room: Room,
): Promise<Layer> {
  const [algorithm = "sha256"] = wanted.digest.split(":");
  const packed = new Meter(wanted.size, `the layer, which claims ${wanted.size} bytes,`, algorithm);
  const unpacked = createHash("sha256");
  const all = packed.read(source);
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of decompress(all, builder.limits, room)) {
      unpacked.update(chunk);
      yield chunk;
    }
  }
  const layer = new LayerReader(builder);
  await readTar(measured(), layer);
  await drain(all);
  checkDigest(packed, wanted);
  const content = `sha256:${unpacked.digest("hex")}`;
  if (diffId !== undefined && content !== diffId) {
    throw new Refused(
      `the layer ${wanted.digest} unpacks to ${content}; expected ${diffId}, as the image's config says`,
    );
  }
  return layer;
}

function checkDigest(packed: Meter, { digest, size }: Descriptor): void {
  if (packed.total < size)
    throw new Unavailable(`the layer ${digest} ends after ${packed.total} of ${size} bytes`, true);
  if (packed.digest() !== digest) throw new Refused(`the layer has the digest ${packed.digest()}; expected ${digest}`);
}

class LayerReader implements Layer {
  readonly removed: string[] = [];
  readonly cleared: string[] = [];
  readonly added: { path: string; entry: TarEntry; content: Buffer }[] = [];
  #bytes = 0;
  #path = "";

  constructor(private readonly builder: TreeBuilder) {}

  begin(entry: TarEntry): boolean {
    this.#path = this.builder.entry(entry.path);
    const slash = this.#path.lastIndexOf("/");
    const name = this.#path.slice(slash + 1);
    if (name.startsWith(MARK)) {
      this.#mark(this.#path.slice(0, Math.max(slash, 0)), name.slice(MARK.length));
      return false;
    }
    // A file that replaces a folder deletes its content, even if it is above the bundle's root.
    if (!this.builder.wants(this.#path)) {
      if (entry.kind !== "folder" && this.builder.leadsTo(this.#path)) this.removed.push(this.#path);
      return false;
    }
    if (entry.kind !== "file") {
      this.added.push({ path: this.#path, entry, content: Buffer.alloc(0) });
      return false;
    }
    const { keptBytes } = this.builder.limits;
    this.builder.room(this.#path, entry.size);
    this.#bytes += entry.size;
    if (this.#bytes > keptBytes) throw new Refused(`the bundle's files have more than ${mib(keptBytes)}`);
    return true;
  }

  end(entry: TarEntry, content: Buffer): void {
    this.added.push({ path: this.#path, entry, content });
  }

  #mark(folder: string, name: string): void {
    if (["", ".", ".."].includes(name))
      throw new Refused(`${shownPath(`${folder}/${MARK}${name}`)} removes nothing; expected a name`);
    if (MARK + name === OPAQUE) this.cleared.push(folder);
    // Other markers are metadata of a file system.
    else if (!name.startsWith(MARK)) this.removed.push(folder === "" ? name : `${folder}/${name}`);
  }
}

export function applyLayer({ removed, cleared, added }: Layer, builder: TreeBuilder): void {
  for (const path of cleared) builder.clear(path);
  for (const path of removed) builder.remove(path);
  for (const { path, entry, content } of added) {
    if (entry.kind === "file") builder.file(path, content);
    else if (entry.kind === "folder") builder.folder(path);
    else if (entry.kind === "link") builder.link(path, entry.target);
    else if (entry.kind === "hard link") builder.hardLink(path, entry.target);
    else builder.special(path, "a device, a socket or a pipe");
  }
}
