/** Inputs and state of a ManifestSet. */

import type { KubeObject } from "../objects/objects";
import type { ClaimUids } from "../drift/truth";
import type { InState } from "../../foundation/pulumi/resource";

export type ClaimPolicy = "Retain" | "Delete";

/** Checked inputs. `ManifestSetArgs` documents them. */
export interface SetInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  /** Name of the set. */
  readonly name: string;
  readonly namespace: string;
  readonly objects: readonly KubeObject[];
  /** User to impersonate. */
  readonly as?: string;
  readonly timeoutSeconds: number;
  readonly ping?: { readonly url: string };
  readonly claimsWhenDeleted?: ClaimPolicy;
  /**
   * Id of the instance, see identity/ownerId.ts. Chosen before the set is created, so that the objects of an
   * interrupted creation can be found.
   */
  readonly instance?: string;
  readonly claimsWhenSmaller?: "Refuse" | "Keep";
  /** False: a change that would replace the set is an error. */
  readonly allowMove?: boolean;
  /** Stored in the state with the set, see framework/record.ts. */
  readonly record?: object;
  /** Helm release that belongs to the owner of the set. */
  readonly release?: { readonly namespace: string; readonly name: string; readonly digest: string };
  /** Owner id of existing objects that the creation takes over, see takeOver.ts. */
  readonly adopt?: string;
  /** Kept disk that a new StatefulSet uses, see disks/newSet.ts. */
  readonly disk?: string;
  /** UID of the cluster that a new set must be created in. */
  readonly expectedClusterUid?: string;
  /** Whether claims are deleted only if the stack config allows it by name. */
  readonly protectData?: boolean;
  /** Delete objects that are no longer in the set before applying the new ones. */
  readonly removeFirst?: boolean;
  /** Whether other stacks may have a set of the same name, whose objects this one uses as they are. */
  readonly shared?: boolean;
  /** Whether a deletion of the set leaves its objects in the cluster, without an owner. */
  readonly retained?: boolean;
}

export interface SetState extends SetInputs {
  /**
   * `apps/v1/StatefulSet/namespace/name` of every object that may exist because of the set. Missing after an interrupted
   * creation, see engine/pulumi/state/pending.ts.
   */
  readonly inventory?: readonly string[];
  readonly storageBytes: number | null;
  /** Id of the instance, see identity/ownerId.ts. Older states have none. */
  readonly ownerId?: string;
  /** UID of the cluster, see identity/clusterUid.ts. Undefined if the user may not read it. */
  readonly clusterUid?: string;
  /** Generation of the record of its owner after the last change, see owners/. Older states have none. */
  readonly generation?: number;
  /** Set by the engine driver for a set whose update was killed, so that the state may lack the result. */
  readonly interrupted?: true;
  /** UIDs of the claims after the last update, see drift/truth.ts. Older states have none. */
  readonly claims?: ClaimUids;
  /** Set by a refresh that found another owner, so that the next preview and update say so. */
  readonly foreign?: true;
  /** Set while the last update is incomplete. */
  readonly incomplete?: true;
  /** Namespaces whose Pod Security level is not enforced yet because of running pods; see podSecurity.ts. */
  readonly withheld?: readonly string[];
}

export type SetInState = InState<SetInputs, SetState>;

export const DEFAULT_TIMEOUT_SECONDS = 300;

/** Id of the resource: distinguishes sets in one state, and is shown to users. */
export const setResourceId = ({ cluster, namespace, name }: SetInputs): string => `${cluster}/${namespace}/${name}`;
