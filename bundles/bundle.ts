/** A bundle as a whole: its sources found out, fetched and put together. */

import { Refused, Unavailable } from "./errors";
import type { BundleFormat } from "./format/format";
import { PLAIN } from "./format/plain";
import { LIMITS, mib } from "./limits";
import { checkSource } from "./sources/fields";
import { kindOf } from "./sources/registry";
import type { Source } from "./sources/source";
import type { Access, Found } from "./sources/kind";
import { contentDigest, makeTree, type FileTree } from "./tree/tree";

/** Who reads a bundle: all that an {@link Access} has and its format does not know. */
export type Reader = Omit<Access, "keep">;

export interface ResolvedSource {
  readonly source: Source;
  /** As messages call it. */
  readonly title: string;
  readonly digest: string;
}

export interface Bundle {
  readonly format: BundleFormat;
  readonly sources: readonly ResolvedSource[];
  /** Of all files that the format reads, from all sources. */
  readonly digest: string;
  readonly tree: FileTree;
}

export const describeSource = (source: Source): string => kindOf(source).describe(source);

const keyOf = (source: Source, digest: string, { keep }: Access): string =>
  JSON.stringify({ ...kindOf(source).cacheKey(source), digest, keep });

/** What a source is at present. What had to be read for that is kept, so that fetching it costs nothing. */
export async function resolveSource(source: Source, access: Access): Promise<Found> {
  return named(source, async () => {
    const found = await kindOf(source).resolve(source, access);
    if (found.tree !== undefined) await access.cache.keep(keyOf(source, found.digest, access), found.tree);
    return found;
  });
}

/** The files of a source that this digest stands for; from the cache where they were here before. */
export async function fetchSource(source: Source, digest: string, access: Access): Promise<FileTree> {
  return named(source, async () => {
    const key = keyOf(source, digest, access);
    const kept = await access.cache.find(key);
    if (kept !== undefined) return kept;
    const tree = await kindOf(source).fetch(source, digest, access);
    await access.cache.keep(key, tree);
    return tree;
  });
}

/** Returns which source it is that something is wrong with. */
async function named<T>(source: Source, work: () => Promise<T>): Promise<T> {
  checkSource(source);
  // Throws what is wrong with the address itself.
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
 * Fetches a bundle. Later sources add to earlier ones; a file that two of them have is refused. The first source that
 * fails ends the work on the others.
 */
export async function openBundle(
  sources: readonly Source[],
  reader: Reader,
  format: BundleFormat = PLAIN,
): Promise<Bundle> {
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(reader.signal ? [reader.signal] : [])]);
  const access: Access = { ...reader, keep: format.keep, signal };
  const fetch = async (source: Source): Promise<ResolvedSource & { readonly tree: FileTree }> => {
    const { digest, tree } = await resolveSource(source, access);
    const found = tree ?? (await fetchSource(source, digest, access));
    return { source, title: describeSource(source), digest, tree: format.trim?.(found) ?? found };
  };
  const fetched = await Promise.all(
    sources.map((source) =>
      fetch(source).catch((error: unknown) => {
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
