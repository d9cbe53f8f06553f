/** Inputs and state of a BundleRelease. */

import { subjectDigest } from "../../../bundles/approvals/subject";
import { mergeValues } from "../../../foundation/json/merge";
import type { Json } from "../../../foundation/json/isObject";

/** Kinds that are not deleted while they contain other objects, unless the config allows it. */
export const GUARDED = ["CustomResourceDefinition", "Namespace"] as const;

/** Checked inputs; the resource's arguments document their meaning. */
export interface ReleaseInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  readonly name: string;
  readonly namespace: string;
  readonly sources: readonly Json[];
  /** Secrets of the source at the same index. */
  readonly credentials?: readonly Json[];
  readonly format: string;
  /** Values for formats that accept them. `secretValues` override `values`. */
  readonly values?: Json;
  readonly secretValues?: Json;
  /** Digest of the content. The check fills it in unless the program pins it. */
  readonly digest: string;
  /** Digest of each source, if the check had to resolve it. */
  readonly sourceDigests?: readonly string[];
  readonly force: boolean;
  readonly adopt: readonly string[];
  /** Releases that take over objects of this one. */
  readonly takers?: readonly Taker[];
  /**
   * What may be deleted and recreated if it can't be updated: objects as in the inventory, kinds as `apiVersion/Kind`.
   */
  readonly replace: readonly string[];
  readonly allowDeletion: readonly string[];
  /** Names of checks, and `invalidObjects`; for all CRDs or for one. */
  readonly allowCrdChanges: readonly string[];
  /** Required kinds, as `apiVersion/Kind`. */
  readonly requires: readonly string[];
  /** `auto` or `none`. */
  readonly rollback: string;
  /**
   * What the release's dependencies provide: CustomResourceDefinitions as `<plural>.<group>`, and namespaces as
   * `Namespace/<name>`.
   */
  readonly providedBy: readonly string[];
  readonly as?: string;
  /** Whether to create a missing namespace. */
  readonly createNamespace?: boolean;
  /** Whether to generate NetworkPolicies for workloads if the bundle has none. */
  readonly networkPolicies?: boolean;
  /** Whether the stack's config must allow the deletion of each claim by name. */
  readonly protectData?: boolean;
  /** Whether it stays in the cluster when its resource leaves the stack, so that the same resource continues it later. */
  readonly retained?: boolean;
  /** When the content needs an approval: `never`, `more`, `always`. */
  readonly approval: string;
  /** Whether to wait for a missing approval. */
  readonly awaitApproval: boolean;
  readonly timeoutSeconds: number;
  /** Interval of the reconciliation by the service. Default: none. */
  readonly reconcileSeconds?: number;
  /** Drift that a refresh found. Programs never set it, so it shows as a change. */
  readonly drift?: readonly string[];
}

export interface ReleaseState extends ReleaseInputs {
  /** `apps/v1/Deployment/namespace/name` of every object that may exist because of the release, in order. */
  readonly inventory: readonly string[];
  /** At the same index: a short hash of the object's source; empty while the object may differ from it. */
  readonly fingerprints: readonly string[];
  /** Id of this instance of the release, see identity/ownerId.ts. Missing in older states. */
  readonly ownerId?: string;
  /** UID of the cluster, see identity/clusterUid.ts. Missing if the user may not read it. */
  readonly clusterUid?: string;
  /** Generation of the owner's record in the cluster after the last change. Missing in older states. */
  readonly generation?: number;
  /** The engine driver sets it where a killed update may have got further than this state. */
  readonly interrupted?: true;
  /** Only while the last update is incomplete: the last content that was complete, if any; a secret. */
  readonly incomplete?: { readonly before?: Content };
}

export const DEFAULT_TIMEOUT_SECONDS = 600;

export const valuesOf = ({ values = {}, secretValues = {} }: Pick<ReleaseInputs, "values" | "secretValues">): Json =>
  mergeValues(values, secretValues);

/** The digest that an approval refers to. */
export const approvalDigest = (inputs: ReleaseInputs): string => subjectDigest(inputs.digest, valuesOf(inputs), inputs);

/** Unique in one state file, and readable. */
export const releaseId = ({ cluster, namespace, name }: ReleaseInputs): string => `${cluster}/${namespace}/${name}`;

export const releaseTitle = ({ namespace, name }: Pick<ReleaseInputs, "namespace" | "name">): string =>
  `bundle ${namespace}/${name}`;

/** A release that takes over objects of another one. */
export interface Taker {
  /** `<namespace>/<name>`. */
  readonly bundle: string;
  /** Patterns of the objects that it takes over, as in its `adopt`. */
  readonly adopt: readonly string[];
}

const CONTENT = ["sources", "credentials", "format", "values", "secretValues", "digest", "sourceDigests"] as const;

/** The inputs that determine the objects of a release, and their source. */
export type Content = Pick<ReleaseInputs, (typeof CONTENT)[number]>;

export const contentOf = (inputs: Content): Content =>
  Object.fromEntries(CONTENT.map((key) => [key, inputs[key]])) as unknown as Content;
