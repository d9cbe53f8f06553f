/** What there is of many objects, without what they hold. */

import type { Client } from "../../../../kubernetes/client/client";
import { identity } from "../../../../kubernetes/client/objects";
import type { KubeObject, Ref } from "../../../../kubernetes/client/objects";
import { FEW, ifKnown, lookUp, unlessForbidden, type Look } from "../../../../kubernetes/client/lookUp";
import { forAll } from "../../../../kubernetes/client/pool";
import { groupKind, parentRef, selectorOf } from "./applySet";
import type { Extent, Owner } from "./applySet";
import { isCustom } from "../wanted/order";

/** By {@link identity}; what is not there is skipped. Nothing of what it finds has more than metadata. */
export const lookAt = (client: Client, refs: readonly Ref[]): Promise<Map<string, KubeObject>> =>
  lookUp(client, refs, { metadataOnly: true });

/** The same for what is, or was, a release's; with `keep` it gets all of each, and says what is kept of that. */
export async function lookAtOwn(
  client: Client,
  refs: readonly Ref[],
  owner: Owner,
  keep?: Look["keep"],
): Promise<Map<string, KubeObject>> {
  const look = { metadataOnly: keep === undefined, keep };
  const found = await lookUp(client, refs, { ...look, label: selectorOf(owner) });
  // What has lost its labels may be there anyway.
  const rest = refs.filter((ref) => !found.has(identity(ref)));
  for (const [key, live] of await lookUp(client, rest, look)) found.set(key, live);
  return found;
}

/**
 * The parent of a set as it is. Who may not read it gets that error with all else that he may not; until then it counts as not
 * being there.
 */
export const liveParent = (client: Client, owner: Owner): Promise<KubeObject | undefined> =>
  unlessForbidden(client.get(parentRef(owner)));

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
    const lookup = async (apiVersion: string | undefined) => {
      const resource = apiVersion && (await ifKnown(client.discovery.resource(apiVersion, kind)));
      return apiVersion && resource ? { apiVersion, resource } : undefined;
    };
    // The version that is known may not be served any more; of kinds that can change any time that is asked again.
    const last = versions.get(name);
    const kept = last !== undefined && !isCustom({ apiVersion: last }) ? await lookup(last) : undefined;
    const served = kept ?? (await lookup(await client.discovery.version(group.join("."), kind)));
    if (!served) return [];
    const { apiVersion, resource } = served;
    const options = { label: selectorOf(owner), metadataOnly: true };
    const list = (namespace?: string) => ifKnown(client.list({ apiVersion, kind, namespace }, options));
    const own: (string | undefined)[] = resource.namespaced ? namespaces : [undefined];
    const everywhere = own.length > FEW ? await unlessForbidden(list()) : undefined;
    // Anyone who copies an object may copy its labels: only where the set says to be, it is one of its own.
    if (everywhere) return everywhere.filter(({ metadata }) => own.includes(metadata.namespace));
    const each = await forAll(own, (namespace) => {
      // A set has not all of its kinds in all of its namespaces, and nobody needs rights where it has none.
      const isNeeded = places.has(`${name} ${namespace ?? ""}`);
      return isNeeded ? list(namespace) : unlessForbidden(list(namespace));
    });
    return each.flatMap((found) => found ?? []);
  });
  return lists.flat();
}
