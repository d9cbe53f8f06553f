/** Determines which objects the garbage collector deletes along with others. */

import type { Client } from "../client/client";
import { identity } from "../objects/objects";
import type { KubeObject, OwnerReference, Ref } from "../objects/objects";
import { ifKnown } from "../client/lookUp";

/** A longer chain of owners is assumed to be a cycle. */
const DEEPEST = 10;

/**
 * Returns a check whether an object is garbage-collected with the objects of `uids`: it has owners, and all of them are
 * deleted or no longer exist.
 */
export function collectedWith(client: Client, uids: ReadonlySet<string>): (object: KubeObject) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const goes = async ({ metadata }: KubeObject, depth: number): Promise<boolean> => {
    const owners = metadata.ownerReferences ?? [];
    if (owners.length === 0 || depth > DEEPEST) return false;
    const all = await Promise.all(owners.map((owner) => ownerGoes(owner, metadata.namespace, depth)));
    return all.every((one) => one);
  };
  const ownerGoes = (owner: OwnerReference, namespace: string | undefined, depth: number): Promise<boolean> => {
    if (uids.has(owner.uid)) return Promise.resolve(true);
    const found = known.get(owner.uid);
    if (found) return found;
    const looked = look(owner, namespace).then((live) => live === undefined || goes(live, depth + 1));
    known.set(owner.uid, looked);
    return looked;
  };
  const look = async (owner: OwnerReference, namespace: string | undefined): Promise<KubeObject | undefined> => {
    const { apiVersion, kind, name } = owner as unknown as Ref;
    const resource = await ifKnown(client.discovery.resource(apiVersion, kind));
    if (resource === null) return undefined;
    const ref = { apiVersion, kind, name, ...(resource.namespaced && { namespace }) };
    const live = await ifKnown(client.get(ref, { metadataOnly: true }));
    return live && live.metadata.uid === owner.uid ? live : undefined;
  };
  return (object) => goes(object, 0);
}

/** Whether a claim is an ephemeral volume of a pod. It is deleted with the pod and holds no lasting data. */
export const isEphemeral = ({ metadata }: KubeObject): boolean =>
  (metadata.ownerReferences ?? []).some(
    ({ kind, name, controller }) => kind === "Pod" && controller && metadata.name.startsWith(`${name}-`),
  );

/** Removes duplicates. */
export const distinctObjects = (objects: readonly KubeObject[]): KubeObject[] => [
  ...new Map(objects.map((one) => [identity({ ...one, ...one.metadata }), one])).values(),
];
