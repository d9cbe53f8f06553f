/** Recreates a StatefulSet without deleting its pods and claims, for changes that can't be made in place. */

import { type Work, until } from "../work/work";
import { describe, NONE, refOf, type KubeObject } from "../objects/objects";

import { removeOwn } from "../owners/whileOwn";
import { OwnerError } from "../owners/judge";
import { claimsOf } from "../claims/claims";
import { freeClaims } from "./secure";

/**
 * Deletes only the StatefulSet, while its pods keep running, and applies the new one, which adopts pods and claims. If
 * interrupted in between, the next update finds the StatefulSet missing and applies it.
 */
export async function recreateStatefulSet(site: Work, live: KubeObject, object: KubeObject): Promise<KubeObject> {
  const ref = refOf(live);
  site.log("status", `replacing ${describe(ref)}; its pods and disks stay`);
  const claims = await freeClaims(site, live);
  const outcome = await removeOwn(site, live, "Orphan");
  if (outcome !== "own")
    throw new OwnerError(`${describe(ref)}: ${outcome.foreign}. It was taken over during this update`);
  await until(
    site,
    async () => {
      const now = await site.client.get(ref);
      return now?.metadata.uid === live.metadata.uid ? undefined : true;
    },
    () =>
      Promise.resolve(
        new Error(
          `${describe(ref)} was deleted to be recreated, but it is not gone (finalizers: ` +
            `${live.metadata.finalizers?.join(", ") || "orphan"}); its pods and disks are untouched`,
        ),
      ),
  );
  const applied = await site.client.apply({ ...object, metadata: { ...object.metadata, ...NONE } });
  await requireClaims(site, object, claims);
  return applied;
}

/** Recreation never deletes claims. Reports claims that another process deleted meanwhile. */
async function requireClaims(site: Work, set: KubeObject, before: readonly KubeObject[]): Promise<void> {
  const after = new Map((await claimsOf(site.client, [set])).map((claim) => [claim.metadata.name, claim]));
  const lost = before.filter(({ metadata }) => {
    if (metadata.deletionTimestamp !== undefined) return false;
    const now = after.get(metadata.name);
    // Claims of a removed template are no longer listed, but they still exist.
    return now !== undefined && (now.metadata.uid !== metadata.uid || now.metadata.deletionTimestamp !== undefined);
  });
  if (lost.length === 0) return;
  const names = lost.map(({ metadata }) => metadata.name).join(", ");
  throw new Error(
    `while ${describe(refOf(set))} was recreated, something else deleted its claims: ${names}. ` +
      "Their volumes may still be there; set their reclaim policy to Retain now: kubectl get pv",
  );
}
