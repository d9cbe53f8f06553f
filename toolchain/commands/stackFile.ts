import * as fs from "node:fs";
import * as path from "node:path";
import { writePrivate } from "../yard/files";

/*
 * Pulumi writes the salt of a stack's passphrase into the stack's file. Pulumi.dev.yaml belongs to everybody and the
 * passphrase to one checkout's yard, so the salt is kept with the yard: `make up` works on a copy that has it.
 */

const SALT = /^encryptionsalt: .*\n?/m;

/** The salt line of a stack file, or nothing. */
export function saltOf(text: string): string | undefined {
  return SALT.exec(text)?.[0].trimEnd();
}

/** A stack file with this salt, unless it has one already. */
export function withSalt(text: string, salt: string | undefined): string {
  if (salt === undefined || saltOf(text) !== undefined) return text;
  return `${text.trimEnd()}\n${salt}\n`;
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

/** Lets work of a moment run that makes Pulumi write a salt into a stack file, and puts the file back as it was. Returns the salt. */
export async function keepingStackFile(file: string, work: () => Promise<void>): Promise<string | undefined> {
  const before = fs.readFileSync(file, "utf8");
  let after = before;
  try {
    await work();
  } finally {
    after = fs.readFileSync(file, "utf8");
    if (after !== before && saltOf(before) === undefined) fs.writeFileSync(file, before);
  }
  return saltOf(after);
}

/** The yard's copy of a stack file: what the file says now, with the salt that the copy had. Returns its path. */
export function yardStackFile(file: string, yard: string, freshSalt?: string): string {
  const copy = path.join(yard, path.basename(file));
  const salt = freshSalt ?? saltOf(readIfThere(copy) ?? "");
  writePrivate(copy, withSalt(fs.readFileSync(file, "utf8"), salt));
  return copy;
}

/** Lets work run that changes a stack file and deploys it with the yard's passphrase; the salt does not stay in it. */
export async function lendingSalt<T>(file: string, yard: string, work: () => Promise<T>): Promise<T> {
  const own = fs.readFileSync(file, "utf8");
  if (saltOf(own) !== undefined) return work();
  const salt = saltOf(readIfThere(path.join(yard, path.basename(file))) ?? "");
  fs.writeFileSync(file, withSalt(own, salt));
  try {
    return await work();
  } finally {
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(SALT, ""));
  }
}
