/** Inputs and state of a BundleRelease. */

import { subjectDigest } from "../../../bundles/approvals/subject";
import { mergeValues } from "../../../bundles/values/merge";
import type { Json } from "../../../foundation/json/isObject";

/** Kinds that are never removed together with what is in them, unless it is said so. */
export const GUARDED = ["CustomResourceDefinition", "Namespace"] as const;

/** Checked inputs; the arguments of the resource say what they mean. */
export interface ReleaseInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  readonly name: string;
  readonly namespace: string;
  readonly sources: readonly Json[];
  /** What is secret of the source at the same place. */
  readonly credentials?: readonly Json[];
  readonly format: string;
  /** What a format that takes values gets, and what of it is secret, which counts where both say something. */
  readonly values?: Json;
  readonly secretValues?: Json;
  /** Of the content. Filled in by the check where the program does not pin it. */
  readonly digest: string;
  /** What each source was found to be, where the check had to look. */
  readonly sourceDigests?: readonly string[];
  readonly force: boolean;
  readonly adopt: readonly string[];
  /** Releases that take over objects of this one. */
  readonly takers?: readonly Taker[];
  /** What may be deleted and recreated where it can't be changed: objects as in the inventory, kinds as `apiVersion/Kind`. */
  readonly replace: readonly string[];
  readonly allowDeletion: readonly string[];
  /** Names of checks, and `invalidObjects`; of all CRDs or of one. */
  readonly allowCrdChanges: readonly string[];
  /** Kinds that must be there, as `apiVersion/Kind`. */
  readonly requires: readonly string[];
  /** `auto` or `none`. */
  readonly rollback: string;
  /** What comes with what it needs: CustomResourceDefinitions, `<plural>.<group>`, and namespaces, `Namespace/<name>`. */
  readonly providedBy: readonly string[];
  readonly as?: string;
  /** Whether its namespace is created where it is missing. */
  readonly createNamespace?: boolean;
  /** Whether workloads get NetworkPolicies where the bundle has none. */
  readonly networkPolicies?: boolean;
  /** Whether claims are deleted only when the stack's config allows it by name. */
  readonly protectData?: boolean;
  /** When the content must be approved: `never`, `more`, `always`. */
  readonly approval: string;
  /** Whether to wait for an approval that is missing. */
  readonly awaitApproval: boolean;
  readonly timeoutSeconds: number;
  /** Only after a refresh that found something: what is not as it should be. No program says this, so it shows as a change. */
  readonly drift?: readonly string[];
}

export interface ReleaseState extends ReleaseInputs {
  /** `apps/v1/Deployment/namespace/name` of everything that may be in the cluster because of the release, in order. */
  readonly inventory: readonly string[];
  /** At the same place: what the object was made from, by a short hash; empty while it is not known to be as it should. */
  readonly fingerprints: readonly string[];
  /** Which instance of the release this is, see identity/ownerId.ts; older states have none. */
  readonly ownerId?: string;
  /** UID of the cluster, see identity/clusterUid.ts; without it: who made the release may not read it. */
  readonly clusterUid?: string;
  /** Only while the last update is incomplete: the content that did last, if there ever was any; a secret. */
  readonly incomplete?: { readonly before?: Content };
}

export const DEFAULT_TIMEOUT_SECONDS = 600;

export const valuesOf = ({ values = {}, secretValues = {} }: Pick<ReleaseInputs, "values" | "secretValues">): Json =>
  mergeValues(values, secretValues);

/** What an approval of it is about. */
export const approvalDigest = (inputs: ReleaseInputs): string => subjectDigest(inputs.digest, valuesOf(inputs), inputs);

/** Distinguishes releases in one state file; also what a user reads. */
export const idOf = ({ cluster, namespace, name }: ReleaseInputs): string => `${cluster}/${namespace}/${name}`;

export const titleOf = ({ namespace, name }: Pick<ReleaseInputs, "namespace" | "name">): string =>
  `bundle ${namespace}/${name}`;

/** A release that takes over objects of another one. */
export interface Taker {
  /** `<namespace>/<name>`. */
  readonly bundle: string;
  /** What it may take over, as in its `adopt`. */
  readonly adopt: readonly string[];
}

const CONTENT = ["sources", "credentials", "format", "values", "secretValues", "digest", "sourceDigests"] as const;

/** What says which objects a release has, and where that is had. */
export type Content = Pick<ReleaseInputs, (typeof CONTENT)[number]>;

export const contentOf = (inputs: Content): Content =>
  Object.fromEntries(CONTENT.map((key) => [key, inputs[key]])) as unknown as Content;
