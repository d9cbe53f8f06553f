import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Creates a folder with exactly these files, by relative path. Atomic, also if several processes do it at once. A
 * folder with other content was modified later and is replaced.
 */
export async function placeFolder(target: string, files: readonly (readonly [string, Buffer])[]): Promise<void> {
  if (await isThere(target, files)) return;
  const temporary = `${target}.${randomBytes(6).toString("hex")}`;
  await mkdir(temporary, { recursive: true });
  for (const [file, bytes] of files) {
    await mkdir(dirname(join(temporary, file)), { recursive: true });
    await writeFile(join(temporary, file), bytes);
  }
  await rm(target, { recursive: true, force: true });
  try {
    await rename(temporary, target);
  } catch (error) {
    // Another process created the same folder first.
    await rm(temporary, { recursive: true });
    if (!existsSync(target)) throw error;
  }
}

/** Whether the folder has exactly these files. */
async function isThere(folder: string, wanted: readonly (readonly [string, Buffer])[]): Promise<boolean> {
  if (!existsSync(folder)) return false;
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  if (found.filter((entry) => !entry.isDirectory()).length !== wanted.length) return false;
  const same = wanted.map(async ([file, bytes]) =>
    (await readFile(join(folder, file)).catch(() => undefined))?.equals(bytes),
  );
  return (await Promise.all(same)).every(Boolean);
}
