/** Splits zstd data into its frames: Node.js stops after a frame that ends within a chunk, and ignores the rest. */

import type { Bytes } from "../../foundation/net/streams";

const FRAME = 0xfd2fb528;
/** Magic number of a skippable frame, which contains user data; any last hex digit is valid. */
const SKIPPABLE = 0x184d2a50;

export const isSkippable = (head: Buffer): boolean =>
  head.length >= 4 && (head.readUInt32LE(0) & ~0xf) >>> 0 === SKIPPABLE;

/** Field lengths in a frame header, indexed by its descriptor. */
const DICTIONARY = [0, 1, 2, 4];
const CONTENT = [0, 2, 4, 8];
const CHECKSUM = 4;
/** Type of a block with one byte that is repeated. */
const REPEATED = 1;

/** Yields the same bytes, with no chunk across two frames. Invalid data passes too; the decompressor reports it. */
export async function* zstdFrames(source: Bytes): AsyncGenerator<Uint8Array> {
  const reader = new Reader(source);
  for (;;) {
    const magic = await reader.take(4);
    if (magic.length === 0) return;
    yield magic;
    if (isSkippable(magic)) {
      const size = await reader.take(4);
      yield size;
      if (size.length === 4) yield* reader.pass(size.readUInt32LE(0));
    } else if (magic.length === 4 && magic.readUInt32LE(0) === FRAME) yield* frame(reader);
    else yield* reader.pass(Infinity);
  }
}

async function* frame(reader: Reader): AsyncGenerator<Uint8Array> {
  const descriptor = await reader.take(1);
  yield descriptor;
  const flags = descriptor[0] ?? 0;
  const single = (flags >> 5) & 1;
  const content = CONTENT[flags >> 6] ?? 0;
  yield* reader.pass((single ? 0 : 1) + (DICTIONARY[flags & 3] ?? 0) + (single && content === 0 ? 1 : content));
  for (let last = false; !last;) {
    const header = await reader.take(3);
    yield header;
    if (header.length < 3) return;
    const block = header.readUIntLE(0, 3);
    last = (block & 1) === 1;
    yield* reader.pass(((block >> 1) & 3) === REPEATED ? 1 : block >> 3);
  }
  yield* reader.pass((flags >> 2) & 1 ? CHECKSUM : 0);
}

class Reader {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = Buffer.alloc(0);

  constructor(source: Bytes) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  /** Passes this number of bytes through; fewer at the end. */
  async *pass(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      if (this.#rest.length === 0) {
        const next = await this.#iterator.next();
        if (next.done === true) return;
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      if (piece.length > 0) yield piece;
    }
  }

  /** Reads this number of bytes; fewer at the end. */
  async take(bytes: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pass(bytes)) pieces.push(piece);
    return Buffer.concat(pieces);
  }
}
