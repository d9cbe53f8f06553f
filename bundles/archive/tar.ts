/** Reads tar without writing anything to disk. */

import type { ReadEntry } from "tar" with { "resolution-mode": "import" };
import { Refused } from "../errors";
import { shownPath } from "../tree/paths";
import { packingOf } from "./decompress";
import type { Bytes } from "../../foundation/net/streams";

/** What is reported of each entry, in the order of the archive. */
export interface TarSink {
  /** Whether the content is wanted; asked before it is read. Throws Refused to end it all. */
  begin(entry: TarEntry): boolean;
  /** The whole content of an entry that was wanted, or nothing for one that has none. */
  end(entry: TarEntry, content: Buffer): void;
}

export interface TarEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "hard link" | "special";
  readonly size: number;
  /** Of links. */
  readonly target: string;
}

const KINDS: Readonly<Record<string, TarEntry["kind"]>> = {
  File: "file",
  OldFile: "file",
  ContiguousFile: "file",
  Directory: "folder",
  SymbolicLink: "link",
  Link: "hard link",
};

/** More of long names and other notes on one entry serves nobody. */
const META_BYTES = 64 * 1024;

export async function readTar(source: Bytes, sink: TarSink): Promise<void> {
  const { Parser } = await import("tar");
  let failure: Error | undefined;
  const fail = (error: unknown): void => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  };
  const parser = new Parser({
    strict: true,
    maxMetaEntrySize: META_BYTES,
    onReadEntry: (entry) => take(entry, sink, fail, () => failure !== undefined),
  });
  parser.on("error", (error: Error) => fail(new Refused(`it is no tar archive, or damaged: ${error.message}`)));
  // Kinds that the parser does not know, and notes that are too long.
  parser.on("ignoredEntry", (entry: ReadEntry) => {
    fail(new Refused(`${shownPath(entry.path)} is of a kind that is not for manifests (${entry.type})`));
  });
  let first = true;
  // An archive of nothing is zeros, as the empty layers of images are; the parser takes that for none at all.
  let empty = true;
  for await (const chunk of source) {
    empty &&= chunk.every((byte) => byte === 0);
    // The parser would unpack it once more, unmeasured.
    if (first && packingOf(Buffer.from(chunk.subarray(0, 6))) !== "none") throw new Refused("it is packed twice");
    first = false;
    parser.write(chunk);
    if (failure !== undefined) throw failure;
  }
  if (!first && empty) return;
  await new Promise<void>((resolve) => {
    parser.once("close", resolve);
    parser.once("error", () => resolve());
    parser.end();
  });
  if (failure !== undefined) throw failure;
}

function take(entry: ReadEntry, sink: TarSink, fail: (error: unknown) => void, failed: () => boolean): void {
  const described: TarEntry = {
    path: entry.path,
    kind: KINDS[entry.type] ?? "special",
    size: entry.size,
    target: entry.linkpath ?? "",
  };
  const chunks: Buffer[] = [];
  let wanted = false;
  try {
    wanted = !failed() && sink.begin(described);
  } catch (error) {
    fail(error);
  }
  entry.on("data", (chunk: Buffer) => {
    // The parser's chunks are views of what it reads from.
    if (wanted && !failed()) chunks.push(Buffer.from(chunk));
  });
  entry.on("end", () => {
    if (!wanted || failed()) return;
    try {
      sink.end(described, Buffer.concat(chunks));
    } catch (error) {
      fail(error);
    }
  });
}
