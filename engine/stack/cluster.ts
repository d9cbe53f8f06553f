import { SHOOT } from "../../components/resources/tokens";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { isObject } from "../../foundation/json/isObject";
import { setNameOf } from "../../foundation/pulumi/setName";
import { withClaimPolicy } from "../../kubernetes/apply/wanted";
import { isClaim, templateNames } from "../../kubernetes/claims/claims";
import { textAt, type KubeObject } from "../../kubernetes/objects/objects";
import type { ClaimUids } from "../../kubernetes/drift/truth";
import type { Applied } from "../../kubernetes/ready/status";
import { replaceSecrets, type ResourceState } from "../pulumi/state/checkpoint";

export const isSet = ({ type }: ResourceState): boolean => type === "stackyard:index:ManifestSet";

/** True for a Gardener cluster that is not marked for deletion. */
export const isShoot = ({ type, delete: left }: ResourceState): boolean => type === SHOOT && left !== true;

/** What a manifest set applied. */
export function appliedIn({ inputs = {}, outputs = {} }: ResourceState): Applied {
  const { inventory, claims, ownerId, namespace, objects, claimsWhenDeleted } = { ...inputs, ...outputs };
  const { generation, interrupted } = outputs;
  const policy = typeof claimsWhenDeleted === "string" ? claimsWhenDeleted : undefined;
  // Null is not compared with the cluster: the value of a secret is unknown without the stack's key.
  const given = (Array.isArray(objects) ? objects : []).map((object) => replaceSecrets(object, null));
  return {
    inventory: Array.isArray(inventory) ? inventory.map(String) : [],
    owner: {
      set: String(setNameOf(inputs)),
      namespace: String(namespace),
      ...(typeof ownerId === "string" && { id: ownerId }),
    },
    objects: given.filter(isManifest).map((object) => withClaimPolicy(object, policy)),
    keepsClaims: policy === "Retain",
    ...(isObject(claims) && { claims: claims as ClaimUids }),
    ...(typeof generation === "number" && { held: { generation, interrupted: interrupted === true } }),
  };
}

/** What becomes of the disks of a runtime when it is destroyed: `deleted` if any is. Undefined if it has none. */
export function disksWhenDestroyed(resources: readonly ResourceState[]): "kept" | "deleted" | undefined {
  const fates = resources
    .filter((resource) => isSet(resource) && resource.delete !== true)
    .flatMap((resource) =>
      appliedIn(resource).objects.flatMap((object) => {
        if (isClaim(object)) return [resource.inputs?.["claimsWhenDeleted"]];
        // A StatefulSet keeps its claims, unless it says otherwise.
        const path = ["spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"] as const;
        return templateNames(object).length > 0 ? [textAt(object, ...path) ?? "Retain"] : [];
      }),
    );
  if (fates.length === 0) return undefined;
  return fates.every((fate) => fate === "Retain") ? "kept" : "deleted";
}

const isManifest = (value: unknown): value is KubeObject => isObject(value);

/** Returns a client for the cluster of a manifest set, from a state with decrypted secrets. */
export function clientOf({ inputs = {} }: ResourceState, patienceMs: number): Client {
  const { context } = inputs;
  return connect(plain(inputs["kubeconfig"]), typeof context === "string" ? context : undefined, { patienceMs });
}

/** In the export, a decrypted secret is JSON text inside its envelope. */
function plain(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { plaintext } = (value ?? {}) as { plaintext?: unknown };
  return typeof plaintext === "string" ? (JSON.parse(plaintext) as string) : undefined;
}
