/** Reads many objects with few requests. */

import { isForbidden, isNotFound } from "./apiError";
import type { Client } from "./client";
import { UnknownKindError } from "./discovery";
import { identity, refOf, type KubeObject, type Ref } from "../objects/objects";
import { forAll } from "./pool";

/** For this many objects of one kind in one namespace, a list is faster than single requests. */
const MANY = 12;
/** Up to this many namespaces are read one by one. */
export const FEW = 3;

export interface LookUpOptions {
  /** Read only apiVersion, kind and metadata. */
  readonly metadataOnly?: boolean;
  /** Label selector that matches all of the objects. With it, objects in many namespaces are listed cluster-wide. */
  readonly label?: string;
  /** Reduces each object to what the caller needs, to save memory. */
  readonly keep?: (object: KubeObject) => KubeObject;
  /** Whether to go on without an object that could not be read. Default: never. */
  readonly skip?: (error: unknown, ref: Ref) => boolean;
}

/**
 * Reads objects; returns them by {@link identity}, in the order of `refs`. Skips objects that don't exist, and may skip
 * those without the label.
 */
export async function lookUp(
  client: Client,
  refs: readonly Ref[],
  look: LookUpOptions = {},
): Promise<Map<string, KubeObject>> {
  const found = new Map<string, KubeObject | undefined>(refs.map((ref) => [identity(ref), undefined]));
  const note = (live: KubeObject): void => {
    const key = identity(refOf(live));
    if (found.has(key)) found.set(key, live);
  };
  /** Returns undefined if the user may get but not list the objects. */
  const listed = async (place: Omit<Ref, "name">): Promise<true | undefined> => {
    const all = await unlessForbidden(ifKnown(client.list(place, look)));
    if (all === undefined) return undefined;
    for (const live of all ?? []) note(live);
    return true;
  };
  const kinds = grouped(refs, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  const single: Ref[] = [];
  await forAll(kinds, async (own) => {
    const [{ apiVersion, kind }] = own;
    const places = grouped(own, ({ namespace }) => namespace ?? "");
    const everywhere = look.label !== undefined && places.length > FEW && own.length >= MANY;
    if (everywhere && (await listed({ apiVersion, kind }))) return;
    for (const group of places) {
      const isListed = group.length >= MANY && (await listed({ apiVersion, kind, namespace: group[0].namespace }));
      if (!isListed) single.push(...group);
    }
  });
  await forAll(single, async (ref) => {
    try {
      const live = await ifKnown(client.get(ref, look));
      if (live) note(look.keep ? look.keep(live) : live);
    } catch (error) {
      if (look.skip?.(error, ref) !== true) throw error;
    }
  });
  return new Map([...found].flatMap(([key, live]) => (live ? [[key, live] as const] : [])));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/** Returns null if the cluster has no such kind. A kind that was removed recently is reported as not found. */
export async function ifKnown<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnknownKindError || isNotFound(error)) return null;
    throw error;
  }
}

/** Returns undefined if the user lacks the permission. */
export async function unlessForbidden<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
