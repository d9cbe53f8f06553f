/**
 * Compares a set with the cluster although its inputs did not change, so that an update restores what differs, and
 * refuses what another stack has taken over.
 */

import { isDeepStrictEqual } from "node:util";
import type { Context, Difference } from "../../../foundation/pulumi/resource";
import { withClaimPolicy } from "../../../kubernetes/apply/wanted";
import { openSite } from "../../../kubernetes/apply/site";
import type { SetInputs } from "../../../kubernetes/apply/set";
import type { Earlier } from "./applySet";
import { readTenure } from "./tenure";
import { detailsOn } from "../../../kubernetes/owners/annotations";
import { claimsOf, isStatefulSet } from "../../../kubernetes/claims/claims";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { describe, identity, parseInventoryKey, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { forAll } from "../../../kubernetes/client/pool";
import { lookUp } from "../../../kubernetes/client/lookUp";
import {
  claimFindings,
  findingText,
  objectFindings,
  recordedFor,
  type DriftFinding,
} from "../../../kubernetes/drift/truth";
import { objectsByIdentity } from "../../../kubernetes/remove/remove";

/** Changes by path, one for each object that differs. Empty with a warning if the cluster can't be reached. */
export async function liveChanges(
  context: Context,
  { inputs, state }: Earlier,
  ownerId: string,
): Promise<Difference["changes"]> {
  // As in a preview: an unreachable cluster is no reason to wait.
  const site = openSite({ ...context, preview: true }, inputs, ownerId);
  const objects = inputs.objects.map((object) => withClaimPolicy(object, inputs.claimsWhenDeleted));
  const given = objectsByIdentity({ ...inputs, objects });
  const refs = (state.inventory ?? []).map(parseInventoryKey);
  try {
    const [{ verdict, found: holder, claim }, live, claims] = await Promise.all([
      readTenure(context, site, state),
      lookUp(site.client, refs),
      liveClaims(site.client, refs, given),
      // In another cluster nothing is missing, because it was never there.
      requireCluster({ ...context, preview: true }, inputs, state),
    ]);
    // The update refuses another owner, and takes over what was offered.
    if (verdict !== "own" && verdict !== "free") return { ownerId: "update" };
    const found = refs.map((ref): readonly [Ref, DriftFinding[]] => [
      ref,
      [
        ...objectFindings(live.get(identity(ref)), ref, given.get(identity(ref)), site.owner),
        ...claimFindings(claims.get(identity(ref)) ?? [], recordedFor(state.claims, ref, given.get(identity(ref)))),
      ],
    ]);
    for (const finding of found.flatMap(([, findings]) => findings)) {
      site.log(finding.repairable ? "info" : "warning", findingText(finding));
    }
    const isNoted = isRecorded(holder?.object, state);
    if (holder === undefined && !isNoted)
      site.log("info", `${describe(claim.ref)}, the record of its owner, was deleted`);
    const noted: Difference["changes"] = isNoted ? {} : { ownerId: "update" };
    const changes = Object.fromEntries(
      found.flatMap(([ref, findings]) => (findings.length === 0 ? [] : [[pathOf(inputs, ref), "update" as const]])),
    );
    return { ...noted, ...changes };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    site.log("warning", `${error.message}; so it was not looked at`);
    return {};
  }
}

/** Whether the record of the owner is there, with the claims that the state has. States of older versions have no record. */
function isRecorded(record: KubeObject | undefined, { generation, claims }: Earlier["state"]): boolean {
  if (record === undefined) return generation === undefined;
  return claims === undefined || isDeepStrictEqual(detailsOn(record).claims, claims);
}

/** Claims of the StatefulSets, also of those that are missing. */
async function liveClaims(
  client: Parameters<typeof claimsOf>[0],
  refs: readonly Ref[],
  given: ReadonlyMap<string, KubeObject>,
): Promise<Map<string, KubeObject[]>> {
  const found = await forAll(refs.filter(isStatefulSet), async (ref) => {
    const object = given.get(identity(ref));
    if (object === undefined) return [identity(ref), []] as const;
    const { namespace, name } = ref;
    return [
      identity(ref),
      await claimsOf(client, [{ ...object, metadata: { ...object.metadata, namespace, name } }]),
    ] as const;
  });
  return new Map(found.map(([key, claims]) => [key, [...claims]]));
}

function pathOf({ objects, namespace }: SetInputs, ref: Ref): string {
  const index = objects.findIndex((object) => {
    const { apiVersion, kind, metadata } = object;
    const own = { apiVersion, kind, namespace: metadata.namespace ?? namespace, name: metadata.name };
    return [own, { ...own, namespace: undefined }].some((one) => identity(one) === identity(ref));
  });
  return index < 0 ? "objects" : `objects[${index}]`;
}
