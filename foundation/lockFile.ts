import { dump, load, YAMLException } from "js-yaml";
import { isObject } from "./json/isObject";

/** Lock files: YAML that a command writes, users commit and programs read. */

/** Result of reading a lock file: the lock, or a short description of what is wrong with the file. */
export type LockRead<Lock> = { readonly lock: Lock } | { readonly trouble: string };

/** Parses a lock file and passes its top-level object to `read`, or undefined if the top level is not an object. */
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

/** Renders a lock file: the comment, then the content as YAML. */
export const renderLockFile = (comment: string, content: object): string =>
  `${comment}${dump(content, { lineWidth: -1 })}`;

export const record = (value: unknown): Record<string, unknown> | undefined => (isObject(value) ? value : undefined);
