/** Checks of untrusted paths. */

import { Refused } from "../errors";
import { LIMITS } from "../limits";

/** Characters that could mislead a user, a terminal or another program about a name. */
const MISLEADING = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd\\]/;

/** A path for messages: short, on one line. */
export const shownPath = (path: string): string => JSON.stringify(path.length > 120 ? `${path.slice(0, 119)}…` : path);

/**
 * Normalizes a path in a tree: no `.`, no double `/`; empty for the root. Throws {@link Refused} for a path that leaves
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

/** Throws {@link Refused} for a file name that could be interpreted differently, here or on other systems. */
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

/** Resolves the target of a symbolic link in the tree; undefined if it leaves the tree. */
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

/** Normalizes a source's `directory`; empty for the root. */
export function cleanDirectory(directory: string | undefined): string {
  const clean = cleanPath(directory ?? "");
  checkPlain(clean);
  return clean;
}
