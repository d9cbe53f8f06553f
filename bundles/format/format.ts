/** What every format of bundles gives. */

import type { KubeObject } from "../../kubernetes/client/objects";
import type { Keep } from "../tree/builder";
import type { FileTree } from "../tree/tree";
import type { Json } from "../../foundation/json/isObject";

/** An object of a bundle and where it stands. */
export interface BundleObject {
  readonly object: KubeObject;
  readonly file: string;
  /** Both are unknown of some that a format makes. */
  readonly document?: number | undefined;
  readonly line?: number | undefined;
  /** Number that the file's name begins with; undefined when it begins with none. Lower ones come first. */
  readonly wave: number | undefined;
  /** The same when the release has come to its end before. Default: as {@link wave}. */
  readonly upgradeWave?: number | undefined;
  /** Paths of what would be something else each time; what is in the cluster already is kept. Default: none. */
  readonly madeUp?: readonly Path[];
  /** Applied when it is not there, and never changed afterwards. Default: false. */
  readonly once?: boolean;
  /** Not applied before the release has come to its end once. Default: false. */
  readonly upgradesOnly?: boolean | undefined;
  /** Not of the content but derived from it, so that nobody must approve it. Default: false. */
  readonly isGenerated?: boolean;
}

/** Keys and indexes on the way to a value. */
export type Path = readonly (string | number)[];

/** What a cluster is, for content that is not the same on every one. */
export interface ClusterFacts {
  /** `v1.36.3`. */
  readonly kubeVersion: string;
  /** What it serves, as `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
  /** Types of a group's version by their names, as in OpenAPI; undefined if the cluster does not say them. */
  readonly schemaOf?: (apiVersion: string) => Promise<Json | undefined>;
}

/** For whom the objects of a bundle are. */
export interface Purpose {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
  /** Never reported in a message: some may be secret. Empty for a format that {@link BundleFormat.takesValues} none. */
  readonly values: Json;
  /** Asks the cluster; undefined if there is none. */
  readonly cluster: (() => Promise<ClusterFacts>) | undefined;
  /** What to take for the cluster where there is none; default: the newest Kubernetes that is known. */
  readonly assumed?: Partial<ClusterFacts>;
  /** Whether a kind, as `apiVersion/Kind`, is yet to come before the objects are applied. Default: none is. */
  readonly isComing?: (kind: string) => boolean;
  readonly signal: AbortSignal;
}

export interface LooksSo {
  /** By names at the root beside manifests/. */
  beside(names: readonly string[]): boolean;
  /** By the files that the format reads. */
  inside(tree: FileTree): boolean;
}

export interface BundleFormat {
  readonly name: string;
  /** Names at a bundle's root that are read. */
  readonly keep: Keep;
  /** Whether what the objects are depends on values. */
  readonly takesValues: boolean;
  /** How content of this format is known where nobody says it. Default: never. */
  readonly looksSo?: LooksSo;
  /** The same content from an archive and from a folder: without a folder around it that is not its own. Default: as it is. */
  readonly trim?: (tree: FileTree) => FileTree;
  /** What else people want to know of content that can be read, by what it is called. Default: nothing. */
  readonly about?: (tree: FileTree) => Promise<Readonly<Record<string, string>>>;
  /** The objects in the order in which they are meant. Throws a FormatError with every fault. */
  read(tree: FileTree, purpose: Purpose): Promise<readonly BundleObject[]>;
}

/** A chart may render nothing with the values that it has; then a release is empty, as `helm template` has it. */
export const emptyText = ({ name, takesValues }: BundleFormat): string =>
  `the ${name} bundle has no object${takesValues ? " with these values" : ""}, so nothing of it is applied`;
