import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, isMissing } from "./errorCode";

/**
 * The content of a file; undefined if it does not exist. A file of more than `most` bytes is not ours and counts as
 * empty.
 */
export async function readIfThere(file: string, most: number): Promise<Buffer | undefined> {
  try {
    return (await stat(file)).size > most ? Buffer.alloc(0) : await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The text of a file; undefined if it does not exist. */
export async function textIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Writes a file atomically, also when several processes write it at once. `isPrivate`: readable by this user only. */
export async function writeWhole(file: string, bytes: Buffer, isPrivate = false): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(temporary, bytes, isPrivate ? { mode: 0o600 } : {});
    await rename(temporary, file);
  } catch (error) {
    // A full disk would keep a partial file. An error of the removal has the same cause as the error that is thrown.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a file with its whole content, readable by this user only. Returns false if it exists: another process's file
 * stays.
 */
export async function createWhole(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Creates a folder with its parents. With `recursive`, Node.js never ends where a file system refuses a folder with
 * ENOENT, as that of /proc does.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder, { mode }).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder), mode);
    await make();
  }
}

/** As {@link writeWhole}, and creates the folder if it is missing. */
export async function keepWhole(file: string, bytes: Buffer, isPrivate = false): Promise<void> {
  await makeFolder(dirname(file), isPrivate ? 0o700 : undefined);
  await writeWhole(file, bytes, isPrivate);
}

/** As {@link keepWhole} with `isPrivate`, synchronously, for code that must not yield. */
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
