/** Refuses deletions of members that would lose data. */

import type { KubeObject, Ref } from "../../../../kubernetes/objects/objects";
import { isStatefulSet } from "../../../../kubernetes/claims/claims";
import { refuseLoss } from "../../../../kubernetes/guard/guard";
import { claimsLost } from "../../../../kubernetes/guard/losses";
import { claimsLostByScaling } from "../../../../kubernetes/guard/scaled";
import { forAll } from "../../../../kubernetes/client/pool";
import type { Work } from "../../../../kubernetes/work/work";
import { claimsLostByRelease, type ReleaseDeletion } from "./losses";
import type { Member } from "../wanted/member";

/** Call it before members are removed. */
export const guardMembers = (
  work: Work,
  release: ReleaseDeletion,
  refs: readonly Ref[],
  doing: string,
): Promise<void> =>
  refs.length === 0
    ? Promise.resolve()
    : refuseLoss(work, `${work.title}: ${doing}`, (client) => claimsLostByRelease(client, release, refs));

/** Call it before StatefulSets among the members are scaled down. */
export const guardScaling = (work: Work, members: readonly (Member & { readonly there: boolean })[]): Promise<void> =>
  refuseLoss(work, `${work.title}: scaling down`, async (client) => {
    const sets = members.filter(({ there, ref }) => there && isStatefulSet(ref));
    const scalings = await forAll(sets, async ({ ref, object }) => ({ live: await client.get(ref), object }));
    return claimsLostByScaling(client, scalings);
  });

/** Call it before an object is deleted for its recreation. */
export const guardReplaced = (work: Work, live: KubeObject): Promise<void> =>
  refuseLoss(work, `${work.title}: recreating ${live.kind} ${live.metadata.name}`, (client) =>
    claimsLost(client, { objects: [live] }),
  );
