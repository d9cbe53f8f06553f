/** What there is of many objects, without what they hold. */

import type { Client } from "../../kubernetes/client";
import { ApiError, isNotFound } from "../../kubernetes/apiError";
import { UnknownKindError } from "../../kubernetes/discovery";
import { identity } from "../../kubernetes/objects";
import type { KubeObject, Ref } from "../../kubernetes/objects";
import { forAll } from "../../manifests/pool";
import { groupKind, parentRef, setId } from "./applySet";
import type { Extent, Owner } from "./applySet";

/** From so many objects of one kind in one namespace on, listing all of them is quicker than asking for each. */
const MANY = 12;

/** By {@link identity}; what is not there is left out. Nothing of what it finds has more than metadata. */
export async function lookAt(client: Client, refs: readonly Ref[]): Promise<Map<string, KubeObject>> {
  const groups = new Map<string, Ref[]>();
  for (const ref of refs) {
    const key = `${ref.apiVersion}/${ref.kind}/${ref.namespace ?? ""}`;
    groups.set(key, [...(groups.get(key) ?? []), ref]);
  }
  const found = new Map<string, KubeObject>();
  const note = (live: KubeObject): void => void found.set(identity({ ...live, ...placeOf(live) }), live);
  const single: Ref[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (!first || group.length < MANY) single.push(...group);
    else {
      const all = await optional(client.list(first, { metadataOnly: true }));
      if (all === undefined) single.push(...group);
      else for (const live of all) note(live);
    }
  }
  await forAll(single, async (ref) => {
    const live = await ifKnown(client.get(ref, { metadataOnly: true }));
    if (live) note(live);
  });
  return found;
}

/**
 * The parent of a set as it is. Who may not read it is told so with all else that he may not; until then it counts as not
 * being there.
 */
export async function liveParent(client: Client, owner: Owner): Promise<KubeObject | undefined> {
  try {
    return await client.get(parentRef(owner));
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return undefined;
    throw error;
  }
}

export const placeOf = ({ metadata }: KubeObject): Pick<Ref, "name" | "namespace"> => ({
  name: metadata.name,
  namespace: metadata.namespace,
});

export const refOf = (live: KubeObject): Ref => ({ apiVersion: live.apiVersion, kind: live.kind, ...placeOf(live) });

/** All members of a set that the cluster has, of the kinds and in the namespaces that its parent names. */
export async function membersIn(
  client: Client,
  owner: Owner,
  extent: Extent,
  known: readonly Ref[],
): Promise<KubeObject[]> {
  const versions = new Map(known.map((ref) => [groupKind(ref), ref.apiVersion]));
  const places = new Set(known.map((ref) => `${groupKind(ref)} ${ref.namespace ?? ""}`));
  const namespaces = [owner.namespace, ...extent.namespaces];
  const lists = await forAll([...extent.kinds], async (name) => {
    const [kind = "", ...group] = name.split(".");
    const apiVersion = versions.get(name) ?? (await client.discovery.version(group.join("."), kind));
    if (apiVersion === undefined) return [];
    const resource = await ifKnown(client.discovery.resource(apiVersion, kind));
    if (!resource) return [];
    const options = { label: `applyset.kubernetes.io/part-of=${setId(owner)}`, metadataOnly: true };
    const list = async (namespace?: string): Promise<KubeObject[]> => {
      try {
        return (await ifKnown(client.list({ apiVersion, kind, namespace }, options))) ?? [];
      } catch (error) {
        // A set has not all of its kinds in all of its namespaces, and nobody needs rights where it has none.
        const isNeeded = places.has(`${name} ${namespace ?? ""}`);
        if (!isNeeded && error instanceof ApiError && error.code === 403) return [];
        throw error;
      }
    };
    return (await forAll(resource.namespaced ? namespaces : [undefined], list)).flat();
  });
  return lists.flat();
}

/** A kind that was known a moment ago is answered as not found. */
const isGone = (error: unknown): boolean => error instanceof UnknownKindError || isNotFound(error);

/** Undefined when the cluster has no such kind, or not any more. */
async function ifKnown<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Undefined for who may get objects and may not list them. */
async function optional<T>(work: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return [];
    if (error instanceof ApiError && error.code === 403) return undefined;
    throw error;
  }
}
