/** Determines which claims a deletion of objects would delete. Changes nothing. */

import type { Client } from "../client/client";
import { textAt } from "../objects/objects";
import type { KubeObject } from "../objects/objects";
import { CLAIM, claimsOf, isStatefulSet } from "../claims/claims";
import { unlessForbidden } from "../client/lookUp";
import { forAll } from "../client/pool";
import { collectedWith, distinctObjects, isEphemeral } from "./owners";

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
