/** Files and folders that can't be written: a full disk, or a lack of rights. */

import { Failure } from "./errors";

const SPACE = "Make space on that disk";
/** By the code of Node.js: the words of Go, and so of the engine; and what to do. */
const CAUSES: Readonly<Record<string, readonly [words: string, remedy: string]>> = {
  ENOSPC: ["no space left on device", SPACE],
  EDQUOT: ["disk quota exceeded", SPACE],
  EROFS: ["read-only file system", "Mount that file system for writing"],
  EACCES: ["permission denied", "Give your user the rights to it"],
};

const textFor = (file: string, [words, remedy]: readonly [string, string]): string =>
  `${file}: ${words}. ${remedy} and run the command again`;

/** Names the file if it can't be written, and what to do. */
export async function unlessUnwritable<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = CAUSES[String((error as NodeJS.ErrnoException).code)];
    throw cause ? new Failure(textFor(file, cause)) : error;
  }
}

/** The engine adds an `Unknown` of its own to the cause. */
const WRITING = new RegExp(
  String.raw`\b(?:write|open|mkdir|rename|link|chtimes|chmod|remove|unlinkat) (/\S+)(?: /\S+)?: (${Object.values(CAUSES)
    .map(([words]) => words)
    .join("|")})(?:\s+\d\) Unknown)*$`,
);

/** What to do about a file that the engine could not write; undefined for any other text. */
export function unwritableFault(text: string): string | undefined {
  const [, file = "", words] = WRITING.exec(text.trim()) ?? [];
  const cause = Object.values(CAUSES).find(([known]) => known === words);
  return cause && textFor(file, cause);
}
