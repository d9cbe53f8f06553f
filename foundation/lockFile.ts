import { dump, load, YAMLException } from "js-yaml";
import { isObject } from "./json/isObject";

/** Lock files: YAML that a command writes, people commit and programs read. */

/** Result of reading a lock file: the lock, or in a few words what is wrong with it. */
export type LockRead<Lock> = { readonly lock: Lock } | { readonly trouble: string };

/** Reads a lock file; `read` gets its top-level object, or undefined if it has none. */
export function parseLockFile<Lock>(
  text: string,
  read: (document: Record<string, unknown> | undefined) => LockRead<Lock>,
): LockRead<Lock> {
  let document: unknown;
  try {
    document = load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { trouble: `text that is not YAML (${error.reason})` };
  }
  return read(record(document));
}

/** The text of a lock file, under a comment that says what it is. */
export const renderLockFile = (comment: string, content: object): string =>
  `${comment}${dump(content, { lineWidth: -1 })}`;

export const record = (value: unknown): Record<string, unknown> | undefined => (isObject(value) ? value : undefined);
