/** Reads tar archives without writing to disk. */

import type { ReadEntry } from "tar" with { "resolution-mode": "import" };
import { Refused } from "../errors";
import { shownPath } from "../tree/paths";
import { packingOf } from "./decompress";
import type { Bytes } from "../../foundation/net/streams";

/** Callbacks for each entry, in the order of the archive. */
export interface TarSink {
  /** Returns whether the content is wanted; called before it is read. May throw Refused to abort. */
  begin(entry: TarEntry): boolean;
  /** Receives the complete content of a wanted entry; empty for entries without content. */
  end(entry: TarEntry, content: Buffer): void;
}

export interface TarEntry {
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "hard link" | "special";
  readonly size: number;
  /** Target of a link. */
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

/** Limits long names and other extended headers of one entry. */
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
  // Entry types that the parser does not know, and extended headers that are too long.
  parser.on("ignoredEntry", (entry: ReadEntry) => {
    fail(new Refused(`${shownPath(entry.path)} is of a kind that is not for manifests (${entry.type})`));
  });
  let first = true;
  // An empty archive consists of zeros, like the empty layers of images; the parser does not accept it as tar.
  let empty = true;
  for await (const chunk of source) {
    empty &&= chunk.every((byte) => byte === 0);
    // The parser would decompress it a second time without limits.
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
    // The parser reuses the buffers of its chunks.
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
