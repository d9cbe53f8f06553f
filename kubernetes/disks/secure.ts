/** Keeps the claims of a StatefulSet when it is deleted. */

import { isConflict } from "../client/apiError";
import { describe, numberAt, textAt, refOf, type KubeObject, type Ref } from "../objects/objects";
import { forAll } from "../client/pool";
import { until, type Work } from "../work/work";
import { claimsOf } from "../claims/claims";

/** Marks a StatefulSet whose policy this code set to Retain temporarily, as opposed to a user permanently. */
export const TEMPORARY_RETAIN_ANNOTATION = "stackyard.dev/retain-for-now";

/**
 * With the retention policy `whenDeleted: Delete`, claims have an owner reference to their StatefulSet and are
 * garbage-collected with it. This sets the policy to Retain, waits until the controller has observed that and adds no
 * more owner references, and then removes the remaining ones (the controller ignores claims beyond the replicas). May
 * be interrupted at any point and repeated. Returns the claims, none of which is owned by the StatefulSet any more.
 */
export async function freeClaims(site: Work, set: KubeObject): Promise<KubeObject[]> {
  const ref = refOf(set);
  const { uid } = set.metadata;
  if (textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") === "Delete") {
    const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } };
    const annotations = { [TEMPORARY_RETAIN_ANNOTATION]: "true" };
    await site.client.merge(ref, { metadata: { uid, annotations }, spec: policy });
  }
  await until(site, async () => isSeen(await site.client.get(ref), uid) || undefined, unseen(ref));
  return until(
    site,
    async () => {
      const claims = await claimsOf(site.client, [set]);
      const owned = claims.filter((claim) => isOwnedBy(claim, uid));
      if (owned.length === 0) return claims;
      await forAll(owned, (claim) => disown(site, claim, uid));
      return undefined;
    },
    () => Promise.resolve(new Error(`${describe(ref)}: its claims still belong to it; nothing was deleted`)),
  );
}

/** Whether the controller has observed the current StatefulSet. */
function isSeen(now: KubeObject | undefined, uid: string | undefined): boolean {
  if (!now || now.metadata.uid !== uid) return true;
  return (numberAt(now, "status", "observedGeneration") ?? 0) >= (now.metadata.generation ?? 0);
}

const unseen = (ref: Ref) => () =>
  Promise.resolve(new Error(`${describe(ref)}: the cluster's controllers do not react to its changes; do they run?`));

const isOwnedBy = ({ metadata }: KubeObject, uid: string | undefined): boolean =>
  (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);

async function disown({ client }: Work, claim: KubeObject, uid: string | undefined): Promise<void> {
  const { resourceVersion, ownerReferences = [] } = claim.metadata;
  const rest = ownerReferences.filter((owner) => owner.uid !== uid);
  try {
    await client.merge(refOf(claim), { metadata: { resourceVersion, ownerReferences: rest.length > 0 ? rest : null } });
  } catch (error) {
    if (!isConflict(error)) throw error; // Changed concurrently; the next round reads it again.
  }
}
