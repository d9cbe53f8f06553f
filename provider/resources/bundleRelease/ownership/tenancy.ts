/** The owner of a release: what its note in the cluster records, and what this resource claims. */

import { type Work } from "../../../../kubernetes/work/work";
import type { Context } from "../../../../foundation/pulumi/resource";
import { isPreviewed, TAKES_OVER } from "../../../../foundation/pulumi/adoption";

import type { Client } from "../../../../kubernetes/client/client";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { ownerIdOn } from "../../../../kubernetes/identity/ownerId";
import { detailsOn, recordOn } from "../../../../kubernetes/owners/annotations";
import {
  isOfSameStack,
  judgeOwner,
  ownerText,
  requireOwner,
  type OwnerVerdict,
} from "../../../../kubernetes/owners/judge";
import { recordBefore, type Claimant, type OwnerRecord } from "../../../../kubernetes/owners/record";
import { takeOwner, type Claim, type Held } from "../../../../kubernetes/owners/store";
import { parentRef, type ReleaseKey } from "../applySet";
import { releaseTitle, type ReleaseInputs } from "../inputs";
import { predecessorOf } from "./claimant";

/** The note of a release as it was read, and the claim of a resource to it. */
export interface Tenancy {
  readonly claim: Claim;
  readonly note: KubeObject | undefined;
  readonly record: OwnerRecord | undefined;
  readonly verdict: OwnerVerdict;
}

/** Judges a note. Refuses nothing. */
export function tenancyOf(
  context: Pick<Context, "urn" | "signal" | "preview">,
  owner: ReleaseKey & Pick<ReleaseInputs, "retained">,
  claimant: Claimant,
  note: KubeObject | undefined,
): Tenancy {
  const id = note && ownerIdOn(note);
  const record = note && (recordOn(note) ?? (id === undefined ? undefined : recordBefore(id)));
  const stack = claimant.stack.split("/").at(-1) ?? "";
  const place = `${owner.namespace}/${owner.name}`;
  const claim: Claim = {
    ref: parentRef(owner),
    claimant: {
      ...claimant,
      ...replacing(context, place, claimant, record),
      ...(record !== undefined && isPreviewed(place, context.preview) && { adopts: record.owner }),
      ...(owner.retained && continuing(context, claimant, note)),
    },
    thing: { title: releaseTitle(owner), adopt: `stackyard adopt ${place} --stack ${stack}` },
  };
  return { claim, note, record, verdict: judgeOwner(record, claim.claimant) };
}

/** A new release at the place of an old one of the same resource replaces it, unless the old state is stale. */
function replacing(
  context: Pick<Context, "urn" | "signal">,
  place: string,
  claimant: Claimant,
  record: OwnerRecord | undefined,
): Pick<Claimant, "replaces"> {
  const before = claimant.generation === 0 ? predecessorOf(context) : undefined;
  if (record === undefined || before?.place !== place) return {};
  const isIt = before.claimant ? judgeOwner(record, before.claimant) === "own" : isOfSameStack(record, claimant);
  return isIt ? { replaces: record.owner } : {};
}

/** A new resource continues a release that it left in the cluster on purpose. */
function continuing(
  { urn }: Pick<Context, "urn">,
  claimant: Claimant,
  note: KubeObject | undefined,
): Pick<Claimant, "replaces"> {
  const record = note && recordOn(note);
  const isOwn =
    note !== undefined && record !== undefined && isOfSameStack(record, claimant) && detailsOn(note).urn === urn;
  return isOwn && claimant.generation === 0 ? { replaces: record.owner } : {};
}

/** Throws unless the resource is the owner or may become it. */
export function requireTenancy({ claim, record }: Tenancy): void {
  requireOwner(record, claim.claimant, claim.thing);
}

/** In a preview: says from whom the release is taken over. What changes is reported after it. */
export function logTakeOver(
  { claim: { claimant, thing }, record, verdict }: Tenancy,
  { log }: Pick<Work, "log">,
): void {
  if (verdict !== "taken" || record === undefined) return;
  if (claimant.adopts === undefined && isOfSameStack(record, claimant)) return;
  log("info", `${TAKES_OVER} ${thing.title}, which ${ownedByText(record)}`);
}

export const ownedByText = (record: OwnerRecord): string => `belongs to ${ownerText(record)}`;

/**
 * Makes the resource the owner and begins a change. `complete`: builds the note. Undefined if the namespace of the note
 * does not exist.
 */
export function beginTenancy(
  client: Client,
  { claim, note, record }: Tenancy,
  owner: string,
  urn: string,
  complete: (live: KubeObject | undefined) => KubeObject,
): Promise<Held | undefined> {
  return takeOwner(client, { ...claim, complete }, owner, { urn }, note && { object: note, record });
}
