import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Reads the files that the config references. Tests pass files in memory. */
export interface Files {
  /** Returns the file's bytes. Throws like `fs.readFileSync`. */
  read(path: string): Buffer;
}

/** The files of a project. Relative paths start at `folder`, `~/` at the home directory. */
export function projectFiles(folder: string): Files {
  const locate = (path: string): string =>
    path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
  return { read: (path) => readFileSync(locate(path)) };
}

/** Decodes UTF-8 text; undefined for other content, such as a program or an archive. */
export function utf8Text(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // Not UTF-8.
  }
}

/** Result of reading a file: its bytes, or a short reason why it can't be read. */
type Read = { readonly bytes: Buffer } | { readonly trouble: string };

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
    // The error's own message repeats the path, which may contain anything.
    return {
      trouble: (code === undefined ? undefined : TROUBLES[code]) ?? `a file that can't be read (${code ?? "unknown"})`,
    };
  }
}
