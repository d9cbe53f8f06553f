/** Makes sure that claims outlive their StatefulSet. */

import { isConflict } from "../client/apiError";
import { describe, numberAt, textAt } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";
import { forAll } from "../client/pool";
import { until } from "../apply/site";
import type { Work } from "../apply/site";
import { claimsOf, refOf } from "./claims";

/** On a StatefulSet whose policy was set to Retain by us and for a while only, not by somebody permanently. */
export const PASSING_ANNOTATION = "stackyard.dev/retain-for-now";

/**
 * With the retention policy `whenDeleted: Delete`, claims carry an owner reference to their StatefulSet and are collected
 * after it. So the policy is set to Retain first; once the controller has seen that, it makes no such references any more,
 * and those that are left (of pods that are scaled away it doesn't look at claims) are taken off.
 * May be cut off at any point and done again. Returns the claims, none of which belongs to the StatefulSet then.
 */
export async function freeClaims(site: Work, set: KubeObject): Promise<KubeObject[]> {
  const ref = refOf(set);
  const { uid } = set.metadata;
  if (textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") === "Delete") {
    const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } };
    const annotations = { [PASSING_ANNOTATION]: "true" };
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

/** Whether the controller works by what the StatefulSet says now. */
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
    if (!isConflict(error)) throw error; // It changed meanwhile; the next round looks again.
  }
}
