/** The owner of a set: what the cluster records, and what this resource claims. */

import { replacedInstance } from "../../framework/replaced";
import type { Context } from "../../../foundation/pulumi/resource";
import { isPreviewed } from "../../../foundation/pulumi/adoption";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { ownedBy, type Site } from "../../../kubernetes/apply/site";
import type { Task } from "../../../kubernetes/apply/survey";
import { applyAll, type OnApply } from "../../../kubernetes/apply/apply";
import type { ClaimUids } from "../../../kubernetes/drift/truth";
import { identity, isCore, parseInventoryKey } from "../../../kubernetes/objects/objects";
import { shared } from "../../../kubernetes/client/pool";
import { deploymentOf } from "../../../kubernetes/identity/origin";
import { detailsOn } from "../../../kubernetes/owners/annotations";
import {
  isOfSameStack,
  judgeOwner,
  OwnerError,
  requireOwner,
  type OwnerVerdict,
} from "../../../kubernetes/owners/judge";
import { RUNTIMES, stackOf, type Claimant, type OwnerRecord } from "../../../kubernetes/owners/record";
import {
  finishOwner,
  isOfOther,
  forgetOwner,
  formerOwners,
  readOwner,
  recordRef,
  recordsElsewhere,
  requireUnchanged,
  takeOwner,
  type Claim,
  type RecordHolder,
  type Held,
} from "../../../kubernetes/owners/store";

/** A resource's claim to a set, and the record as it was read. */
export interface Tenure {
  readonly claim: Claim;
  readonly urn: string;
  readonly found: RecordHolder | undefined;
  readonly verdict: OwnerVerdict;
  /** With the objects that the resource may change. */
  readonly site: Site;
}

/** Reads the record and judges it. Changes and refuses nothing. `state`: undefined for a new set. */
export async function readTenure(context: Context, site: Site, state: SetState | undefined): Promise<Tenure> {
  const { inputs, owner } = site;
  const own = claimantOf(context, site, state);
  const thing = { title: site.title, adopt: adoptCommand(own, inputs) };
  const ref = recordRef(inputs);
  const found = await readOwner(site.client, ref);
  const isTaken = found?.record !== undefined && isPreviewed(`${inputs.namespace}/${inputs.name}`, context.preview);
  const asked = isTaken ? { ...own, adopts: found?.record?.owner } : own;
  const claimant = { ...asked, isOther: isOfOther(found, context.urn) };
  const claim = { ref, claimant, thing };
  if (found && found.record === undefined) {
    throw new Error(
      `ConfigMap ${claim.ref.namespace}/${claim.ref.name} is where the owner of ${site.title} is recorded; it exists ` +
        "already, and records no owner. Give the set another name, or delete the ConfigMap",
    );
  }
  const again = inputs.shared === true && isSameResource(found, claimant, context.urn);
  const verdict = again ? "taken" : judgeOwner(found?.record, claimant);
  const isOwner = verdict === "own" || verdict === "taken";
  const passedOn = [claimant.replaces, claimant.adopts, ...(isOwner ? formerOwners(found?.object, owner.id) : [])];
  const holds =
    verdict === "own" ? new Set((state?.inventory ?? []).map((key) => identity(parseInventoryKey(key)))) : undefined;
  return {
    claim,
    urn: context.urn,
    found,
    verdict,
    site: ownedBy(site, {
      ...owner,
      takes: passedOn.filter((id) => id !== undefined),
      ...(holds && { holds }),
      adopt: thing.adopt,
      ...(inputs.shared && { shares: true }),
    }),
  };
}

/** As {@link readTenure}; throws unless the resource is the owner or may become it. */
export async function requireTenure(context: Context, site: Site, state: SetState | undefined): Promise<Tenure> {
  const tenure = await readTenure(context, site, state);
  const { claim, found, verdict } = tenure;
  if (verdict === "free") await refuseMoved(tenure);
  else if (verdict === "stale" || (verdict === "foreign" && !site.inputs.shared)) {
    requireOwner(found?.record, claim.claimant, claim.thing);
  }
  return tenure;
}

/** Throws if the set is recorded at another place: it was moved, and the state is from before that. */
export async function refuseMoved(tenure: Tenure): Promise<void> {
  const moved = await movedTo(tenure);
  if (moved === undefined) return;
  const { site, claim } = tenure;
  throw new OwnerError(
    `${site.title} was moved: ${moved}. The state of stack ${claim.claimant.stack} in ${claim.claimant.backend} is older ` +
      `(generation ${claim.claimant.generation}). Nothing was changed. Use the newer state, or restore the newest checkpoint of this stack`,
  );
}

