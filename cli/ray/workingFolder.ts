import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { Failure, UsageError } from "../../foundation/errors";
import { filesIn } from "../folder";

/** Ray's limit for an upload. */
const LIMIT_MB = 100;

/** Folders that jobs never need. */
const SKIPPED = new Set([".git", ".venv", "__pycache__", "node_modules"]);

interface Archive {
  readonly content: Uint8Array;
  /** SHA-256 of names and contents, so that the same folder always has the same digest. */
  readonly digest: string;
}

/** Packs a folder into an archive for Ray. */
export async function archiveOf(folder: string): Promise<Archive> {
  const there = await stat(folder).catch(() => undefined);
  if (!there?.isDirectory()) throw new UsageError(`working folder: found ${folder}; expected an existing folder`);
  const hash = createHash("sha256");
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  let size = 0;
  for (const name of await filesIn(folder, SKIPPED)) {
    const content = await readFile(path.join(folder, name));
    size += content.length;
    if (size > LIMIT_MB * 1e6) {
      throw new Failure(
        `${folder} has more than ${LIMIT_MB} MB, which is too much for a working folder; put data into a bucket, or code into an image`,
      );
    }
    hash.update(`${name}\0${content.length}\0`).update(content);
    await zip.add(name, new Uint8ArrayReader(content));
  }
  return { content: await zip.close(), digest: hash.digest("hex") };
}
