import type { Client } from "../../kubernetes/client/client";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { SET_NAMESPACE_LABEL } from "../../kubernetes/owners/ownership";
import { markedAnywhere } from "../../kubernetes/remove/marked";

/** Every object of all sets of a namespace. */
export async function markedIn(client: Client, namespace: string): Promise<KubeObject[]> {
  const all = await markedAnywhere(client, [namespace]);
  return all.filter(({ metadata }) => metadata.labels?.[SET_NAMESPACE_LABEL] === namespace);
}
