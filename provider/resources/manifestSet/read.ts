/** Refresh: reads the cluster and converts the objects to inputs. */

import { ApiError } from "../../../kubernetes/client/apiError";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { describe, identity, isList, parseInventoryKey, refOf } from "../../../kubernetes/objects/objects";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import type { Context } from "../../../foundation/pulumi/resource";
import { isClaim, isStatefulSet, storageBytes } from "../../../kubernetes/claims/claims";
import { changeableIn, immutableChanges } from "../../../kubernetes/claims/immutable";
import { withoutShrinking } from "../../../kubernetes/claims/claimPlan";
import type { SetInputs, SetInState, SetState } from "../../../kubernetes/apply/set";
import { isOwn, isOwned, otherOwner, ownerLabels } from "../../../kubernetes/owners/ownership";
import { forAll } from "../../../kubernetes/client/pool";
import { asInput, isAsApplied } from "../../../kubernetes/drift/project";
import { allClaims, stillThere, uidsAmong, wantsClaims } from "../../../kubernetes/ready/disks";
import { changedPaths, type ClaimUids } from "../../../kubernetes/drift/truth";
import { openSite, type Site } from "../../../kubernetes/apply/site";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { isOfSameStack, ownerText } from "../../../kubernetes/owners/judge";
import { readTenure, refuseMoved } from "./tenure";
import { Unknown } from "../../../kubernetes/work/unknown";
import { strandedPods } from "../../../kubernetes/remove/stranded";
import { inventoryOf, wantedOf, type WantedObject } from "../../../kubernetes/apply/wanted";

/**
 * The set as it is in its cluster. If none of its objects exists, it stays in the state without objects: the next update
 * creates them again, and what the resource recorded is kept.
 */
export async function readSet(context: Context, id: string, old: SetInState, ownerId: string): Promise<SetInState> {
  if (!isList(old.inputs?.objects) || typeof old.inputs.name !== "string") {
    throw new Error(
      `a ManifestSet can't be imported (${id}): its id contains neither the cluster nor the desired objects. ` +
        "A runtime that lost its stack gets one again with: stackyard runtime adopt NAME. Any other set: give its resource " +
        "`adopt: <stackyard.dev/owner-id of its objects>` and run pulumi up",
    );
  }
  const opened = openSite(context, old.inputs, ownerId);
  const [, tenure] = await Promise.all([
    requireCluster(context, old.inputs, old.state),
    readTenure(context, opened, old.state),
  ]);
  const { site, verdict, found, claim } = tenure;
  if (verdict === "free") await refuseMoved(tenure);
  if (verdict === "foreign" && found?.record && !isOfSameStack(found.record, claim.claimant)) {
    site.log("warning", `${site.title} is not read, because it belongs to ${ownerText(found.record)}`);
    // Another stack may have a shared set.
    return site.inputs.shared ? old : { inputs: old.inputs, state: { ...old.state, foreign: true } };
  }
  // A state that is older than the record becomes current by what is read.
  const generation = verdict === "own" || verdict === "stale" ? found?.record?.generation : old.state.generation;
  const numbered = generation === undefined ? {} : { generation };
  const unknown = new Unknown(site.inputs.as);
  const there = await liveSet(site, old, unknown);
  unknown.log(site.log);
  if (there) return { ...there, state: { ...there.state, ...numbered } };
  const { inventory, inputs } = { inventory: [], inputs: { ...old.inputs, objects: [] } };
  site.log("warning", `none of its objects exists in ${inputs.cluster}; the next update creates them again`);
  const claimed = notedClaims(site, old.state, await stillThere(site, old.state.claims));
  const { storageBytes: bytes } = old.state;
  return {
    inputs,
    state: { ...inputs, inventory, storageBytes: bytes, ...identifiedBy(old.state), ...numbered, ...claimed },
  };
}

/** A refresh keeps the recorded owner; without it, a deletion would treat the objects as foreign. */
const identifiedBy = ({ ownerId, clusterUid }: SetState): Pick<SetState, "ownerId" | "clusterUid"> => ({
  ...(ownerId !== undefined && { ownerId }),
  ...(clusterUid !== undefined && { clusterUid }),
});

/** Undefined if no object of the set exists. With `unknown`, an object that the user may not read counts as recorded. */
export async function liveSet(site: Site, old: SetInState, unknown?: Unknown): Promise<SetInState | undefined> {
  // An interrupted creation may have created any of them.
  const known = old.state.inventory ?? inventoryOf(await wantedOf(site, old.inputs));
  const refs = known.map(parseInventoryKey);
  const given = givenBy(old.inputs);
  const looks = await forAll(refs, (ref) => look(site, ref, given.get(identity(ref)), unknown));
  const there = looks.filter((one) => one !== undefined);
  if (refs.length > 0 && there.length === 0 && !(await isStranded(site, refs, given))) return undefined;

  const byIdentity = new Map(there.map((one) => [identity(one.ref), one]));
  const objects = old.inputs.objects.flatMap((object) => {
    const found = [object.metadata.namespace ?? old.inputs.namespace, undefined]
      .map((namespace) => byIdentity.get(identity({ ...refOf(object), namespace })))
      .find((one) => one !== undefined);
    return found ? [found.input ?? object] : [];
  });
  const wanted: WantedObject[] = there.map(({ ref, live }) => ({ ref, object: live, given: live, needs: undefined }));
  const claims = await allClaims(site, wanted);
  const inventory = known.filter((key) => byIdentity.has(identity(parseInventoryKey(key))));
  // Leftovers of a failed update become additional objects in the inputs, so that the next update deletes them.
  const strays = there.filter(({ ref }) => !given.has(identity(ref))).map(({ ref }) => strayOf(ref));
  const inputs = { ...old.inputs, objects: [...objects, ...strays] };
  const stranded = inventory.length === 0 ? known : inventory;
  const bytes = storageBytes(claims, wantsClaims(wanted));
  const claimed = { ...(await stillThere(site, old.state.claims)), ...uidsAmong(wanted, claims) };
  const state = {
    ...inputs,
    inventory: stranded,
    storageBytes: bytes,
    ...identifiedBy(old.state),
    ...notedClaims(site, old.state, claimed),
  };
  return { inputs, state };
}

