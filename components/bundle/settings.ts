import type { ClusterAccess } from "../cluster/access/kubeconfig";
import type { NamespaceConfig } from "../namespaces/settings";

/** A source of a bundle's content, without its secrets. */
export type SourceSettings = Readonly<Record<string, unknown>>;

/** Values for a format that accepts them. */
export interface ValueSettings {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether the values may contain secrets. */
  readonly secret: boolean;
}

/** The content of one version of a bundle. */
export interface BundleContent {
  readonly sources: readonly SourceSettings[];
  /** Secrets of each source, in the order of the sources. */
  readonly credentials: readonly SourceSettings[];
  /** Values for all instances. */
  readonly values?: ValueSettings;
  /** Expected digest of the content. Undefined: any. */
  readonly digest?: string;
  /** Included bundles, which are installed with it. */
  readonly bundles: readonly BundleRequest[];
  /** Bundles that must be installed on the same cluster. */
  readonly requiredBundles: readonly BundleRequest[];
  /** Kinds that the cluster must have: `apiVersion/Kind`. */
  readonly requiredKinds: readonly string[];
}

/** A dependency on a bundle, with a range of versions. */
export interface BundleRequest {
  readonly bundle: string;
  /** A range as npm writes it, such as `^1.2`; `*` for any version. */
  readonly range: string;
}

/** A bundle with its versions. */
export interface BundleSettings {
  readonly format: string;
  readonly versions: Readonly<Record<string, BundleContent>>;
}

/** An instance: a bundle in a namespace, and how to apply it. */
export interface InstanceSettings {
  readonly bundle: string;
  readonly version?: string;
  readonly namespace: string;
  readonly createNamespace: boolean;
  /** Policies of the namespace that the platform creates, as far as the config sets them. */
  readonly protection: NamespaceConfig;
  /** Access to a cluster other than the platform's. */
  readonly access?: ClusterAccess;
  /** Server URL of its cluster, which identifies it; empty for a cluster that the platform creates. */
  readonly server: string;
  readonly as?: string;
  readonly force: boolean;
  readonly adopt: readonly string[];
  /** Objects and kinds that may be recreated. */
  readonly replace: readonly string[];
  readonly allowDeletion: readonly string[];
  /** Upgrade checks of CRDs that may fail. */
  readonly allowCrdChanges: readonly string[];
  /** When content needs an approval: `never`, `more` or `always`. */
  readonly approval: string;
  /** Whether an update waits for the approval. */
  readonly awaitApproval: boolean;
  /** On failure: `auto` or `none`. */
  readonly rollback: string;
  readonly timeoutSeconds: number;
  /** Interval of the reconciliation by the service. Default: none. */
  readonly reconcileSeconds?: number;
  /** Values for its own bundle, merged over those of the bundle. */
  readonly values?: ValueSettings | undefined;
  /** Names of instances that must be installed first. */
  readonly dependsOn: readonly string[];
}

/** An instance with its version resolved. */
export interface PlannedInstance {
  readonly name: string;
  readonly version: string;
  readonly format: string;
  readonly content: BundleContent;
  readonly settings: InstanceSettings;
  /** Names of planned instances that must be installed first. */
  readonly after: readonly string[];
}
