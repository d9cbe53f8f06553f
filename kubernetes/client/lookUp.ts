/** Looks at many objects of a cluster in as few requests as that takes. */

import { ApiError, isNotFound } from "./apiError";
import type { Client } from "./client";
import { UnknownKindError } from "./discovery";
import { identity } from "./objects";
import type { KubeObject, Ref } from "./objects";
import { refOf } from "../claims/claims";
import { forAll } from "./pool";

/** From so many objects of one kind in one namespace on, listing all of them is quicker than asking for each. */
const MANY = 12;
/** Up to so many namespaces are asked one by one. */
export const FEW = 3;

export interface Look {
  /** Nothing but apiVersion, kind and metadata. */
  readonly metadataOnly?: boolean;
  /** What all of them have, as a selector. Those in many namespaces are looked for in the whole cluster then. */
  readonly label?: string;
  /** What is kept of each, so that many need not be held at once. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

/** By {@link identity}; what is not there, or has not the label, may be skipped. */
export async function lookUp(client: Client, refs: readonly Ref[], look: Look = {}): Promise<Map<string, KubeObject>> {
  const wanted = new Set(refs.map(identity));
  const found = new Map<string, KubeObject>();
  const note = (live: KubeObject): void => {
    const key = identity(refOf(live));
    if (wanted.has(key)) found.set(key, live);
  };
  /** Undefined for who may get objects and may not list them. */
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
    const live = await ifKnown(client.get(ref, look));
    if (live) note(look.keep ? look.keep(live) : live);
  });
  return found;
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

/** Null when the cluster has no such kind, or not any more: one that was known a moment ago is answered as not found. */
export async function ifKnown<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnknownKindError || isNotFound(error)) return null;
    throw error;
  }
}

/** Undefined for who may not do it. */
export async function unlessForbidden<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return undefined;
    throw error;
  }
}
