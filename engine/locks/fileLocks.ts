import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import * as path from "node:path";
import { Failure } from "../../foundation/errors";
import { folderOfUrl } from "../backend/fileUrl";
import type { LockStore } from "./lockStore";
import { hasCode, isMissing } from "../../foundation/errorCode";
import { createWhole, textIfThere } from "../../foundation/wholeFile";

/** Keeps locks in the folder of the states. */
export class FileLocks implements LockStore {
  private constructor(private readonly folder: string) {}

  static async open(url: string, base: string): Promise<FileLocks> {
    const home = folderOfUrl(url, base);
    // Creating the folder would hide a wrong URL.
    if (!(await stat(home).catch(() => undefined))?.isDirectory()) {
      throw new Failure(`there is no folder ${home}; expected the state that PULUMI_BACKEND_URL names`);
    }
    return new FileLocks(path.join(home, ".pulumi"));
  }

  /** A lock file is always complete, even after a kill. */
  async create(name: string, text: string): Promise<boolean> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    return createWhole(file, text);
  }

  async read(name: string): Promise<string | undefined> {
    return textIfThere(path.join(this.folder, name));
  }

  async names(folder: string): Promise<string[]> {
    try {
      const entries = await readdir(path.join(this.folder, folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
        .map((name) => name.split(path.sep).join("/"));
    } catch (error) {
      if (isMissing(error)) return []; // No lock was ever created.
      throw error;
    }
  }

  /**
   * Renames the file before comparing it, so that only one of two concurrent removals succeeds. A file with another
   * text is restored.
   */
  async removeIf(name: string, text: string): Promise<boolean> {
    const file = path.join(this.folder, name);
    if ((await this.read(name)) !== text) return false;
    const aside = `${file}.${randomUUID()}`;
    try {
      await rename(file, aside);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    const isAsAsked = (await readFile(aside, "utf8")) === text;
    // If a third process has acquired the lock meanwhile, it keeps it.
    if (!isAsAsked) await link(aside, file).catch((error: unknown) => ignoreTaken(error));
    // The CLI keeps attributes beside its own locks.
    else await rm(`${file}.attrs`, { force: true });
    await rm(aside, { force: true });
    return isAsAsked;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function ignoreTaken(error: unknown): void {
  if (!hasCode(error, "EEXIST")) throw error;
}
