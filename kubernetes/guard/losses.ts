/** Determines which claims a deletion of objects would delete. Changes nothing. */

import type { Client } from "../client/client";
import { textAt, type KubeObject, identity, type OwnerReference, type Ref } from "../objects/objects";
import { CLAIM, claimsOf, isStatefulSet } from "../claims/claims";
import { unlessForbidden, ifKnown } from "../client/lookUp";
import { forAll } from "../client/pool";

// Determines which objects the garbage collector deletes along with others.

/** A longer chain of owners is assumed to be a cycle. */
const DEEPEST = 10;

/**
 * Returns a check whether an object is garbage-collected with the objects of `uids`: it has owners, and all of them are
 * deleted or no longer exist.
 */
function collectedWith(client: Client, uids: ReadonlySet<string>): (object: KubeObject) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const goes = async ({ metadata }: KubeObject, depth: number): Promise<boolean> => {
    const owners = metadata.ownerReferences ?? [];
    if (owners.length === 0 || depth > DEEPEST) return false;
    const all = await Promise.all(owners.map((owner) => ownerGoes(owner, metadata.namespace, depth)));
    return all.every((one) => one);
  };
  const ownerGoes = (owner: OwnerReference, namespace: string | undefined, depth: number): Promise<boolean> => {
    if (uids.has(owner.uid)) return Promise.resolve(true);
    const found = known.get(owner.uid);
    if (found) return found;
    const looked = look(owner, namespace).then((live) => live === undefined || goes(live, depth + 1));
    known.set(owner.uid, looked);
    return looked;
  };
  const look = async (owner: OwnerReference, namespace: string | undefined): Promise<KubeObject | undefined> => {
    const { apiVersion, kind, name } = owner as unknown as Ref;
    const resource = await ifKnown(client.discovery.resource(apiVersion, kind));
    if (resource === null) return undefined;
    const ref = { apiVersion, kind, name, ...(resource.namespaced && { namespace }) };
    const live = await ifKnown(client.get(ref, { metadataOnly: true }));
    return live && live.metadata.uid === owner.uid ? live : undefined;
  };
  return (object) => goes(object, 0);
}

/** Whether a claim is an ephemeral volume of a pod. It is deleted with the pod and holds no lasting data. */
const isEphemeral = ({ metadata }: KubeObject): boolean =>
  (metadata.ownerReferences ?? []).some(
    ({ kind, name, controller }) => kind === "Pod" && controller && metadata.name.startsWith(`${name}-`),
  );

/** Removes duplicates. */
const distinctObjects = (objects: readonly KubeObject[]): KubeObject[] => [
  ...new Map(objects.map((one) => [identity({ ...one, ...one.metadata }), one])).values(),
];

/** A planned deletion. */
interface PlannedDeletion {
  /** The live objects. StatefulSets must be complete; metadata suffices for other kinds. */
  readonly objects: readonly KubeObject[];
  /** Namespaces to be deleted with all their content. */
  readonly namespaces?: readonly string[];
  /** Claims that are deleted explicitly, in addition to the objects. */
  readonly claims?: readonly KubeObject[];
  /** Whether the claims of a StatefulSet are kept when it is deleted. Default: according to its retention policy. */
  readonly keepsClaims?: (set: KubeObject) => boolean;
}

export async function claimsLost(client: Client, deletion: PlannedDeletion): Promise<KubeObject[]> {
  const { objects, namespaces = [], claims = [], keepsClaims = keepsByPolicy } = deletion;
  const uids = new Set(objects.flatMap(({ metadata }) => metadata.uid ?? []));
  const goes = collectedWith(client, uids);
  const places = new Set([...namespaces, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  const kept = new Set<string | undefined>();
  const lost = [...claims];
  for (const set of objects.filter(isStatefulSet)) {
    const own = await claimsOf(client, [set]);
    if (!keepsClaims(set)) lost.push(...own);
    else for (const { metadata } of own) kept.add(metadata.uid);
  }
  const listed = await forAll([...places], (namespace) => claimsIn(client, namespace));
  const collected = await forAll(listed.flat(), async (claim) => {
    const { uid = "", namespace = "" } = claim.metadata;
    if (namespaces.includes(namespace) || uids.has(uid)) return [claim];
    return !kept.has(uid) && (await goes(claim)) ? [claim] : [];
  });
  return distinctObjects([...lost, ...collected.flat()]).filter((claim) => isThere(claim) && !isEphemeral(claim));
}

export async function claimsIn(client: Client, namespace: string): Promise<KubeObject[]> {
  const found = await unlessForbidden(client.list({ ...CLAIM, namespace }));
  if (found) return found;
  throw new Error(
    `the claims in namespace ${namespace} may not be listed, so it is unknown which would be deleted; give the ` +
      "kubeconfig's user the right to list persistentvolumeclaims there",
  );
}

/** A claim that is already being deleted is not lost by this operation. */
const isThere = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp === undefined;

const keepsByPolicy = (set: KubeObject): boolean =>
  textAt(set, "spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") !== "Delete";
