import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isMissing } from "./errorCode";

/** The content of a file; undefined if there is none. One of more than `most` bytes is none of ours, and counts as empty. */
export async function readIfThere(file: string, most: number): Promise<Buffer | undefined> {
  try {
    return (await stat(file)).size > most ? Buffer.alloc(0) : await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The text of a file; undefined if there is none. */
export async function textIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes a file as a whole or not at all, also when several programs write it at once. `isPrivate`: for this user only. */
export async function writeWhole(file: string, bytes: Buffer, isPrivate = false): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(temporary, bytes, isPrivate ? { mode: 0o600 } : {});
    await rename(temporary, file);
  } catch (error) {
    // On a full disk half of it would stay. What keeps it from being removed is what kept it from being written.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** As {@link writeWhole}, into a folder that is created where it is missing. */
export async function keepWhole(file: string, bytes: Buffer, isPrivate = false): Promise<void> {
  await mkdir(dirname(file), { recursive: true, ...(isPrivate && { mode: 0o700 }) });
  await writeWhole(file, bytes, isPrivate);
}

/** As {@link keepWhole} for this user only, for code that must not yield in between. */
export function writePrivateSync(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
