/** A bundle as a whole: resolves, fetches and merges its sources. */

import { Refused, Unavailable } from "./errors";
import type { BundleFormat } from "./format/format";
import { PLAIN } from "./format/plain";
import { LIMITS, mib } from "./limits";
import { checkSource } from "./sources/fields";
import { sourceKind } from "./sources/registry";
import type { Source } from "../foundation/bundleSources";
import type { SourceAccess, SourceState } from "./sources/kind";
import { cleanDirectory, cleanPath } from "./tree/paths";
import { contentDigest, makeTree, type FileTree } from "./tree/tree";

/** Settings of a reader: an {@link SourceAccess} without what the format determines. */
export interface Reader extends Omit<SourceAccess, "keep"> {
  /** Digests of the sources that are wanted, instead of the current ones. */
  readonly digests?: readonly string[] | undefined;
}

interface ResolvedSource {
  readonly source: Source;
  /** Name for messages. */
  readonly title: string;
  readonly digest: string;
}

export interface Bundle {
  readonly format: BundleFormat;
  readonly sources: readonly ResolvedSource[];
  /** Digest of all files that the format reads, from all sources. */
  readonly digest: string;
  readonly tree: FileTree;
}

export const describeSource = (source: Source): string => sourceKind(source).describe(source);

const keyOf = (source: Source, digest: string, { keep }: SourceAccess): string =>
  JSON.stringify({ ...sourceKind(source).cacheKey(source), digest, keep });

/** Resolves a source to its current digest. Content that had to be read for this is cached. */
export async function resolveSource(source: Source, access: SourceAccess): Promise<SourceState> {
  return named(source, async () => {
    const found = await sourceKind(source).resolve(source, access);
    if (found.tree !== undefined) await access.cache.keep(keyOf(source, found.digest, access), found.tree);
    return found;
  });
}

/** Returns the files of a source with this digest; from the cache if possible. */
export async function fetchSource(source: Source, digest: string, access: SourceAccess): Promise<FileTree> {
  return named(source, async () => {
    const key = keyOf(source, digest, access);
    const kept = await access.cache.find(key);
    if (kept !== undefined) return kept;
    const tree = await sourceKind(source).fetch(source, digest, access);
    await access.cache.keep(key, tree);
    return tree;
  });
}

/** Adds the source to the message of an error. */
async function named<T>(source: Source, work: () => Promise<T>): Promise<T> {
  checkSource(source);
  // Throws if the address itself is invalid.
  const title = describeSource(source);
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Refused || cause instanceof Unavailable) || cause.message.startsWith(title)) throw cause;
    const message = `${title}: ${cause.message}`;
    throw cause instanceof Refused
      ? new Refused(message, { cause })
      : new Unavailable(message, cause.passing, { cause });
  }
}

/**
 * Fetches a bundle. Later sources add files to earlier ones; a file in two sources is an error. The first failing
 * source aborts the others.
 */
export async function openBundle(
  sources: readonly Source[],
  reader: Reader,
  format: BundleFormat = PLAIN,
): Promise<Bundle> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(reader.signal ? [reader.signal] : [])]);
  const access: SourceAccess = { ...reader, keep: format.keep, signal };
  const fetch = async (source: Source, index: number): Promise<ResolvedSource & { readonly tree: FileTree }> => {
    const wanted = reader.digests?.[index];
    const folder = "into" in source ? cleanDirectory(source.into) : "";
    // The names that the format reads are at the bundle's root, not at that of such a source.
    const part = folder === "" ? access : { ...access, keep: undefined };
    const state = wanted === undefined ? await resolveSource(source, part) : { digest: wanted };
    const { digest, tree, title = describeSource(source) } = state;
    const found = tree ?? (await fetchSource(source, digest, part));
    return { source, title, digest, tree: below(folder, format.trim?.(found) ?? found) };
  };
  const fetched = await Promise.all(
    sources.map((source, index) =>
      fetch(source, index).catch((error: unknown) => {
        failed.abort();
        throw error;
      }),
    ),
  );
  const tree = merge(fetched);
  return {
    format,
    sources: fetched.map(({ source, title, digest }) => ({ source, title, digest })),
    digest: contentDigest(tree),
    tree,
  };
}

/** Moves files into a folder of the bundle. */
function below(folder: string, tree: FileTree): FileTree {
  if (folder === "") return tree;
  const files = [...tree.files].map(([path, bytes]) => [cleanPath(`${folder}/${path}`), bytes] as const);
  return makeTree(
    files,
    tree.emptyFolders.map((path) => `${folder}/${path}`),
  );
}

function merge(parts: readonly { readonly title: string; readonly tree: FileTree }[]): FileTree {
  const owners = new Map<string, string>();
  let bytes = 0;
  for (const { title, tree } of parts) {
    for (const [file, content] of tree.files) {
      const owner = owners.get(file);
      if (owner !== undefined) {
        throw new Refused(`${file} is in ${owner} and in ${title}; expected every file in one source only`);
      }
      owners.set(file, title);
      bytes += content.length;
    }
  }
  const { keptFiles, keptBytes } = LIMITS;
  if (owners.size > keptFiles) throw new Refused(`the sources together have more than ${keptFiles} files`);
  if (bytes > keptBytes) throw new Refused(`the sources together have more than ${mib(keptBytes)}`);
  return makeTree(
    parts.flatMap(({ tree }) => [...tree.files]),
    parts.flatMap(({ tree }) => tree.emptyFolders),
    parts.flatMap(({ tree }) => tree.others),
  );
}
