import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, posix, resolve } from "node:path";
import type { LockRead } from "../lockFile";

/** Reads the files that the config references. Tests pass files in memory. */
export interface Files {
  /** Returns the file's bytes. Throws like `fs.readFileSync`. */
  read(path: string): Buffer;
  /**
   * Returns the files in a folder by relative path with `/`, sorted; without entries whose name is in `skipped`. Throws
   * like `fs.readdirSync`.
   */
  list(path: string, skipped: ReadonlySet<string>): readonly string[];
}

/** The files of a project. Relative paths start at `folder`, `~/` at the home directory. */
export function projectFiles(folder: string): Files {
  const locate = (path: string): string =>
    path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
  return { read: (path) => readFileSync(locate(path)), list: (path, skipped) => filesIn(locate(path), skipped) };
}

function filesIn(folder: string, skipped: ReadonlySet<string>, below = ""): string[] {
  const found = readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const name = posix.join(below, entry.name);
    if (entry.isDirectory()) return filesIn(folder, skipped, name);
    return entry.isFile() ? [name] : [];
  });
  return found.sort();
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

/** Reads and parses a file; a short reason if it can't be read or parsed. */
export function tryParse<Lock>(files: Files, path: string, parse: (text: string) => LockRead<Lock>): LockRead<Lock> {
  const read = tryRead(files, path);
  return "bytes" in read ? parse(read.bytes.toString("utf8")) : read;
}

/** Lists a folder like {@link Files.list}, or returns a short reason why it can't be listed. */
export function tryList(
  files: Files,
  path: string,
  skipped: ReadonlySet<string>,
): { readonly names: readonly string[] } | { readonly trouble: string } {
  try {
    return { names: files.list(path, skipped) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    const known: Readonly<Record<string, string>> = { ENOENT: "no such folder", ENOTDIR: "a file" };
    return { trouble: known[code] ?? `a folder that can't be read (${code})` };
  }
}
