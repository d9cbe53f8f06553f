/** Fills a tree from an archive in any supported format. */

import type { Entry } from "@zip.js/zip.js";
import { Refused } from "../errors";
import { mib } from "../limits";
import type { TreeBuilder } from "../tree/builder";
import { shownPath } from "../tree/paths";
import { decompress, packingOf } from "./decompress";
import { drain, peek, type Bytes, readAll } from "../../foundation/net/streams";
import { readTar, type TarSink } from "./tar";

/** Reads zip archives. They are held in memory, because their directory is at the end. */
const TYPE = 0xf000;
const [LINK, FOLDER, FILE] = [0xa000, 0x4000, 0x8000];

async function readZip(source: Bytes, builder: TreeBuilder): Promise<void> {
  const bytes = await readAll(source, builder.limits.zipBytes, "the zip archive");
  const { Uint8ArrayReader, ZipReader } = await import("@zip.js/zip.js");
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    useWebWorkers: false,
    checkSignature: true,
    checkOverlappingEntry: true,
  });
  try {
    for await (const entry of reader.getEntriesGenerator()) await take(entry, bytes.length, builder);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`it is no zip archive, or damaged: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await reader.close();
  }
}

async function take(entry: Entry, archive: number, builder: TreeBuilder): Promise<void> {
  const path = builder.entry(entry.filename);
  const type = (entry.externalFileAttributes >>> 16) & TYPE;
  if (entry.directory || type === FOLDER) return builder.folder(path);
  if (entry.encrypted) throw new Refused(`${shownPath(path)} is encrypted`);
  if (type !== 0 && type !== FILE && type !== LINK) return builder.special(path, "a device, a socket or a pipe");
  if (type === LINK) return builder.link(path, (await content(entry, 4096)).toString("utf8"));
  if (!builder.wants(path)) return;
  builder.room(path, entry.uncompressedSize);
  const { ratio, ratioFrom } = builder.limits;
  if (entry.uncompressedSize > ratioFrom && entry.uncompressedSize > ratio * archive) {
    throw new Refused(`${shownPath(path)} unpacks to more than ${ratio} times the archive's size`);
  }
  builder.file(path, await content(entry, entry.uncompressedSize));
}

/** Enforces the limit while reading: the size in an entry's header may be wrong. */
async function content(entry: Entry, most: number): Promise<Buffer> {
  if (entry.directory) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.length;
      if (size > most) throw new Refused(`${shownPath(entry.filename)} has more than the ${mib(most)} that it claims`);
      chunks.push(Uint8Array.from(chunk));
    },
  });
  await entry.getData(sink);
  return Buffer.concat(chunks);
}

/** Reads a tar, tar.gz, tar.zst or zip archive completely. */
export async function unpack(source: Bytes, builder: TreeBuilder): Promise<void> {
  const { head, all } = await peek(source, 4);
  if (head.length === 0) throw new Refused("it is empty; expected tar, tar.gz, tar.zst or zip");
  if (/^\s*</.test(head.toString("latin1")))
    throw new Refused("it is a page of HTML or XML, such as a form to log in; expected tar, tar.gz, tar.zst or zip");
  if (packingOf(head) === "zip") await readZip(all, builder);
  else await readTar(decompress(all, builder.limits, { unpacked: 0 }), intoTree(builder));
  await drain(all);
}

function intoTree(builder: TreeBuilder): TarSink {
  let path = "";
  return {
    begin(entry) {
      path = builder.entry(entry.path);
      if (entry.kind === "folder") builder.folder(path);
      else if (entry.kind === "link") builder.link(path, entry.target);
      else if (entry.kind === "hard link") builder.hardLink(path, entry.target);
      else if (entry.kind === "special") builder.special(path, "a device, a socket or a pipe");
      if (entry.kind !== "file" || !builder.wants(path)) return false;
      builder.room(path, entry.size);
      return true;
    },
    end(_, content) {
      builder.file(path, content);
    },
  };
}
