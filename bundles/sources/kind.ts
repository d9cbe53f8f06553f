import type { BundleCache } from "../cache";
import type { Keep } from "../tree/builder";
import type { FileTree } from "../tree/tree";

/** What a source needs besides its own fields. */
export interface SourceAccess {
  /** Base folder of relative paths. */
  readonly base: string;
  /** Names at a bundle's root that its format reads. */
  readonly keep: Keep;
  readonly cache: BundleCache;
  /** Digests of the sources at the last update. Default: none, as for the first one. */
  readonly before?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
}

/** Current state of a source. */
export interface SourceState {
  /** Digest of the content: the same digest always stands for the same files. */
  readonly digest: string;
  /** Name for messages of what it stands for now. Default: the source's own. */
  readonly title?: string;
  /** The files, if they had to be read for the digest. */
  readonly tree?: FileTree;
}

/** A kind of source; registered in registry.ts. */
export interface SourceKind<S> {
  /** Name for messages, without secrets. */
  describe(source: S): string;
  /** Options that, together with the digest, determine the files. Not the location: mirrors have the same content. */
  cacheKey(source: S): object;
  /** Determines the digest. Throws Unavailable or Refused. */
  resolve(source: S, access: SourceAccess): Promise<SourceState>;
  /** Returns the verified files of a digest. Throws Unavailable or Refused. */
  fetch(source: S, digest: string, access: SourceAccess): Promise<FileTree>;
}
