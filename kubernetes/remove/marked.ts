/** Finds objects by the labels of sets, independently of any state. */

import type { Client } from "../client/client";
import type { KubeObject } from "../objects/objects";
import { ifKnown, unlessForbidden } from "../client/lookUp";
import { SET_LABEL, SET_NAMESPACE_LABEL, type SetOwner } from "../owners/ownership";
import { forAll } from "../client/pool";

/** Kinds that the cluster creates itself with the labels of the owner, and deletes with it. */
const COPIES = new Set(["Endpoints", "EndpointSlice", "PodMetrics", "Event"]);

/** Every object with the set's labels. */
export const markedFor = (client: Client, { set, namespace }: SetOwner): Promise<KubeObject[]> =>
  marked(client, `${SET_LABEL}=${set},${SET_NAMESPACE_LABEL}=${namespace}`, [namespace]);

/** Every object of all sets in all namespaces. */
export const markedAnywhere = (client: Client, namespaces: readonly string[]): Promise<KubeObject[]> =>
  marked(client, SET_LABEL, namespaces);

/**
 * Lists cluster-wide, or in `namespaces` if the user may not. Returns metadata only, sorted so that dependencies come
 * first.
 */
async function marked(client: Client, label: string, namespaces: readonly string[]): Promise<KubeObject[]> {
  const { kinds } = await client.discovery.all();
  const listed = kinds.filter(({ kind, listable }) => listable && !COPIES.has(kind));
  const look = { label, metadataOnly: true };
  const found = await forAll(listed, async ({ apiVersion, kind, namespaced }) => {
    const everywhere = await unlessForbidden(ifKnown(client.list({ apiVersion, kind }, look)));
    if (everywhere !== undefined || !namespaced) return everywhere ?? [];
    const own = namespaces.map((namespace) =>
      unlessForbidden(ifKnown(client.list({ apiVersion, kind, namespace }, look))),
    );
    return (await Promise.all(own)).flatMap((one) => one ?? []);
  });
  // Objects with a controller are deleted with it.
  const own = found.flat().filter(({ metadata }) => !metadata.ownerReferences?.some(({ controller }) => controller));
  return own.sort((a, b) => dependencyRank(a) - dependencyRank(b));
}

const dependencyRank = ({ kind }: KubeObject): number =>
  kind === "Namespace" ? 0 : kind === "CustomResourceDefinition" ? 1 : 2;
