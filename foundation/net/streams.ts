/** Byte streams with a size limit and a digest. */

import { createHash, type Hash } from "node:crypto";
import { Refused } from "./errors";
import { mib } from "./bytes";

export type Bytes = AsyncIterable<Uint8Array>;

/** Passes bytes on, counts them and computes their digest. `total` is the number of bytes so far. */
export class Meter {
  total = 0;
  readonly #hash: Hash;

  constructor(
    private readonly most: number,
    private readonly what: string,
    private readonly algorithm = "sha256",
  ) {
    this.#hash = createHash(algorithm);
  }

  async *read(source: Bytes): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.total += chunk.length;
      if (this.total > this.most) throw new Refused(`${this.what} has more than ${mib(this.most)}`);
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  /** Digest of all bytes so far. */
  digest(): string {
    return `${this.algorithm}:${this.#hash.copy().digest("hex")}`;
  }
}

/** Reads the rest of a stream, for its digest. */
export async function drain(source: Bytes): Promise<void> {
  const rest = source[Symbol.asyncIterator]();
  while (!(await rest.next()).done);
}

/** Reads a whole stream. Throws {@link Refused} if it has more than `most` bytes. */
export async function readAll(source: Bytes, most: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of new Meter(most, what).read(source)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns the first bytes, at least `least` unless the stream is shorter, and a stream of everything. */
export async function peek(source: Bytes, least: number): Promise<{ head: Buffer; all: AsyncGenerator<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < least) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head, all: all() };
}
