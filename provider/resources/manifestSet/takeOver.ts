/** Adoption: a set whose state was lost takes over its objects as they are. Applies nothing. */

import { isConflict, isNotFound } from "../../../kubernetes/client/apiError";
import { forAll } from "../../../kubernetes/client/pool";
import type { Held } from "../../../kubernetes/owners/store";
import type { Site } from "../../../kubernetes/apply/site";
import { clusterUidBy } from "../../../kubernetes/identity/clusterUid";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { describe, identity, inventoryKey } from "../../../kubernetes/client/objects";
import type { KubeObject } from "../../../kubernetes/client/objects";
import type { Context } from "../../../foundation/pulumi/resource";
import { refOf } from "../../../kubernetes/claims/claims";
import { diffSet } from "./diff";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { markedFor } from "../../../kubernetes/remove/marked";
import { isOfAnother } from "../../../kubernetes/apply/ownership";
import { liveSet } from "./read";
import { claimUids } from "../../../kubernetes/ready/disks";
import { beginTenure, endTenure, requireTenure } from "./tenure";
import { openSite } from "../../../kubernetes/apply/site";
import { wantedOf } from "../../../kubernetes/apply/wanted";

/** On an object that was adopted as it is: when (RFC 3339). */
const ADOPTED_ANNOTATION = "stackyard.dev/adopted-at";

/** Warning that the adopted objects differ from the inputs, so that a refresh is useful. */
export const DIFFERS = "is adopted as it is, which differs from what would be applied";

/** `inputs.adopt` is the owner id of the objects. Throws if there are none with it. */
export async function takeOver(context: Context, inputs: SetInputs, ownerId: string): Promise<SetState> {
  const opened = openSite(context, inputs, ownerId);
  const [wanted, clusterUid, marked, tenure] = await Promise.all([
    wantedOf(opened, inputs),
    clusterUidBy(inputs, context),
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
    const missing = wanted
      .filter(({ ref }) => !known.has(identity(ref)))
      .map(({ ref }) => `${describe(ref)} is missing`);
    const paths = Object.keys(diffSet(found.inputs, inputs).changes).map((path) => named(path, inputs));
    const lines = [...missing, ...paths];
    if (lines.length > 0) {
      context.log("warning", `${site.title} ${DIFFERS}:\n${lines.map((line) => `  - ${line}`).join("\n")}`);
    }
  }
  const identified = { ownerId, ...(clusterUid === undefined ? {} : { clusterUid }) };
  const claims = await claimUids(site, wanted);
  const noted = claims === undefined ? {} : { claims };
  const state = { ...inputs, inventory, storageBytes: found.state.storageBytes, ...identified, ...noted };
  if (context.preview) return state;
  const held = await beginTenure(tenure, ownerId, clusterUid, [], () => undefined);
  await touch(site, ordered, held);
  await endTenure(site, held, claims);
  return held === undefined ? state : { ...state, generation: held.record.generation };
}

/**
 * Writes to each object, after the record: the former owner may be deleting them, and names the version of the object
 * that it has seen.
 */
async function touch(site: Site, objects: readonly KubeObject[], held: Held | undefined): Promise<void> {
  const annotations = { [ADOPTED_ANNOTATION]: held?.record.changedAt ?? new Date().toISOString() };
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

/** Converts `objects[2].spec.replicas` to `StatefulSet runtime-acme: spec.replicas`. */
function named(path: string, { objects }: SetInputs): string {
  const [, index, field = ""] = /^objects\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const object = index === undefined ? undefined : objects[Number(index)];
  if (object === undefined) return index === undefined ? path : "an object that is not one of the set's";
  return `${object.kind} ${object.metadata.name}${field === "" ? "" : `: ${field}`}`;
}

function nothingThere({ cluster, namespace, name, adopt }: SetInputs, marked: readonly KubeObject[]): string {
  const others = [...new Set(marked.map((live) => ownerIdOn(live) ?? "none"))];
  const found = others.length === 0 ? "no object of the set" : `only objects with owner id ${others.join(", ")}`;
  return `set ${namespace}/${name} in cluster ${cluster}: found ${found}; expected objects with owner id ${adopt} to adopt. Nothing was changed`;
}
