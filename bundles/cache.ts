/** Cache of bundle files by the requested digest, shared by all checkouts of a user. */

import { createHash } from "node:crypto";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../foundation/cacheFolder";
import { readIfThere, keepWhole } from "../foundation/wholeFile";
import { LIMITS } from "./limits";
import { contentDigest, makeTree, type FileTree } from "./tree/tree";

const LIMIT_BYTES = 1024 ** 3;
/** Maximum size of a cached tree, with its list of files. Larger files were not written by us and are not read. */
const LARGEST_BYTES = LIMITS.keptBytes + LIMITS.keptFiles * 2 * LIMITS.pathBytes;
/** Length of a digest with its line break. */
const NOTE_BYTES = 100;
/** Content may come from private sources. */
const PRIVATE = true;
/** Age at which incomplete files of a killed process are removed. */
const STALE_MS = 60 * 60 * 1000;

/** Default folder of the cache. */
export const defaultCacheFolder = (): string => cacheFolder("bundles");

interface Head {
  readonly files: readonly (readonly [path: string, bytes: number])[];
  readonly folders: readonly string[];
  readonly others: readonly string[];
}

/** Reports why the cache can't be used. Work continues without it. */
type Warn = (message: string) => void;

/**
 * `content/` stores each tree once, by its content; `origins/` maps keys to content. Both are written atomically.
 * Everything is verified when read; damaged content counts as missing. A folder that can't be read or written is
 * reported once, and everything in it counts as missing.
 */
export class BundleCache {
  #reported = false;

  constructor(
    private readonly warn: Warn,
    private readonly folder: string = defaultCacheFolder(),
    /** Above this size, the least recently read content is removed. Default: 1 GiB. */
    private readonly limitBytes: number = LIMIT_BYTES,
  ) {}

  /** Returns the files that are cached under the key; undefined if there are none. */
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

  /** Removes entries in `origins/` without content. */
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

/** Undefined for damaged content. */
function unpackTree(bytes: Buffer): FileTree | undefined {
  const end = bytes.indexOf("\n");
  try {
    const { files, folders, others } = JSON.parse(bytes.subarray(0, end).toString("utf8")) as Head;
    let at = end + 1;
    const read = files.map(([path, length]) => [path, bytes.subarray(at, (at += length))] as const);
    return makeTree(read, folders, others);
  } catch {
    return undefined; // Not written by us; it is fetched again.
  }
}

/**
 * Marks a file as recently read. Another process may have removed it meanwhile; in a read-only cache nothing is
 * removed.
 */
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
