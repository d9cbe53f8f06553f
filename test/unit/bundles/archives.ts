import { gzipSync } from "node:zlib";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { Header } from "tar";

/** An entry of an archive, as strange as it may be. */
export interface Entry {
  readonly path: string;
  readonly content?: string | Buffer;
  /** As tar's parser calls it. Default: File. */
  readonly type?: string;
  readonly target?: string;
  /** What the header says. Default: the truth. */
  readonly size?: number;
}

const BLOCK = 512;

const padded = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);

/** A tar archive with exactly these entries, byte for byte: no library writes hostile ones. */
export function tarOf(entries: readonly Entry[], { end = true } = {}): Buffer {
  const parts = entries.flatMap(({ path, content = "", type = "File", target, size }) => {
    const bytes = Buffer.from(content);
    const block = Buffer.alloc(BLOCK);
    const fields = {
      path,
      type: type as "File",
      linkpath: target,
      size: size ?? bytes.length,
      mode: 0o644,
      mtime: new Date(0),
    };
    const long = new Header(fields).encode(block, 0) && Buffer.byteLength(path) > 99;
    return [...(long ? longName(path) : []), block, padded(bytes)];
  });
  return Buffer.concat([...parts, ...(end ? [Buffer.alloc(2 * BLOCK)] : [])]);
}

/** As GNU tar writes a name that does not fit. */
function longName(path: string): Buffer[] {
  const block = Buffer.alloc(BLOCK);
  const name = Buffer.from(`${path}\0`);
  new Header({ path: "././@LongLink", type: "NextFileHasLongPath", size: name.length, mode: 0 }).encode(block, 0);
  return [block, padded(name)];
}

export const tgzOf = (entries: readonly Entry[]): Buffer => gzipSync(tarOf(entries));

export async function zipOf(entries: readonly Entry[]): Promise<Buffer> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false, keepOrder: true });
  for (const { path, content = "", type = "File" } of entries) {
    const mode = { SymbolicLink: 0o120777, CharacterDevice: 0o020666, FIFO: 0o010666 }[type] ?? 0o100644;
    const options = {
      directory: type === "Directory",
      externalFileAttributes: (mode << 16) >>> 0,
      versionMadeBy: 0x0314,
    };
    await writer.add(path, type === "Directory" ? undefined : new Uint8ArrayReader(Buffer.from(content)), options);
  }
  return Buffer.from(await writer.close());
}