/** A refresh accepts the claims that exist, and says so: one that was replaced is the set's from now on. */
function notedClaims(site: Site, old: SetState, claims: ClaimUids): Pick<SetState, "claims"> {
  for (const [key, uid] of Object.entries(old.claims ?? {})) {
    const found = claims[key];
    if (found === uid) continue;
    const now = found === undefined ? "the next update creates an empty one" : `accepted the one with UID ${found}`;
    site.log("warning", `PersistentVolumeClaim ${key} with UID ${uid} is gone; ${now}`);
  }
  return Object.keys(claims).length === 0 ? {} : { claims };
}

const strayOf = ({ apiVersion, kind, namespace, name }: Ref): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

interface Look {
  readonly ref: Ref;
  readonly live: KubeObject;
  /** The object as an input; undefined if it has no drift. */
  readonly input: KubeObject | undefined;
}

/** Undefined if the object is gone or belongs to another owner. */
async function look(
  site: Site,
  ref: Ref,
  given: KubeObject | undefined,
  unknown: Unknown | undefined,
): Promise<Look | undefined> {
  const live = await find(site, ref, unknown);
  if (!live) return undefined;
  if (live === "unknown") return { ref, live: given ?? strayOf(ref), input: undefined };
  const isItsOwn = isOwn(live, ref, site.owner);
  if (!isItsOwn && !isOwned(live, site.owner)) {
    site.log("warning", `${describe(ref)} is not of this set any more: ${otherOwner(live, site.owner)}`);
    return undefined;
  }
  // The object is as desired; its owner only matters for a deletion.
  if (!isItsOwn)
    site.log("info", `${describe(ref)}: ${otherOwner(live, site.owner)}, so deleting the set leaves it alone`);
  if (!given || (!isItsOwn && site.owner.shares)) return { ref, live, input: undefined };
  const wanted = await dryRunOf(site, given, live, unknown);
  return { ref, live, input: wanted && isAsApplied(live, wanted) ? undefined : asInput(live, given) };
}

/**
 * Dry run of applying the object again; undefined if the API server rejects it. Shows drift better than a comparison of
 * our own, which is for users who may not apply it.
 */
async function dryRunOf(
  site: Site,
  given: KubeObject,
  live: KubeObject,
  unknown: Unknown | undefined,
): Promise<KubeObject | undefined> {
  const labels = { ...given.metadata.labels, ...ownerLabels(site.owner) };
  const ref = refOf(live);
  const { namespace } = ref;
  const metadata = { ...given.metadata, ...(namespace === undefined ? {} : { namespace }), labels };
  let object: KubeObject = { ...given, metadata };
  const keeps = site.inputs.claimsWhenSmaller === "Keep";
  if (isClaim(ref) || (isStatefulSet(ref) && keeps)) object = withoutShrinking(object, live);
  if (isStatefulSet(ref)) {
    if (immutableChanges(object, live).length > 0) return undefined;
    object = changeableIn(object, live);
  }
  try {
    return await site.client.apply(object, { dryRun: true });
  } catch (error) {
    if (unknown?.note(error)) return changedPaths(live, given).length === 0 ? live : undefined;
    if (error instanceof ApiError && error.code < 500 && error.code !== 401 && error.code !== 429) return undefined;
    throw error;
  }
}

async function find(
  { client }: Site,
  ref: Ref,
  unknown: Unknown | undefined,
): Promise<KubeObject | "unknown" | undefined> {
  try {
    return await client.get(ref);
  } catch (error) {
    // An object that the user may not read stays as it is recorded.
    if (unknown?.note(error)) return "unknown";
    if (error instanceof UnknownKindError) return undefined; // The kind was deleted, with all its objects.
    throw error;
  }
}

/** The inputs by identity. Cluster-scoped objects have no namespace. */
function givenBy({ objects, namespace }: SetInputs): Map<string, KubeObject> {
  return new Map(
    objects.flatMap((object) => {
      const ref = refOf(object);
      return [
        [identity({ ...ref, namespace: ref.namespace ?? namespace }), object],
        [identity({ ...ref, namespace: undefined }), object],
      ] as const;
    }),
  );
}

/** After an interrupted recreation, a StatefulSet may be missing while its pods run. */
async function isStranded(site: Site, refs: readonly Ref[], given: ReadonlyMap<string, KubeObject>): Promise<boolean> {
  for (const ref of refs.filter(isStatefulSet)) {
    const object = given.get(identity(ref));
    if (!object) continue;
    const set = { ...object, metadata: { ...object.metadata, namespace: ref.namespace } };
    if ((await strandedPods(site.client, set)).length > 0) return true;
  }
  return false;
}
