/** A local folder or archive. */

import type { SourceOf } from "../../foundation/bundleSources";
import { createReadStream } from "node:fs";
import { lstat, readdir, readFile, readlink, stat } from "node:fs/promises";
import * as path from "node:path";
import { unpack } from "../archive/unpack";
import { Unavailable } from "../errors";
import type { TreeBuilder } from "../tree/builder";
import { cleanDirectory } from "../tree/paths";
import { readTree } from "../tree/readTree";
import type { FileTree } from "../tree/tree";
import { byContent } from "./byContent";
import type { SourceAccess, SourceKind } from "./kind";

export type LocalSource = SourceOf<"local">;

export const local: SourceKind<LocalSource> = {
  describe: ({ path }) => path,
  cacheKey: () => ({ type: "local" }),
  ...byContent(readLocal, ({ path }) => path, "its files were changed"),
};

export async function readLocal(source: LocalSource, access: SourceAccess): Promise<FileTree> {
  const place = path.resolve(access.base, source.path);
  const there = await stat(place).catch((cause: NodeJS.ErrnoException) => {
    throw new Unavailable(`${source.path} can't be read: ${cause.code ?? cause.message}`, false, { cause });
  });
  const { signal, keep } = access;
  return readTree({ directory: cleanDirectory(source.directory), keep }, (builder) => {
    if (there.isDirectory()) return readFolder(place, builder, signal);
    if (there.isFile()) return unpack(createReadStream(place, { signal }), builder);
    throw new Unavailable(`${source.path} is neither a folder nor a file; expected a folder or an archive`, false);
  });
}

/** Only reads folders on the path to the bundle's root and below it; others may be large and unrelated. */
export async function readFolder(place: string, builder: TreeBuilder, signal: AbortSignal | undefined): Promise<void> {
  const visit = async (below: string): Promise<void> => {
    signal?.throwIfAborted();
    for (const name of (await readdir(path.join(place, below))).sort()) {
      const raw = below === "" ? name : `${below}/${name}`;
      if (!builder.wants(raw) && !builder.leadsTo(raw)) {
        builder.beside(raw);
        continue;
      }
      const at = builder.entry(raw);
      const file = path.join(place, at);
      const found = await lstat(file);
      if (found.isDirectory()) {
        builder.folder(at);
        await visit(at);
      } else if (found.isSymbolicLink()) builder.link(at, await readlink(file));
      else if (!found.isFile()) builder.special(at, "a device, a socket or a pipe");
      else if (builder.wants(at)) {
        builder.room(at, found.size);
        builder.file(at, await readFile(file));
      }
    }
  };
  await visit("");
}
