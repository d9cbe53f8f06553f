/** What every format of bundles provides. */

import type { KubeObject } from "../../kubernetes/objects/objects";
import type { Keep } from "../tree/builder";
import type { FileTree } from "../tree/tree";
import { FORMATS, type FormatName } from "../../foundation/bundleFormats";
import type { Json } from "../../foundation/json/isObject";

/** An object of a bundle and its position. */
export interface BundleObject {
  readonly object: KubeObject;
  readonly file: string;
  /** Both are unknown for some generated objects. */
  readonly document?: number | undefined;
  readonly line?: number | undefined;
  /** Number at the start of the file name; undefined without one. Lower waves are applied first. */
  readonly wave: number | undefined;
  /** Wave for updates of a release that was completed before. Default: {@link wave}. */
  readonly upgradeWave?: number | undefined;
  /** Paths of values that change with each rendering; values in the cluster are kept. Default: none. */
  readonly madeUp?: readonly Path[];
  /** Create the object if it is missing, and never update it. Default: false. */
  readonly once?: boolean;
  /** Apply the object only after the release was completed once. Default: false. */
  readonly upgradesOnly?: boolean | undefined;
  /** Derived from the content, so that it needs no separate approval. Default: false. */
  readonly isGenerated?: boolean;
}

/** Keys and indexes of a value. */
export type Path = readonly (string | number)[];

/** Facts about a cluster, for content that depends on them. */
export interface ClusterFacts {
  /** `v1.36.3`. */
  readonly kubeVersion: string;
  /** Served API versions, as `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
  /** Returns the OpenAPI types of a group version by name; undefined if the cluster does not provide them. */
  readonly schemaOf?: (apiVersion: string) => Promise<Json | undefined>;
}

/** Target of a bundle's objects. */
export interface Purpose {
  /** Name of the release. */
  readonly name: string;
  readonly namespace: string;
  /**
   * Values, which never appear in messages, because some may be secret. Empty if the format takes none.
   */
  readonly values: Json;
  /** Queries the cluster; undefined without one. */
  readonly cluster: (() => Promise<ClusterFacts>) | undefined;
  /** Assumed facts without a cluster. Default: the newest known Kubernetes. */
  readonly assumed?: Partial<ClusterFacts>;
  /** Whether a kind, as `apiVersion/Kind`, will exist before the objects are applied. Default: none. */
  readonly isComing?: (kind: string) => boolean;
  readonly signal: AbortSignal;
}

interface LooksSo {
  /** Detects the format by names at the root next to manifests/. */
  beside(names: readonly string[]): boolean;
  /** Detects the format by the files that it reads. */
  inside(tree: FileTree): boolean;
}

export interface BundleFormat {
  readonly name: FormatName;
  /** Names at a bundle's root that the format reads. */
  readonly keep: Keep;
  /** Detects the format of content without an explicit one. Default: never. */
  readonly looksSo?: LooksSo;
  /**
   * Removes an enclosing folder that is only part of the archive, so that an archive and a folder give the same
   * content. Default: unchanged.
   */
  readonly trim?: (tree: FileTree) => FileTree;
  /** Information about the content for users, by label. Default: none. */
  readonly about?: (tree: FileTree) => Promise<Readonly<Record<string, string>>>;
  /** Returns the objects in the intended order. Throws a FormatError with every fault. */
  read(tree: FileTree, purpose: Purpose): Promise<readonly BundleObject[]>;
}

/** A chart may render nothing with its values; the release is then empty, as with `helm template`. */
export const emptyText = ({ name }: BundleFormat): string =>
  `the ${name} bundle has no object${FORMATS[name].takesValues ? " with these values" : ""}, so nothing of it is applied`;