/**
 * Where a set is recorded whose record is missing at its place; undefined if nowhere, or if it never had one. A stack of
 * the same name in another backend has a set of its own elsewhere: that is no move.
 */
export async function movedTo({ claim, found, urn, site }: Tenure): Promise<string | undefined> {
  if (found !== undefined || claim.claimant.generation === 0) return undefined;
  const others = await recordsElsewhere(site.client, urn, claim.ref, site.inputs.record !== undefined);
  const own = others.find(({ record }) => isOfSameStack(record, claim.claimant));
  if (own === undefined) return undefined;
  const { record, object } = own;
  return (
    `stack ${record.stack} in ${record.backend} has it in namespace ${object.metadata.namespace} since ` +
    `${record.changedAt} (generation ${record.generation}, ${record.changedBy})`
  );
}

/**
 * Makes the resource the owner before its change. A set that creates its own namespace does that first, because the
 * record is in it. Undefined if there is no such namespace, or if another stack owns a shared set.
 */
export async function beginTenure(
  { claim, urn, found, verdict, site }: Tenure,
  ownerId: string,
  clusterUid: string | undefined,
  tasks: readonly Task[],
  onApply: OnApply,
): Promise<Held | undefined> {
  if (verdict === "foreign") return undefined;
  const details = { urn, ...(clusterUid !== undefined && { clusterUid }) };
  const again =
    verdict === "taken" ? { ...claim, claimant: { ...claim.claimant, replaces: found?.record?.owner } } : claim;
  const own = tasks.filter(({ ref }) => isCore(ref, "Namespace") && ref.name === claim.ref.namespace);
  const isGoing = own.some(({ terminating }) => terminating !== undefined);
  const take = async (known?: RecordHolder): Promise<Held | undefined> => {
    try {
      return await takeOwner(site.client, again, ownerId, details, known);
    } catch (error) {
      // Another stack, or another resource of this one, has begun the same shared set at the same moment.
      if (site.inputs.shared !== true || !(error instanceof OwnerError)) throw error;
      return undefined;
    }
  };
  const held = isGoing ? undefined : await take(found);
  if (held !== undefined || own.length === 0) return held;
  await applyAll(site, own, onApply);
  return take();
}

/** The site of removals, which stop when the record is not this one any more. */
export const guardedSite = (site: Site, record: OwnerRecord | undefined): Site => ({
  ...site,
  requireOwner: shared(() => requireUnchanged(site.client, recordRef(site.inputs), record)),
});

/** Ends a change that has succeeded, with the claims that the set has now. */
export async function endTenure(site: Site, held: Held | undefined, claims: ClaimUids | undefined): Promise<void> {
  if (held !== undefined) await finishOwner(site.client, held, { claims });
}

/** Deletes the record of a set that was not created after all. */
export async function dropTenure({ site, found }: Tenure, held: Held | undefined): Promise<void> {
  if (held === undefined || found !== undefined) return;
  // The failure before matters more; the same stack takes over a record that stays.
  await forgetOwner(site.client, held).catch(() => undefined);
}

/** Whether a record is of an earlier instance of the same resource. Only a namespace that stays may have another one. */
const isSameResource = (found: RecordHolder | undefined, claimant: Claimant, urn: string): boolean =>
  found?.record !== undefined && isOfSameStack(found.record, claimant) && detailsOn(found.object).urn === urn;

function claimantOf(context: Context, { inputs, owner }: Site, state: SetState | undefined): Claimant {
  const replaces = state === undefined ? replacedInstance(context) : undefined;
  const adopts = state === undefined ? inputs.adopt : undefined;
  return {
    ...stackOf(context),
    owner: owner.id,
    generation: state?.generation ?? 0,
    ...(replaces !== undefined && { replaces }),
    ...(adopts !== undefined && { adopts, byCommand: !context.preview }),
    ...(state?.interrupted && { interrupted: true }),
  };
}

function adoptCommand({ stack }: Claimant, { name, namespace, objects }: SetInputs): string {
  const [project, stackName = ""] = stack.split("/");
  if (project !== RUNTIMES) return `stackyard adopt ${namespace}/${name} --stack ${stackName}`;
  return `stackyard runtime adopt ${deploymentOf(objects) ?? stackName}`;
}
