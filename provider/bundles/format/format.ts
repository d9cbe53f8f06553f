/** What every format of bundles gives. */

import type { Json, KubeObject } from "../../kubernetes/objects";
import type { FileTree } from "../tree/tree";

/** An object of a bundle and where it stands. */
export interface BundleObject {
  readonly object: KubeObject;
  readonly file: string;
  readonly document: number;
  readonly line: number;
  /** Number that the file's name begins with; undefined when it begins with none. Lower ones come first. */
  readonly wave: number | undefined;
}

/** What a cluster is, for content that is not the same on every one. */
export interface ClusterFacts {
  /** `v1.36.3`. */
  readonly kubeVersion: string;
  /** What it serves, as `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
}

/** For whom the objects of a bundle are. */
export interface Purpose {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
  /** Never told in a message: some may be secret. Empty for a format that {@link BundleFormat.takesValues} none. */
  readonly values: Json;
  /** Asks the cluster; undefined where there is none. */
  readonly cluster: (() => Promise<ClusterFacts>) | undefined;
  /** Whether a kind, as `apiVersion/Kind`, is yet to come before the objects are applied. Default: none is. */
  readonly isComing?: (kind: string) => boolean;
  readonly signal: AbortSignal;
}

export interface BundleFormat {
  readonly name: string;
  /** Names at a bundle's root that are read. */
  readonly keep: readonly string[];
  /** Whether what the objects are depends on values. */
  readonly takesValues: boolean;
  /** The objects in the order in which they are meant. Throws a FormatError with every fault. */
  read(tree: FileTree, purpose: Purpose): Promise<readonly BundleObject[]>;
}
