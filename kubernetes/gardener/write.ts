/**
 * Creates and changes Shoots. Each write names the Shoot that was read, so a change of another process in between is a
 * conflict.
 */

import { retrying } from "../../foundation/backOff";
import { isConflict } from "../client/apiError";
import { FIELD_MANAGER, type Client } from "../client/client";
import { at, listAt, versionOf, type KubeObject } from "../objects/objects";
import { shootRef } from "./shoot";

/** Gardener changes the status of a Shoot every few seconds. */
const TRIES = 10;
const PAUSE_MS = 50;

/** Does work that may conflict with a change of another process, again after each conflict. */
export const despiteConflicts = <T>(work: () => Promise<T>): Promise<T> =>
  retrying(work, (error, attempt) => (isConflict(error) && attempt < TRIES ? PAUSE_MS * attempt : undefined));

/**
 * Creates a Shoot. An existing one of the same name is a conflict. It is applied afterwards, so that its fields are known
 * as ours: Gardener changes it at once, so this names the Shoot without its version. Without the creator among the
 * managers, also the dry run of a preview removes fields.
 */
export async function createShoot(client: Client, desired: KubeObject): Promise<KubeObject> {
  const { uid } = (await client.create(desired)).metadata;
  const applied = await client.apply({ ...desired, metadata: { ...desired.metadata, uid } });
  let read: KubeObject | undefined = applied;
  return despiteConflicts(async () => {
    const live = read ?? (await client.get(shootRefOf(applied)));
    read = undefined; // After a conflict it is read again.
    const isSame = live?.metadata.uid === applied.metadata.uid;
    return live && isSame ? withoutCreator(client, live) : applied;
  });
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
