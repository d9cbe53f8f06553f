/** Inputs and state of a BundleRelease. */

import { subjectDigest } from "../../../bundles/approvals/subject";
import { mergeValues } from "../../../foundation/json/merge";
import type { Json } from "../../../foundation/json/isObject";
import type { InputsOf } from "../../framework/resourceSchema";
import type { schema } from "./bundleReleaseSchema";

/** Kinds that are not deleted while they contain other objects, unless the config allows it. */
export const GUARDED = ["CustomResourceDefinition", "Namespace"] as const;

export const DEFAULTS = {
  force: false,
  adopt: [],
  replace: [],
  allowDeletion: [],
  allowCrdChanges: [],
  requires: [],
  rollback: "none",
  providedBy: [],
  approval: "never",
  awaitApproval: false,
  timeoutSeconds: 600,
};

interface Narrowed {
  /** Releases that take over objects of this one. */
  readonly takers?: readonly Taker[];
  /** Digest of each source, if the check had to resolve it. */
  readonly sourceDigests?: readonly string[];
  /** Drift that a refresh found. Programs never set it, so it shows as a change. */
  readonly drift?: readonly string[];
}

/** Checked inputs. The check fills the digest in unless the program pins it. */
export type ReleaseInputs = InputsOf<typeof schema, keyof typeof DEFAULTS | "format" | "digest", Narrowed>;

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
