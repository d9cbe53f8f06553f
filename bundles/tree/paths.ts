/** Paths that come from outside. */

import { Refused } from "../errors";
import { LIMITS } from "../limits";

/** Characters that could mislead a user, a terminal or another program about what a name is. */
const MISLEADING = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd\\]/;

/** As a message shows it: short, on one line. */
export const shownPath = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 119)}…` : path);

/**
 * A path inside a tree without `.` and double `/`; the root is empty. Throws {@link Refused} for one that leads out of
 * the tree or is too long.
 */
export function cleanPath(raw: string): string {
  const refuse = (what: string): never => {
    throw new Refused(`the path ${shownPath(raw)} ${what}; expected one inside the bundle`);
  };
  if (raw.includes("\0")) refuse("has a zero byte in it");
  if (raw.startsWith("/")) refuse("is absolute");
  if (Buffer.byteLength(raw) > LIMITS.pathBytes) refuse(`is longer than ${LIMITS.pathBytes} bytes`);
  const names = raw.split("/").filter((name) => name !== "" && name !== ".");
  for (const name of names) {
    if (name === "..") refuse("has .. in it");
    if (Buffer.byteLength(name) > LIMITS.nameBytes) refuse(`has a name longer than ${LIMITS.nameBytes} bytes`);
  }
  if (names.length > LIMITS.depth) refuse(`has more than ${LIMITS.depth} folders`);
  return names.join("/");
}

/** Throws {@link Refused} for a name of a bundle's file that could be read as another one, here or elsewhere. */
export function checkPlain(path: string): void {
  if (MISLEADING.test(path)) {
    throw new Refused(
      `the path ${shownPath(path)} has a backslash, a control character or bytes that are no UTF-8; expected a plain name`,
    );
  }
  if (/^[A-Za-z]:/.test(path)) {
    throw new Refused(`the path ${shownPath(path)} begins like a drive of Windows; expected one inside the bundle`);
  }
}

/** Where a symbolic link leads, as a path in the same tree; undefined when it leads out of it. */
export function linkTarget(link: string, target: string): string | undefined {
  if (target.startsWith("/") || target.includes("\0")) return undefined;
  const names = link.split("/").slice(0, -1);
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else names.push(name);
  }
  return names.join("/");
}

/** `directory` of a source: empty for the root. */
export function cleanDirectory(directory: string | undefined): string {
  const clean = cleanPath(directory ?? "");
  checkPlain(clean);
  return clean;
}
