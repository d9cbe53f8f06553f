/** Resolves the content of a release once; after that, its digest identifies it. */

import type { Context } from "../../../../foundation/pulumi/resource";
import { BundleCache } from "../../../../bundles/cache";
import { openBundle, type Bundle, type Reader } from "../../../../bundles/bundle";
import { Refused } from "../../../../bundles/errors";
import type { BundleFormat } from "../../../../bundles/format/format";
import { FORMATS } from "../../../../bundles/format/formats";
import { contentDigest, type FileTree } from "../../../../bundles/tree/tree";
import type { ReleaseInputs } from "../inputs";
import { sourcesOf } from "./sources";

/** The inputs that are needed to get the content. */
export type ContentInputs = Pick<ReleaseInputs, "sources" | "credentials" | "format" | "kubeconfig" | "context" | "as">;
/** The inputs that say which content is wanted. */
type PinnedInputs = ContentInputs & Pick<ReleaseInputs, "digest" | "sourceDigests">;

/** Receives log lines and can cancel. */
export type Caller = Pick<Context, "signal" | "log">;

const cacheFor = ({ log }: Caller): BundleCache => new BundleCache((message) => log("warning", message));

interface Resolved {
  readonly digest: string;
  readonly sourceDigests: readonly string[];
}

/** Resolves the sources to their current digests. The content is cached for the update. `before`: the last digests. */
export async function resolve(
  wanted: ContentInputs,
  caller: Caller,
  before: readonly string[] | undefined,
): Promise<Resolved> {
  const { digest, sources } = await open(wanted, cacheFor(caller), { signal: caller.signal, before });
  return { digest, sourceDigests: sources.map((source) => source.digest) };
}

/** Returns the files of a digest; from the cache if possible, without a request. */
export async function treeOf(wanted: PinnedInputs, caller: Caller): Promise<FileTree> {
  const cache = cacheFor(caller);
  const kept = await cache.find(keyOf(wanted.format, wanted.digest));
  return kept && contentDigest(kept) === wanted.digest ? kept : pinned(wanted, cache, caller.signal);
}

async function pinned(wanted: PinnedInputs, cache: BundleCache, signal: AbortSignal): Promise<FileTree> {
  try {
    const { digest, sources, tree } = await open(wanted, cache, { signal, digests: wanted.sourceDigests });
    if (digest === wanted.digest) return tree;
    throw new Refused(`${sources.map(({ title }) => title).join(", ")}: the content has the digest ${digest}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(
      `${error.message}. The content ${wanted.digest} of the release is not in the cache any more: ` +
        "name its sources by digests, commits or exact versions, or let it have the new content",
      { cause: error },
    );
  }
}

async function open(
  wanted: ContentInputs,
  cache: BundleCache,
  reader: Pick<Reader, "signal" | "before" | "digests">,
): Promise<Bundle> {
  const sources = sourcesOf(wanted.sources, wanted.credentials, wanted);
  const bundle = await openBundle(sources, { base: process.cwd(), cache, ...reader }, formatOf(wanted));
  await cache.keep(keyOf(wanted.format, bundle.digest), bundle.tree);
  return bundle;
}

const keyOf = (format: string, digest: string): string => JSON.stringify({ type: "bundle", format, digest });

export function formatOf({ format }: Pick<ContentInputs, "format">): BundleFormat {
  const found = FORMATS.get(format);
  if (!found) throw new Refused(`there is no format ${format}; expected one of ${[...FORMATS.keys()].join(", ")}`);
  return found;
}
