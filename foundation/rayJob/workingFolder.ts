import { createHash } from "node:crypto";
import { tryList, type Files } from "../schema/files";

/** The folder that a job of Ray runs in. */

/** Ray's limit for an upload. */
const LIMIT_MB = 100;

/** Folders that jobs never need. */
const SKIPPED: ReadonlySet<string> = new Set([".git", ".venv", "__pycache__", "node_modules"]);

interface WorkingFolder {
  /** By relative path with `/`, sorted. */
  readonly content: ReadonlyMap<string, Buffer>;
  /** SHA-256 of names and contents, so that the same folder always has the same digest. */
  readonly sha256: string;
}

/** Reads a folder, or returns a short reason why it can't be one. */
export function readWorkingFolder(files: Files, folder: string): WorkingFolder | { readonly trouble: string } {
  const listed = tryList(files, folder, SKIPPED);
  if ("trouble" in listed) return listed;
  const content = new Map<string, Buffer>();
  const hash = createHash("sha256");
  let size = 0;
  for (const name of listed.names) {
    const bytes = files.read(`${folder}/${name}`);
    size += bytes.length;
    if (size > LIMIT_MB * 1e6) return { trouble: `a folder with more than ${LIMIT_MB} MB` };
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    content.set(name, bytes);
  }
  return { content, sha256: hash.digest("hex") };
}

/** What is expected of such a folder. */
export const WORKING_FOLDER = `a folder with at most ${LIMIT_MB} MB; data belongs in a bucket, and large code in an image`;
