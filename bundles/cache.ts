/** Files of bundles by the digest that they were asked for with, for all checkouts of one user. */

import { createHash } from "node:crypto";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../foundation/cacheFolder";
import { readIfThere, keepWhole } from "../foundation/wholeFile";
import { LIMITS } from "./limits";
import { contentDigest, makeTree, type FileTree } from "./tree/tree";

const LIMIT_BYTES = 1024 ** 3;
/** No tree is larger with the list of its files; what is was put there by another user, and is not even read. */
const LARGEST_BYTES = LIMITS.keptBytes + LIMITS.keptFiles * 2 * LIMITS.pathBytes;
/** A digest and the end of its line. */
const NOTE_BYTES = 100;
/** Content may come from private places. */
const PRIVATE = true;
/** What a process that was killed left half written. */
const STALE_MS = 60 * 60 * 1000;

/** Where bundles are kept by default. */
export const defaultCacheFolder = (): string => cacheFolder("bundles");

interface Head {
  readonly files: readonly (readonly [path: string, bytes: number])[];
  readonly folders: readonly string[];
  readonly others: readonly string[];
}

/** Returns what keeps the cache from being used; the work continues without it. */
export type Warn = (message: string) => void;

/**
 * `content/` has each tree once, named by its content; `origins/` has notes which say what content a key stands for.
 * Both are written whole or not at all. Whatever is read is verified; what is damaged counts as missing. A folder that
 * can't be read or written is reported once, and makes everything missing.
 */
export class BundleCache {
  #reported = false;

  constructor(
    private readonly warn: Warn,
    private readonly folder: string = defaultCacheFolder(),
    /** Beyond it, what was not read for the longest time goes. Default: 1 GiB. */
    private readonly limitBytes: number = LIMIT_BYTES,
  ) {}

  /** What was kept under the key; undefined when it is not here. */
  find(key: string): Promise<FileTree | undefined> {
    return this.#orReport("read", () => this.#find(key));
  }

  async keep(key: string, tree: FileTree): Promise<void> {
    await this.#orReport("written", () => this.#keep(key, tree));
  }

  async #orReport<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (!this.#reported) {
        this.warn(
          `the cache of bundles can't be ${what} (${message}); so content is fetched each time. Expected a folder of ` +
            `your own with room in it: ${this.folder}; XDG_CACHE_HOME says where`,
        );
      }
      this.#reported = true;
      return undefined;
    }
  }

  async #find(key: string): Promise<FileTree | undefined> {
    const digest = (await readIfThere(this.#note(key), NOTE_BYTES))?.toString("utf8").trim();
    if (digest === undefined || !/^sha256:[0-9a-f]{64}$/.test(digest)) return undefined;
    const file = this.#content(digest);
    const bytes = await readIfThere(file, LARGEST_BYTES);
    if (bytes === undefined) return undefined;
    const tree = unpackTree(bytes);
    if (tree === undefined || contentDigest(tree) !== digest) {
      await rm(file, { force: true });
      return undefined;
    }
    await touch(file);
    return tree;
  }

  async #keep(key: string, tree: FileTree): Promise<void> {
    const digest = contentDigest(tree);
    const file = this.#content(digest);
    if (await stat(file).catch(ignoreMissing)) await touch(file);
    else await keepWhole(file, packTree(tree), PRIVATE);
    await keepWhole(this.#note(key), Buffer.from(`${digest}\n`), PRIVATE);
    await this.#makeRoom(file);
  }

  async #makeRoom(spared: string): Promise<void> {
    const folder = join(this.folder, "content");
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const file = join(folder, name);
        const there = await stat(file).catch(ignoreMissing);
        return { file, temporary: name.includes("."), bytes: there?.size ?? 0, used: there?.mtimeMs ?? 0 };
      }),
    );
    let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
    let removed = false;
    for (const { file, bytes, used, temporary } of found.sort((a, b) => a.used - b.used)) {
      if (temporary ? Date.now() - used < STALE_MS : total <= this.limitBytes || file === spared) continue;
      await rm(file, { force: true });
      total -= bytes;
      removed = true;
    }
    if (removed) await this.#forget();
  }

  /** Notes on what is gone. */
  async #forget(): Promise<void> {
    const folder = join(this.folder, "origins");
    for (const name of await readdir(folder)) {
      const digest = (await readIfThere(join(folder, name), NOTE_BYTES))?.toString("utf8").trim() ?? "";
      if ((await stat(this.#content(digest)).catch(ignoreMissing)) === undefined)
        await rm(join(folder, name), { force: true });
    }
  }

  #content(digest: string): string {
    return join(this.folder, "content", digest.replace("sha256:", ""));
  }

  #note(key: string): string {
    return join(this.folder, "origins", createHash("sha256").update(key).digest("hex"));
  }
}

function packTree({ files, emptyFolders, others }: FileTree): Buffer {
  const head: Head = { files: [...files].map(([path, { length }]) => [path, length]), folders: emptyFolders, others };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files.values()]);
}

/** Undefined for damaged content; the digest check reports it. */
function unpackTree(bytes: Buffer): FileTree | undefined {
  const end = bytes.indexOf("\n");
  try {
    const { files, folders, others } = JSON.parse(bytes.subarray(0, end).toString("utf8")) as Head;
    let at = end + 1;
    const read = files.map(([path, length]) => [path, bytes.subarray(at, (at += length))] as const);
    return makeTree(read, folders, others);
  } catch {
    return undefined; // Written by nobody we know; fetched again.
  }
}

/** Another process may have made room just now; where nothing can be written, nothing goes either. */
async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EROFS" && error.code !== "EPERM" && error.code !== "EACCES") ignoreMissing(error);
  });
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
