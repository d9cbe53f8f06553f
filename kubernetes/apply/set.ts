/** Inputs and state of a ManifestSet. */

import type { KubeObject } from "../client/objects";

export type ClaimPolicy = "Retain" | "Delete";

/** Checked inputs; the arguments of the resource say what they mean. */
export interface SetInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  /** Name of the set. */
  readonly name: string;
  readonly namespace: string;
  readonly objects: readonly KubeObject[];
  /** User to be impersonated. */
  readonly as?: string;
  readonly timeoutSeconds: number;
  readonly ping?: { readonly url: string };
  readonly claimsWhenDeleted?: ClaimPolicy;
  /**
   * Which instance of the set it is, in the words of identity/ownerId.ts. Chosen before it is made, so that it is known to
   * anyone who clears up after a creation that was killed.
   */
  readonly instance?: string;
  readonly claimsWhenSmaller?: "Refuse" | "Keep";
  /** False: a change that would replace the set is an error. */
  readonly allowMove?: boolean;
  /** Kept in the state with the set, see framework/record.ts. */
  readonly record?: object;
  /** Owner id of objects that already exist: the creation takes them over, see takeOver.ts. */
  readonly adopt?: string;
  /** Whether claims are deleted only when the stack's config allows it by name. */
  readonly protectData?: boolean;
  /** What left the set goes before the new objects are applied. */
  readonly removeFirst?: boolean;
}

export interface SetState extends SetInputs {
  /** `apps/v1/StatefulSet/namespace/name` of everything that may be in the cluster because of the set. */
  readonly inventory: readonly string[];
  readonly storageBytes: number | null;
  /** Which instance of the set this is, see identity/ownerId.ts; older states have none. */
  readonly ownerId?: string;
  /** UID of the cluster, see identity/clusterUid.ts; without it: who made the set may not read it. */
  readonly clusterUid?: string;
  /** Only while the last update is incomplete. */
  readonly incomplete?: true;
  /** Namespaces of the set whose level of Pod Security is not enforced yet, because of pods that run; see podSecurity.ts. */
  readonly withheld?: readonly string[];
}

export const DEFAULT_TIMEOUT_SECONDS = 300;

/** Distinguishes sets in one state file; also what a user reads. */
export const idOf = ({ cluster, namespace, name }: SetInputs): string => `${cluster}/${namespace}/${name}`;
