/** Removes objects of a set and waits until they are gone. */

import { ApiError } from "../client/apiError";
import { UnknownKindError } from "../client/discovery";
import { at, describe, groupOf, identity, inventoryKey, parseInventoryKey, textAt, refOf } from "../objects/objects";
import type { KubeObject, Ref } from "../objects/objects";
import { OWNER_ANNOTATION } from "../identity/ownerId";
import { capacityOf, claimsOf, isClaim, isStatefulSet, requestedBytes, templateNames } from "../claims/claims";
import { markKept } from "../disks/kept";
import { sizeText } from "../objects/bytes";
import { freeClaims, TEMPORARY_RETAIN_ANNOTATION } from "../disks/secure";
import { untilGone } from "../work/gone";
import { keptObjectText } from "./keptObjects";
import type { ClaimPolicy, SetInputs } from "../apply/set";
import { batchesOf } from "../apply/order";
import { isOfAnother, otherOwner } from "../owners/ownership";
import { forAll } from "../client/pool";
import { hasPods } from "../rollout/rollout";
import { podsOf } from "../reasons/collect";
import { strandedPods } from "./stranded";
import { foreignObjectIn } from "./foreignObject";
import type { Site } from "../apply/site";
import { markOwn, removeOwn, type Outcome } from "../owners/whileOwn";

/** Claims that are kept. */
type Kept = Map<string, KubeObject>;

/** The inputs that decide what happens to claims. */
export type Removed = Pick<SetInputs, "namespace" | "objects" | "claimsWhenDeleted">;

/** The objects of a set's inputs, by {@link identity}. */
export const objectsByIdentity = ({ objects = [], namespace }: Partial<Removed>): Map<string, KubeObject> =>
  new Map(
    objects.map((object) => [
      identity({ ...refOf(object), namespace: object.metadata.namespace ?? namespace }),
      object,
    ]),
  );

/**
 * Removes objects in reverse order of their creation. `inputs`: those that created the objects. Returns the keys of
 * objects that were already gone.
 */
export async function removeAll(site: Site, inventory: readonly string[], inputs: SetInputs): Promise<string[]> {
  const kept: Kept = new Map();
  const missing: string[] = [];
  const given = objectsByIdentity(inputs);
  const refs = inventory.map(parseInventoryKey);
  let taken: Promise<boolean> | undefined;
  const isTakenOver = (): Promise<boolean> => (taken ??= hasObjectsOfAnother(site, refs));
  for (const batch of batchesOf(refs, (ref) => ref).reverse()) {
    const going = await forAll(batch.reverse(), (ref) =>
      begin(site, ref, given.get(identity(ref)), inputs, { kept, isTakenOver, missing }),
    );
    await untilGone(site, going.flat());
  }
  if (kept.size > 0) await site.requireOwner?.();
  await markKept(site, [...kept.values()], site.owner, inputs.objects);
  for (const claim of kept.values()) site.log("info", keptReason(claim));
  return missing;
}

/**
 * Leaves objects in the cluster, and removes the marks of their owner. Returns the keys of objects that were already
 * gone.
 */
export async function releaseAll(site: Site, inventory: readonly string[]): Promise<string[]> {
  const left = await forAll(inventory.map(parseInventoryKey), async (ref) => {
    const live = await find(site, ref);
    if (live && (await release(site, ref, live))) site.log("info", `kept ${describe(ref)}, without an owner`);
    return live ? [] : [inventoryKey(ref)];
  });
  return left.flat();
}

/** Whether any of the objects belongs to another instance. */
async function hasObjectsOfAnother(site: Site, refs: readonly Ref[]): Promise<boolean> {
  const lives = await forAll(refs, (ref) => find(site, ref));
  return lives.some((live) => live !== undefined && isOfAnother(live, site.owner));
}

/** What the removals of one set share. */
interface Removal {
  readonly kept: Kept;
  readonly isTakenOver: () => Promise<boolean>;
  /** Keys of objects that do not exist. */
  readonly missing: string[];
}

/** Starts the removal of one object. Returns all objects that must be gone afterwards. */
async function begin(
  site: Site,
  ref: Ref,
  given: KubeObject | undefined,
  inputs: SetInputs,
  { kept, isTakenOver, missing }: Removal,
): Promise<KubeObject[]> {
  const live = await find(site, ref);
  if (!live) missing.push(inventoryKey(ref));
  if (live && isOfAnother(live, site.owner)) {
    site.log("warning", keptObjectText(ref, otherOwner(live, site.owner)));
    return [];
  }
  if (isStatefulSet(ref)) {
    // Its claims and pods have no owner id. If another instance took the set over, they belong to that one.
    if (!live && (await isTakenOver())) return [];
    // A recreation was interrupted while the StatefulSet was being deleted. Its pods are found once it is gone.
    const orphaning = live?.metadata.finalizers?.includes("orphan") ?? false;
    if (live && orphaning) await untilGone(site, [live]);
    return beginStatefulSet(site, ref, orphaning ? undefined : live, given, inputs, kept);
  }
  if (!live) return [];
  if (isClaim(ref) && inputs.claimsWhenDeleted === "Retain") {
    if (await release(site, ref, live)) kept.set(identity(ref), live);
    return [];
  }
  const foreign = isNamespace(ref) ? await foreignObjectIn(site, ref.name) : undefined;
  if (foreign !== undefined) {
    await release(site, ref, live);
    site.log(
      "info",
      `left ${describe(ref)} alone: it holds ${foreign}, which is not of set ${inputs.namespace}/${inputs.name}`,
    );
    return [];
  }
  if (isNamespace(ref) && [...kept.values()].some(({ metadata }) => metadata.namespace === ref.name)) {
    await release(site, ref, live);
    site.log("info", `kept ${describe(ref)}, because it contains claims that must stay`);
    return [];
  }
  const pods = hasPods(ref) && ref.kind !== "Pod" ? (await podsOf(site.client, live)).pods : [];
  const isGoing = isOwn(site, ref, await removeOwn(site, live, isLeaf(ref) ? "Background" : "Foreground"));
  return isGoing ? [live, ...pods] : [];
}

