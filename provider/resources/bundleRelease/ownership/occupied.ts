/** Finds objects in a namespace, or of a kind, that a bundle did not apply. */

import { isForbidden, isNotFound } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { describe, isCore, textAt, isCrd, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { forAll } from "../../../../kubernetes/client/pool";
import { parentRef, type ReleaseKey } from "../applySet";

import { memberRef } from "../live/live";

/** Number of objects to read per kind: the first ones may be those that every namespace has. */
const LOOKED_AT = 5;

/** Returns a few of them, for messages. Call it after the bundle's own objects are deleted. */
export async function contentOf(client: Client, ref: Ref, owner: ReleaseKey): Promise<string[]> {
  const found = isCrd(ref) ? await instances(client, ref) : await inhabitants(client, ref.name, owner);
  return found.map((object) => describe(memberRef(object))).sort();
}

async function instances(client: Client, ref: Ref): Promise<KubeObject[]> {
  const crd = await client.get(ref);
  const [group, kind] = [textAt(crd, "spec", "group"), textAt(crd, "spec", "names", "kind")];
  const apiVersion = group && kind ? await client.discovery.version(group, kind) : undefined;
  if (apiVersion === undefined || kind === undefined) return [];
  return client.list({ apiVersion, kind }, { metadataOnly: true, most: LOOKED_AT });
}

async function inhabitants(client: Client, namespace: string, owner: ReleaseKey): Promise<KubeObject[]> {
  const { kinds: all, silent } = await client.discovery.all();
  const kinds = all.filter((one) => one.namespaced && one.listable && !PASSING.has(one.kind));
  const lists = await forAll(kinds, async ({ apiVersion, kind }) => {
    try {
      return await client.list({ apiVersion, kind, namespace }, { metadataOnly: true, most: LOOKED_AT });
    } catch (error) {
      if (isNotFound(error)) return []; // The kind was deleted meanwhile.
      // Without the permission to list, the namespace must not count as empty.
      if (isForbidden(error)) return [unseen(apiVersion, kind, namespace)];
      throw error;
    }
  });
  const unanswered = silent.map((apiVersion) => unseen(apiVersion, `anything of ${apiVersion}`, namespace, UNHEARD));
  return [...lists.flat().filter((object) => !isEverywhere(object, namespace, owner)), ...unanswered];
}

const UNHEARD = "(its API server does not answer)";

const unseen = (apiVersion: string, kind: string, namespace: string, why = "(may not be listed)"): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: why, namespace },
});

/** Kinds that describe other objects, or are created and deleted with them. */
const PASSING = new Set(["Event", "Endpoints", "EndpointSlice", "Lease", "PodMetrics", "ControllerRevision"]);

/**
 * Objects that every namespace has, that are deleted with their owner, that are already being deleted, or the release's
 * own parent.
 */
function isEverywhere(object: KubeObject, namespace: string, owner: ReleaseKey): boolean {
  const { name, deletionTimestamp, ownerReferences = [] } = object.metadata;
  if (deletionTimestamp !== undefined || ownerReferences.length > 0) return true;
  if (isCore(object, "ConfigMap") && name.startsWith("kube-root-ca.crt")) return true;
  if (isCore(object, "ConfigMap") && name === "openshift-service-ca.crt") return true;
  if (isCore(object, "ServiceAccount") && name === "default") return true;
  const parent = parentRef(owner);
  return isCore(object, parent.kind) && namespace === parent.namespace && name === parent.name;
}
