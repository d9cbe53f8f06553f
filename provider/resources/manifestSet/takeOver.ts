/** Adoption: a set whose state was lost takes over its objects as they are. Applies nothing. */

import { refOf, describe, identity, inventoryKey, type KubeObject } from "../../../kubernetes/objects/objects";
import { isConflict, isNotFound } from "../../../kubernetes/client/apiError";
import { forAll } from "../../../kubernetes/client/pool";
import type { Held } from "../../../kubernetes/owners/store";
import { openSite, type Site } from "../../../kubernetes/apply/site";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { OWNER_ANNOTATION, ownerIdOn } from "../../../kubernetes/identity/ownerId";
import type { Context } from "../../../foundation/pulumi/resource";

import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { markedFor } from "../../../kubernetes/remove/marked";
import { isOfAnother } from "../../../kubernetes/owners/ownership";
import { liveSet } from "./read";
import { allClaims, uidsAmong, wantsClaims } from "../../../kubernetes/ready/disks";
import { beginTenure, endTenure, requireTenure, type Tenure } from "./tenure";
import { wantedOf, type WantedObject } from "../../../kubernetes/apply/wanted";
import { differenceLines } from "../../../kubernetes/drift/difference";
import { isOfSameStack, ownerText } from "../../../kubernetes/owners/judge";
import { TAKES_OVER } from "../../../foundation/pulumi/adoption";
import { lookUp } from "../../../kubernetes/client/lookUp";

/** On an object that was adopted as it is: when (RFC 3339). */
const ADOPTED_ANNOTATION = "stackyard.dev/adopted-at";

/** Warning that the adopted objects differ from the inputs, so that a refresh is useful. */
export const DIFFERS = "is adopted as it is, which differs from what would be applied";

/** `inputs.adopt` is the owner id of the objects. Throws if there are none with it. */
export async function takeOver(context: Context, inputs: SetInputs, ownerId: string): Promise<SetState> {
  const opened = openSite(context, inputs, ownerId);
  const [wanted, clusterUid, marked, tenure] = await Promise.all([
    wantedOf(opened, inputs),
    requireCluster(context, inputs, undefined),
    markedFor(opened.client, opened.owner),
    requireTenure(context, opened, undefined),
  ]);
  const { site } = tenure;
  const own = marked.filter((live) => !isOfAnother(live, site.owner));
  const byIdentity = new Map(own.map((live) => [identity(refOf(live)), live]));
  const first = wanted.map(({ ref }) => identity(ref)).filter((key) => byIdentity.has(key));
  const known = new Set(first);
  const strays = own.filter((live) => !known.has(identity(refOf(live))));
  const ordered = [...strays, ...first.map((key) => byIdentity.get(key) as KubeObject)];
  const inventory = ordered.map((live) => inventoryKey(refOf(live)));
  const before = { ...inputs, inventory, storageBytes: null, ownerId };
  const found = inventory.length === 0 ? undefined : await liveSet(site, { inputs, state: before });
  if (!found) throw new Error(nothingThere(inputs, marked));
  if (inputs.objects.length > 0) {
    const lines = await differences(site, wanted, strays);
    if (lines.length > 0) context.log("warning", `${site.title} ${DIFFERS}:\n${listed(lines)}`);
  }
  const identified = { ownerId, ...(clusterUid === undefined ? {} : { clusterUid }) };
  const claims = wantsClaims(wanted) ? uidsAmong(wanted, await allClaims(site, wanted)) : undefined;
  const noted = claims === undefined ? {} : { claims };
  const state = { ...inputs, inventory, storageBytes: found.state.storageBytes, ...identified, ...noted };
  if (context.preview) return state;
  const held = await beginTenure(tenure, ownerId, clusterUid, [], () => undefined);
  await touch(site, ordered, held, ownerId);
  await endTenure(site, held, claims);
  return held === undefined ? state : { ...state, generation: held.record.generation };
}

/**
 * Writes to each object, after the record: the former owner may be deleting them, and names the version of the object
 * that it has seen. What an interrupted take-over left with an earlier owner gets the id of this one.
 */
async function touch(
  site: Site,
  objects: readonly KubeObject[],
  held: Held | undefined,
  ownerId: string,
): Promise<void> {
  const adoptedAt = held?.record.changedAt ?? new Date().toISOString();
  const annotations = { [ADOPTED_ANNOTATION]: adoptedAt, [OWNER_ANNOTATION]: ownerId };
  await forAll(objects, async (live) => {
    try {
      await site.client.merge(refOf(live), { metadata: { uid: live.metadata.uid, annotations } });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      throw new Error(
        `${describe(refOf(live))} was deleted while ${site.title} was taken over. Run the command again to adopt what is left`,
        { cause: error },
      );
    }
  });
}

/** What the next update would create, change and delete, a line each. `strays`: objects that are not wanted. */
async function differences(
  { client }: Pick<Site, "client">,
  wanted: readonly WantedObject[],
  strays: readonly KubeObject[],
): Promise<string[]> {
  const live = await lookUp(
    client,
    wanted.map(({ ref }) => ref),
  );
  return [
    ...wanted.flatMap(({ ref, given }) => {
      const found = live.get(identity(ref));
      return found === undefined ? [`${describe(ref)} is missing`] : differenceLines(found, given);
    }),
    ...strays.map((stray) => `${describe(refOf(stray))} is not one of the set's objects`),
  ];
}

const listed = (lines: readonly string[]): string => lines.map((line) => `  - ${line}`).join("\n");

/** In the preview of an update that takes a set over from another stack: from whom, and what it changes. */
export async function logTakeOver(
  { site, found, claim, verdict }: Tenure,
  wanted: readonly WantedObject[],
): Promise<void> {
  const record = found?.record;
  if (verdict !== "taken" || record === undefined) return;
  if (claim.claimant.adopts === undefined && isOfSameStack(record, claim.claimant)) return;
  const lines = await differences(site, wanted, []);
  const what = lines.length === 0 ? ", as it is" : ` and changes:\n${listed(lines)}`;
  site.log("info", `${TAKES_OVER} ${site.title} from ${ownerText(record)}${what}`);
}

function nothingThere({ cluster, namespace, name, adopt }: SetInputs, marked: readonly KubeObject[]): string {
  const others = [...new Set(marked.map((live) => ownerIdOn(live) ?? "none"))];
  const found = others.length === 0 ? "no object of the set" : `only objects with owner id ${others.join(", ")}`;
  return `set ${namespace}/${name} in cluster ${cluster}: found ${found}; expected objects with owner id ${adopt} to adopt. Nothing was changed`;
}
