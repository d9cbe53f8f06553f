import { promisify } from "node:util";
import * as zlib from "node:zlib";

/** File endings of checkpoints in the CLI, with their decoders. */
const READERS: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  ".json": (content) => Promise.resolve(content),
  ".json.gz": promisify(zlib.gunzip),
  ".json.zst": promisify(zlib.zstdDecompress),
};

/** In the order of the lookup. */
export const ENDINGS: readonly string[] = Object.keys(READERS);

/** Returns the stack and ending of a checkpoint's file name; undefined for other files, such as backups. */
export function checkpointFile(file: string): { stack: string; ending: string } | undefined {
  const ending = ENDINGS.find((known) => file.endsWith(known));
  const stack = ending === undefined ? "" : file.slice(0, -ending.length);
  return ending === undefined || stack === "" ? undefined : { stack, ending };
}

/** Decodes a checkpoint file with this ending. */
export async function decodeCheckpoint(ending: string, content: Buffer): Promise<string> {
  const read = READERS[ending];
  if (!read) throw new Error(`a checkpoint with the ending ${ending} cannot be read; known are ${ENDINGS.join(", ")}`);
  return (await read(content)).toString("utf8");
}
