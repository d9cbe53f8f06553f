/** Adoption: takes over the Shoot of a stack whose state was lost, as it is. Changes only the record of its owner. */

import type { Context } from "../../../foundation/pulumi/resource";
import { isObject } from "../../../foundation/json/isObject";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { capacityOf } from "../../../kubernetes/gardener/cloudProfile";
import { desiredOf } from "../../../kubernetes/gardener/desired";
import { withAuthentication } from "../../../kubernetes/gardener/existing";
import { asDescribed } from "../../../kubernetes/gardener/versionFields";
import { writeRecord } from "../../../kubernetes/gardener/owner";
import { shootFacts } from "../../../kubernetes/gardener/shoot";
import { despiteConflicts } from "../../../kubernetes/gardener/write";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import { requireOwner } from "../../../kubernetes/owners/judge";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { begun, isSameChange, stackOf, type OwnerRecord } from "../../../kubernetes/owners/record";
import { differenceLines } from "../../../kubernetes/drift/difference";
import { DIFFERS } from "../manifestSet/takeOver";
import { cloudProfileOf, openGarden, requireGarden, type Garden } from "./garden";
import { thingOf } from "./owner";
import type { ShootInputs, ShootState } from "./inputs";

/** `inputs.adopt` is the owner id of the Shoot, or its UID if it has no owner id. Throws if there is no such Shoot. */
export async function adoptShoot(context: Context, inputs: ShootInputs): Promise<ShootState> {
  const garden = openGarden(context, inputs);
  const place = await requireGarden(context, inputs);
  let seen: { readonly record: OwnerRecord | undefined } | undefined;
  const state = await despiteConflicts(async () => {
    const live = await garden.client.get(garden.ref);
    const record = live && recordOn(live);
    seen ??= { record };
    return adopted(garden, context, inputs, live, isSameChange(record, seen.record));
  });
  return { ...state, ...place };
}

/** `isAsSeen`: false if another process has taken the Shoot over since it was read first. */
async function adopted(
  garden: Garden,
  context: Context,
  inputs: ShootInputs,
  live: KubeObject | undefined,
  isAsSeen: boolean,
): Promise<ShootState> {
  const owner = live && ownerIdOn(live);
  const isImported = live !== undefined && owner === undefined && live.metadata.uid === inputs.adopt;
  if (live === undefined || (owner !== inputs.adopt && !isImported)) {
    const found = live ? `one with owner id ${owner ?? "none"}` : "none";
    throw new Error(
      `${garden.title}: found ${found}; expected one with owner id ${inputs.adopt} to adopt. Nothing was changed`,
    );
  }
  // An import has already shown the differences, which stay.
  if (hasSpec(inputs.shoot) && !isImported) {
    const described = asDescribed(await withAuthentication(garden.client, live), inputs.shoot);
    const { shoot: wanted } = desiredOf(inputs.shoot, described);
    const lines = differenceLines(described, wanted).map((line) => `  - ${line}`);
    if (lines.length > 0) context.log("warning", [`${garden.title} ${DIFFERS}:`, ...lines].join("\n"));
  }
  const profile = await cloudProfileOf(garden, live);
  // The first update of an imported Shoot writes the record.
  const owned = context.preview || owner === undefined ? {} : await taken(garden, live, owner, context, isAsSeen);
  return { ...inputs, ...shootFacts(live), ...((profile && capacityOf(profile, live)) ?? {}), ...owned };
}

/** The stack becomes the owner: a state of the earlier owner that is found again is older than the record from now on. */
async function taken(
  { client, title }: Garden,
  live: KubeObject,
  owner: string,
  context: Context,
  isAsSeen: boolean,
): Promise<Pick<ShootState, "ownerGeneration">> {
  const before = recordOn(live);
  const claimant = { ...stackOf(context), owner, generation: before?.generation ?? 0 };
  const asked = isAsSeen ? { ...claimant, adopts: owner, byCommand: true } : { ...claimant, owner: undefined };
  requireOwner(before, asked, thingOf(title, live));
  const record = begun(before, claimant, owner);
  await writeRecord(client, live, { ...record, phase: "applied" }, { urn: context.urn });
  return { ownerGeneration: record.generation };
}

/** A Shoot that is only adopted for its deletion has no spec. */
const hasSpec = ({ spec }: KubeObject): boolean => isObject(spec) && Object.keys(spec).length > 0;