/** Removes the owner id of an object that stays, so that the next instance of the set takes it over. */
const release = async (site: Site, ref: Ref, live: KubeObject): Promise<boolean> =>
  isOwn(site, ref, await markOwn(site, live, { annotations: { [OWNER_ANNOTATION]: null } }));

/** Says so if an object stays because another stack has taken it over meanwhile. */
function isOwn(site: Site, ref: Ref, outcome: Outcome): boolean {
  if (outcome === "own") return true;
  site.log("warning", keptObjectText(ref, outcome.foreign));
  return false;
}

async function beginStatefulSet(
  site: Site,
  ref: Ref,
  live: KubeObject | undefined,
  given: KubeObject | undefined,
  inputs: SetInputs,
  kept: Kept,
): Promise<KubeObject[]> {
  const known = live ?? (given && { ...given, metadata: { ...given.metadata, namespace: ref.namespace } });
  if (!known) return [];
  const keep = policyOf(inputs, live, given) === "Retain";
  // Removes remaining owner references, so that the garbage collector keeps the claims.
  const free = live && keep && templateNames(live).length > 0;
  const claims = free ? await freeClaims(site, live) : await claimsOf(site.client, given ? [known, given] : [known]);
  const pods = live ? (await podsOf(site.client, live)).pods : await strandedPods(site.client, known);
  if (live && !isOwn(site, ref, await removeOwn(site, live, "Foreground"))) return [];
  await site.requireOwner?.();
  if (!live) await forAll(pods, (pod) => site.client.remove(refOf(pod), { uid: pod.metadata.uid }));
  if (keep) {
    for (const claim of claims) kept.set(identity(refOf(claim)), claim);
    return [...(live ? [live] : []), ...pods];
  }
  // The cluster deletes claims with the StatefulSet, except those of pods that were scaled down before the policy was
  // Delete, and except in clusters that don't support the policy.
  await forAll(claims, (claim) => site.client.remove(refOf(claim), { uid: claim.metadata.uid }));
  return [...(live ? [live] : []), ...pods, ...claims];
}

/**
 * The policy of the set, or else that of the live StatefulSet, which a user may have changed to Retain. If recreation
 * set Retain temporarily, the requested policy applies.
 */
export function policyOf(
  inputs: Pick<SetInputs, "claimsWhenDeleted">,
  live: KubeObject | undefined,
  given: KubeObject | undefined,
): ClaimPolicy {
  const path = ["spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"] as const;
  const passing = live?.metadata.annotations?.[TEMPORARY_RETAIN_ANNOTATION] !== undefined;
  const policy = inputs.claimsWhenDeleted ?? (passing ? undefined : textAt(live, ...path)) ?? textAt(given, ...path);
  return policy === "Delete" ? "Delete" : "Retain";
}

const isNamespace = ({ apiVersion, kind }: Ref): boolean => kind === "Namespace" && apiVersion === "v1";

const LEAVES = new Set(["", "rbac.authorization.k8s.io", "networking.k8s.io", "storage.k8s.io", "policy"]);

/** Kinds without dependents. Foreground deletion would only take time. */
const isLeaf = (ref: Ref): boolean => LEAVES.has(groupOf(ref.apiVersion)) && !hasPods(ref);

/** Returns undefined if the object, its namespace or its kind does not exist. */
async function find({ client }: Site, ref: Ref): Promise<KubeObject | undefined> {
  try {
    return await client.get(ref);
  } catch (error) {
    if (error instanceof UnknownKindError) return undefined;
    if (error instanceof ApiError && error.code === 403) {
      throw new Error(`${error.message}. Nothing can be removed without the right to read it`, { cause: error });
    }
    throw error;
  }
}

function keptReason(claim: KubeObject): string {
  const { namespace, name } = claim.metadata;
  const size = capacityOf(claim) ?? requestedBytes(claim);
  const volume = at(claim, "spec", "volumeName");
  return (
    `kept ${describe(refOf(claim))}${size === undefined ? "" : ` (${sizeText(size)}${volume ? `, volume ${textAt(claim, "spec", "volumeName")}` : ""})`}; ` +
    `to delete it with its data: stackyard runtime disks --remove ${namespace}/${name}`
  );
}
