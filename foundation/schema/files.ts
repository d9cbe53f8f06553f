import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where the decoder reads the files that the config names; tests give it a few in memory. */
export interface Files {
  /** The file's bytes. Throws as `fs.readFileSync` does. */
  read(path: string): Buffer;
}

/** The files of a project: relative paths start at `folder`, `~/` at the home folder. */
export function projectFiles(folder: string): Files {
  const locate = (path: string): string =>
    path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
  return { read: (path) => readFileSync(locate(path)) };
}

/** Bytes as the text that they are in UTF-8; undefined for anything else, such as a program or an archive. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // Not UTF-8.
  }
}

/** Result of reading a file: its bytes, or in a few words why there are none. */
export type Read = { readonly bytes: Buffer } | { readonly trouble: string };

const TROUBLES: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "a folder",
  ENOTDIR: "no such file",
  EACCES: "a file that may not be read",
};

export function tryRead(files: Files, path: string): Read {
  try {
    return { bytes: files.read(path) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Not the error's own message: it repeats the path, and that may be anything.
    return {
      trouble: (code === undefined ? undefined : TROUBLES[code]) ?? `a file that can't be read (${code ?? "unknown"})`,
    };
  }
}
