/**
 * Creates and changes Shoots. Each write names the Shoot that was read, so a change of another process in between is a
 * conflict.
 */

import { FIELD_MANAGER, type Client } from "../client/client";
import { at, listAt, versionOf, type KubeObject } from "../objects/objects";
import { shootRef } from "./shoot";

/**
 * Creates a Shoot. An existing one of the same name is a conflict. It is applied afterwards, so that its fields are known
 * as ours: Gardener changes it at once, so this names the Shoot without its version.
 */
export async function createShoot(client: Client, desired: KubeObject): Promise<KubeObject> {
  const { uid } = (await client.create(desired)).metadata;
  return client.apply({ ...desired, metadata: { ...desired.metadata, uid } });
}

/** Applies to the Shoot `live`. The conflict of another version or another Shoot is the caller's. */
export async function changeShoot(client: Client, desired: KubeObject, live: KubeObject): Promise<KubeObject> {
  const isApplied = managersOf(live).some(
    ({ manager, operation }) => manager === FIELD_MANAGER && operation === "Apply",
  );
  const current = isApplied ? await withoutCreator(client, live) : live;
  return client.apply({ ...desired, metadata: { ...desired.metadata, ...versionOf(current) } });
}

/**
 * The API server records the creator of an object as a manager of its fields besides the one that applies it. A field
 * that is not applied any more would stay because of it.
 */
async function withoutCreator(client: Client, live: KubeObject): Promise<KubeObject> {
  const all = managersOf(live);
  const managedFields = all.filter(
    ({ manager, operation, fieldsV1 }) =>
      manager !== FIELD_MANAGER || operation !== "Update" || at(fieldsV1, "f:spec") === undefined,
  );
  if (managedFields.length === all.length) return live;
  return client.merge(shootRefOf(live), { metadata: { ...versionOf(live), managedFields } });
}

const managersOf = (live: KubeObject) => listAt(live, "metadata", "managedFields");

export const shootRefOf = ({ metadata: { namespace = "", name } }: KubeObject) => shootRef(namespace, name);
