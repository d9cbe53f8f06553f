/** Reads the metadata of many objects. */

import type { Client } from "../../../../kubernetes/client/client";
import { identity, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { FEW, ifKnown, lookUp, unlessForbidden, type LookUpOptions } from "../../../../kubernetes/client/lookUp";
import { forAll } from "../../../../kubernetes/client/pool";
import { groupKind, parentRef, selectorOf, type Extent, type ReleaseKey } from "../applySet";
import { isCustom } from "../wanted/order";

/** Metadata by {@link identity}; missing objects are skipped. */
export const lookAt = (client: Client, refs: readonly Ref[]): Promise<Map<string, KubeObject>> =>
  lookUp(client, refs, { metadataOnly: true });

/**
 * Like {@link lookAt} for current and former members of a release. With `keep`, reads whole objects and keeps what
 * `keep` returns. `skip`: see {@link LookUpOptions}.
 */
export async function lookAtOwn(
  client: Client,
  refs: readonly Ref[],
  owner: ReleaseKey,
  { keep, skip }: Pick<LookUpOptions, "keep" | "skip"> = {},
): Promise<Map<string, KubeObject>> {
  const look = { metadataOnly: keep === undefined, keep, skip };
  const found = await lookUp(client, refs, { ...look, label: selectorOf(owner) });
  // Objects may exist without their labels.
  const rest = refs.filter((ref) => !found.has(identity(ref)));
  for (const [key, live] of await lookUp(client, rest, look)) found.set(key, live);
  return found;
}

/**
 * Reads the parent of a set. If the user may not read it, it counts as missing; the missing permission is reported with
 * all others.
 */
export const liveParent = (client: Client, owner: ReleaseKey): Promise<KubeObject | undefined> =>
  unlessForbidden(client.get(parentRef(owner)));

const placeOf = ({ metadata }: KubeObject): Pick<Ref, "name" | "namespace"> => ({
  name: metadata.name,
  namespace: metadata.namespace,
});

export const memberRef = (live: KubeObject): Ref => ({
  apiVersion: live.apiVersion,
  kind: live.kind,
  ...placeOf(live),
});

/** Returns all members of a set in the cluster, of the kinds and in the namespaces that its parent lists. */
export async function membersIn(
  client: Client,
  owner: ReleaseKey,
  extent: Extent,
  known: readonly Ref[],
): Promise<KubeObject[]> {
  const versions = new Map(known.map((ref) => [groupKind(ref), ref.apiVersion]));
  const places = new Set(known.map((ref) => `${groupKind(ref)} ${ref.namespace ?? ""}`));
  const namespaces = [owner.namespace, ...extent.namespaces];
  const lists = await forAll([...extent.kinds], async (name) => {
    const [kind = "", ...group] = name.split(".");
    const lookup = async (apiVersion: string | undefined) => {
      const resource = apiVersion && (await ifKnown(client.discovery.resource(apiVersion, kind)));
      return apiVersion && resource ? { apiVersion, resource } : undefined;
    };
    // The known version may no longer be served. Kinds that can change at any time are looked up again.
    const last = versions.get(name);
    const kept = last !== undefined && !isCustom({ apiVersion: last }) ? await lookup(last) : undefined;
    const served = kept ?? (await lookup(await client.discovery.version(group.join("."), kind)));
    if (!served) return [];
    const { apiVersion, resource } = served;
    const options = { label: selectorOf(owner), metadataOnly: true };
    const list = (namespace?: string) => ifKnown(client.list({ apiVersion, kind, namespace }, options));
    const own: (string | undefined)[] = resource.namespaced ? namespaces : [undefined];
    const everywhere = own.length > FEW ? await unlessForbidden(list()) : undefined;
    // Copies of an object have the same labels, so only objects in the namespaces of the set count.
    if (everywhere) return everywhere.filter(({ metadata }) => own.includes(metadata.namespace));
    const each = await forAll(own, (namespace) => {
      // Not every kind of the set is in every namespace, and permissions are only required where they are needed.
      const isNeeded = places.has(`${name} ${namespace ?? ""}`);
      return isNeeded ? list(namespace) : unlessForbidden(list(namespace));
    });
    return each.flatMap((found) => found ?? []);
  });
  return lists.flat();
}
