/** Resolves the content of a release once; after that, its digest identifies it. */

import type { Context } from "../../../../foundation/pulumi/resource";
import { BundleCache } from "../../../../bundles/cache";
import { openBundle } from "../../../../bundles/bundle";
import { Refused } from "../../../../bundles/errors";
import type { BundleFormat } from "../../../../bundles/format/format";
import { FORMATS } from "../../../../bundles/format/formats";
import { contentDigest, type FileTree } from "../../../../bundles/tree/tree";
import type { ReleaseInputs } from "../inputs";
import { sourcesOf } from "./sources";

/** The inputs that are needed to get the content. */
export type ContentInputs = Pick<ReleaseInputs, "sources" | "credentials" | "format" | "kubeconfig" | "context" | "as">;

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
  const { digest, sourceDigests } = await open(wanted, cacheFor(caller), caller.signal, before);
  return { digest, sourceDigests };
}

/** Returns the files of a digest; from the cache if possible, without a request. */
export async function treeOf(wanted: ContentInputs & { digest: string }, caller: Caller): Promise<FileTree> {
  const cache = cacheFor(caller);
  const kept = await cache.find(keyOf(wanted.format, wanted.digest));
  return kept && contentDigest(kept) === wanted.digest ? kept : pinned(wanted, cache, caller.signal);
}

async function pinned(
  wanted: ContentInputs & { digest: string },
  cache: BundleCache,
  signal: AbortSignal,
): Promise<FileTree> {
  const { digest, tree } = await open(wanted, cache, signal);
  if (digest === wanted.digest) return tree;
  throw new Refused(
    `the content of its sources has the digest ${digest}; expected ${wanted.digest}, which is not in the cache any more. ` +
      "Name the sources by digests or commits, or let the release have the new content",
  );
}

async function open(
  wanted: ContentInputs,
  cache: BundleCache,
  signal: AbortSignal,
  before?: readonly string[],
): Promise<Resolved & { tree: FileTree }> {
  const sources = sourcesOf(wanted.sources, wanted.credentials, wanted);
  const bundle = await openBundle(sources, { base: process.cwd(), cache, signal, before }, formatOf(wanted));
  await cache.keep(keyOf(wanted.format, bundle.digest), bundle.tree);
  return { digest: bundle.digest, sourceDigests: bundle.sources.map(({ digest }) => digest), tree: bundle.tree };
}

const keyOf = (format: string, digest: string): string => JSON.stringify({ type: "bundle", format, digest });

export function formatOf({ format }: Pick<ContentInputs, "format">): BundleFormat {
  const found = FORMATS.get(format);
  if (!found) throw new Refused(`there is no format ${format}; expected one of ${[...FORMATS.keys()].join(", ")}`);
  return found;
}
