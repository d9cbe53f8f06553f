import type { ClusterAccess } from "../provisioners/config/kubeconfig";
import type { NamespaceConfig } from "../namespaces/settings";

/** A source of a bundle's content, without what is secret of it. */
export type SourceSettings = Readonly<Record<string, unknown>>;

/** Values for a format that takes them. */
export interface ValueSettings {
  readonly values: Readonly<Record<string, unknown>>;
  /** Whether some of them may be secret. */
  readonly secret: boolean;
}

/** What a version of a bundle consists of. */
export interface BundleContent {
  readonly sources: readonly SourceSettings[];
  /** What is secret of each source, in the order of the sources. */
  readonly credentials: readonly SourceSettings[];
  /** Of every instance of it. */
  readonly values?: ValueSettings;
  /** Digest that the content must have; undefined: whatever the sources have. */
  readonly digest?: string;
  /** Bundles that it includes, and that go with it. */
  readonly bundles: readonly BundleRequest[];
  /** Bundles that some instance on the same cluster must have. */
  readonly requiredBundles: readonly BundleRequest[];
  /** Kinds that the cluster must know: `apiVersion/Kind`. */
  readonly requiredKinds: readonly string[];
}

/** A bundle in any version of a range. */
export interface BundleRequest {
  readonly bundle: string;
  /** As npm writes ranges, such as `^1.2`; `*` for any. */
  readonly range: string;
}

/** A bundle, by versions. */
export interface BundleSettings {
  readonly format: string;
  readonly versions: Readonly<Record<string, BundleContent>>;
}

/** How a bundle is applied. */
export interface InstanceSettings {
  readonly bundle: string;
  readonly version?: string;
  readonly namespace: string;
  readonly createNamespace: boolean;
  /** What the namespace that is made is protected by, where that is said. */
  readonly protection: NamespaceConfig;
  /** A cluster other than the platform's. */
  readonly access?: ClusterAccess;
  /** URL of its cluster's server, by whatever way that is reached; empty for a cluster that the platform makes. */
  readonly server: string;
  readonly as?: string;
  readonly force: boolean;
  readonly adopt: readonly string[];
  /** Objects and kinds that may be deleted and recreated. */
  readonly replace: readonly string[];
  readonly allowDeletion: readonly string[];
  /** Checks of upgrades of CRDs that may fail. */
  readonly allowCrdChanges: readonly string[];
  /** When content must be approved first: `never`, `more` or `always`. */
  readonly approval: string;
  /** Whether an update waits for that. */
  readonly awaitApproval: boolean;
  /** `auto` or `none`. */
  readonly rollback: string;
  readonly timeoutSeconds: number;
  /** For its own bundle, laid over those of the bundle. */
  readonly values?: ValueSettings | undefined;
  /** Names of instances that come before it. */
  readonly dependsOn: readonly string[];
}

/** A bundle in one version at one place, with nothing left to choose. */
export interface PlannedInstance {
  readonly name: string;
  readonly version: string;
  readonly format: string;
  readonly content: BundleContent;
  readonly settings: InstanceSettings;
  /** Names of planned instances that come before it. */
  readonly after: readonly string[];
}
