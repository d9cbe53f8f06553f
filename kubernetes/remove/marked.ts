/** Looks for objects by the labels of sets, whatever a state knows of them. */

import type { Client } from "../client/client";
import type { KubeObject } from "../client/objects";
import { ifKnown, unlessForbidden } from "../client/lookUp";
import { SET_LABEL, SET_NAMESPACE_LABEL } from "../apply/ownership";
import type { Owner } from "../apply/ownership";
import { forAll } from "../client/pool";

/** The cluster itself makes them, with the labels of what they are for, and removes them with it. */
const COPIES = new Set(["Endpoints", "EndpointSlice", "PodMetrics", "Event"]);

/** Every object with the set's labels. */
export const markedFor = (client: Client, { set, namespace }: Owner): Promise<KubeObject[]> =>
  marked(client, `${SET_LABEL}=${set},${SET_NAMESPACE_LABEL}=${namespace}`, [namespace]);

/** Every object of any set of a namespace. */
export const markedIn = (client: Client, namespace: string): Promise<KubeObject[]> =>
  marked(client, `${SET_LABEL},${SET_NAMESPACE_LABEL}=${namespace}`, [namespace]);

/** Every object of any set of any namespace. */
export const markedAnywhere = (client: Client, namespaces: readonly string[]): Promise<KubeObject[]> =>
  marked(client, SET_LABEL, namespaces);

/** Where a user may not list in the whole cluster, what is in the namespaces counts. Metadata only; what others need, first. */
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
  // What has a controller goes with that.
  const own = found.flat().filter(({ metadata }) => !metadata.ownerReferences?.some(({ controller }) => controller));
  return own.sort((a, b) => groundRank(a) - groundRank(b));
}

const groundRank = ({ kind }: KubeObject): number =>
  kind === "Namespace" ? 0 : kind === "CustomResourceDefinition" ? 1 : 2;
