/** Claims that scaling down a StatefulSet deletes, because its policy `whenScaled` is `Delete`. */

import type { Client } from "../client/client";
import { at, numberAt, type KubeObject } from "../objects/objects";
import { claimsOf, isStatefulSet, ordinalOf } from "../claims/claims";
import { forAll } from "../client/pool";

/** The live StatefulSet and the one to apply. */
interface Scaling {
  readonly live: KubeObject | undefined;
  readonly object: KubeObject;
}

export async function claimsLostByScaling(client: Client, scalings: readonly Scaling[]): Promise<KubeObject[]> {
  const lost = await forAll(scalings, async ({ live, object }) => {
    if (!live || !isStatefulSet(live) || !deletesWhenScaled(live, object)) return [];
    const [before, after] = [rangeOf(live, live), rangeOf(object, live)];
    if (after.first <= before.first && after.end >= before.end) return [];
    const claims = await claimsOf(client, [live]);
    return claims.filter(({ metadata: { name } }) => {
      const ordinal = ordinalOf(name);
      return isIn(before, ordinal) && !isIn(after, ordinal);
    });
  });
  return lost.flat();
}

interface Range {
  readonly first: number;
  readonly end: number;
}

const isIn = ({ first, end }: Range, ordinal: number): boolean => ordinal >= first && ordinal < end;

/** Fields that the object omits keep their live values, because another user may scale it. */
function rangeOf(object: KubeObject, live: KubeObject): Range {
  const first = numberAt(object, "spec", "ordinals", "start") ?? numberAt(live, "spec", "ordinals", "start") ?? 0;
  const replicas = numberAt(object, "spec", "replicas") ?? numberAt(live, "spec", "replicas") ?? 1;
  return { first, end: first + replicas };
}

function deletesWhenScaled(live: KubeObject, object: KubeObject): boolean {
  const path = ["spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"] as const;
  return (at(object, ...path) ?? at(live, ...path)) === "Delete";
}
