/** Decompresses gzip and zstd with limits on the ratio and the size. */

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { Refused } from "../errors";
import { mib, type ReadLimits } from "../limits";
import { Meter, peek, type Bytes } from "../../foundation/net/streams";
import { isSkippable, zstdFrames } from "./zstdFrames";

const MAGIC = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  zip: [0x50, 0x4b],
  bzip2: [0x42, 0x5a, 0x68],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a],
} as const;

type Packing = keyof typeof MAGIC | "none";

/** Detects the format by the first bytes; names and headers may be wrong. */
export function packingOf(head: Buffer): Packing {
  if (isSkippable(head)) return "zstd";
  const found = Object.entries(MAGIC).find(([, bytes]) => bytes.every((byte, at) => head[at] === byte));
  return (found?.[0] as Packing | undefined) ?? "none";
}

/** How much one archive, or all layers of an image together, may still unpack to. */
export interface Room {
  unpacked: number;
}

/**
 * Decompresses gzip, zstd or plain bytes. Throws {@link Refused} for another format, damaged data, and decompression
 * bombs.
 */
export async function* decompress(source: Bytes, limits: ReadLimits, room: Room): AsyncGenerator<Uint8Array> {
  const { head, all } = await peek(source, 6);
  const packing = packingOf(head);
  const packed = new Meter(Infinity, "the archive");
  for await (const chunk of open(packing, packed.read(all))) {
    room.unpacked += chunk.length;
    if (room.unpacked > limits.unpackedBytes) throw new Refused(`it unpacks to more than ${mib(limits.unpackedBytes)}`);
    if (room.unpacked > limits.ratioFrom && room.unpacked > limits.ratio * Math.max(packed.total, 1)) {
      throw new Refused(
        `it unpacks to more than ${limits.ratio} times its size; expected no such archive of manifests`,
      );
    }
    yield chunk;
  }
}

function open(packing: Packing, source: AsyncGenerator<Uint8Array>): Bytes {
  if (packing === "none") return source;
  if (packing === "gzip") return through(source, zlib.createGunzip());
  if (packing !== "zstd") throw new Refused(`found ${packing}; expected tar, tar.gz, tar.zst or zip`);
  if (typeof zlib.createZstdDecompress !== "function") {
    throw new Refused(`found zstd, which Node.js ${process.version} can't read; expected 22.15 or newer, or gzip`);
  }
  return through(zstdFrames(source), zlib.createZstdDecompress());
}

/** Passes errors of the source unchanged; errors of the decompression count as damage. */
async function* through(
  source: AsyncGenerator<Uint8Array>,
  transform: NodeJS.ReadWriteStream & Readable,
): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      yield* source;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const done = pipeline(Readable.from(watched(), { objectMode: false }), transform).catch((error: unknown) => {
    failure ??= error;
  });
  try {
    for await (const chunk of transform) yield chunk as Buffer;
  } catch (error) {
    await done;
    const cause = failure ?? error;
    const { code } = cause as NodeJS.ErrnoException;
    if (code?.startsWith("Z_") || code?.startsWith("ZSTD_")) {
      throw new Refused("the archive is damaged or cut off: it can't be decompressed");
    }
    throw cause;
  }
}
