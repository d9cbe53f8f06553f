import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";

/** All objects of some kinds in a namespace, by kind, name and UID. */
export async function liveObjects(
  client: Client,
  namespace: string,
  kinds: readonly (readonly [apiVersion: string, kind: string])[],
  isMeant: (object: KubeObject) => boolean = () => true,
): Promise<string[]> {
  const lists = await Promise.all(kinds.map(([apiVersion, kind]) => client.list({ apiVersion, kind, namespace })));
  return lists
    .flat()
    .filter(isMeant)
    .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid}`)
    .sort();
}
