import { promisify } from "node:util";
import * as zlib from "node:zlib";

/** Endings under which the CLI keeps a checkpoint, and how each is read. */
const READERS: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  ".json": (content) => Promise.resolve(content),
  ".json.gz": promisify(zlib.gunzip),
  ".json.zst": promisify(zlib.zstdDecompress),
};

/** In the order in which they are looked for. */
export const ENDINGS: readonly string[] = Object.keys(READERS);

/** Stack and ending of a checkpoint's file name; undefined for any other file, such as a backup. */
export function checkpointFile(file: string): { stack: string; ending: string } | undefined {
  const ending = ENDINGS.find((known) => file.endsWith(known));
  const stack = ending === undefined ? "" : file.slice(0, -ending.length);
  return ending === undefined || stack === "" ? undefined : { stack, ending };
}

/** The text in a checkpoint file of that ending. */
export async function decodeCheckpoint(ending: string, content: Buffer): Promise<string> {
  const read = READERS[ending];
  if (!read) throw new Error(`a checkpoint with the ending ${ending} cannot be read; known are ${ENDINGS.join(", ")}`);
  return (await read(content)).toString("utf8");
}
