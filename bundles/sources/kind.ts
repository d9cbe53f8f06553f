import type { BundleCache } from "../cache";
import type { Keep } from "../tree/builder";
import type { FileTree } from "../tree/tree";

/** What a source needs besides its own fields. */
export interface Access {
  /** Folder that relative paths are relative to. */
  readonly base: string;
  /** Names at a bundle's root that its format reads. */
  readonly keep: Keep;
  readonly cache: BundleCache;
  readonly signal?: AbortSignal;
}

/** What a source is at present. */
export interface Found {
  /** Stands for the content: the same digest is always the same files. */
  readonly digest: string;
  /** The files, where they had to be read to know the digest. */
  readonly tree?: FileTree;
}

/** What a field of a source holds: one of four types of value, or fields of its own. */
export type Field = "text" | "texts" | "map of texts" | "flag" | Fields;

export interface Fields {
  readonly [name: string]: Field;
}

/** Fields of whatever asks a server that proves who it is by a certificate. */
export const TRUST = { certificateData: "text", insecureSkipTLSVerify: "flag" } as const;

/** Fields of whatever asks a cluster. */
export const CLUSTER = { kubeconfig: "text", context: "text", as: "text" } as const;

/** A kind of source; registered in registry.ts. */
export interface SourceKind<S> {
  /** Fields that a source of this kind may have besides `type`, and those that it needs. */
  readonly fields: Fields;
  readonly needed: readonly string[];
  /** As messages call it; never with a secret. */
  describe(source: S): string;
  /** What decides, besides the digest, which files it stands for; the place is no part of it, mirrors have the same. */
  cacheKey(source: S): object;
  /** Finds out the digest. Throws Unavailable, or Refused. */
  resolve(source: S, access: Access): Promise<Found>;
  /** The files that a digest stands for, verified. Throws Unavailable, or Refused. */
  fetch(source: S, digest: string, access: Access): Promise<FileTree>;
}
