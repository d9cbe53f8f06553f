/** Reads and writes records of owners in a cluster. Every write is a compare-and-swap. */

import { isDeepStrictEqual } from "node:util";
import { isConflict, isForbidden, isMissingNamespace, isNotFound, lacksRight } from "../client/apiError";
import type { Client } from "../client/client";
import { unlessForbidden } from "../client/lookUp";
import { describe, type KubeObject, type Ref } from "../objects/objects";
import { ownerIdOn } from "../identity/ownerId";
import { detailsOn, RECORD_LABEL, recordOn, urnLabel, withRecord, type Details } from "./annotations";
import { OwnerError, ownerText, requireOwner, type Thing } from "./judge";
import { begun, isSameChange, recordBefore, stackIn, type Claimant, type OwnerRecord } from "./record";

/** A record, and the object that has it, as it was read or written last. */
export interface Held {
  readonly record: OwnerRecord;
  readonly object: KubeObject;
}

/** An object that may have a record. */
export interface RecordHolder {
  readonly record: OwnerRecord | undefined;
  readonly object: KubeObject;
}

/** Who claims what. */
export interface Claim {
  /** The object that has the record, or will have it. */
  readonly ref: Required<Ref>;
  readonly claimant: Claimant;
  readonly thing: Thing;
  /** Completes the object that has the record. Default: it stays as it is, or is created without data. */
  readonly complete?: (live: KubeObject | undefined) => KubeObject;
}

/** A claim by its own right alone. Who adopts has the id of the owner, and does not prove anything by it. */
const withoutPredecessor = ({ owner, adopts, ...claimant }: Claimant): Claimant => ({
  ...claimant,
  owner: adopts === undefined ? owner : undefined,
  replaces: undefined,
});

/** Another process may change the same record at the same time, but hardly this often. */
const TRIES = 5;

/** The ConfigMap that records the owner of a set. */
export const recordRef = ({
  name,
  namespace,
}: {
  readonly name: string;
  readonly namespace: string;
}): Required<Ref> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace,
  name: `${name}.owner`,
});

export async function readOwner(client: Client, ref: Required<Ref>): Promise<RecordHolder | undefined> {
  const object = await permitted(ref, "get", client.get(ref));
  return object && { record: recordOn(object), object };
}

/** More interrupted take-overs in a row don't occur. */
const MOST_FORMER = 20;

/** Ids of earlier owners whose objects the owner may not have taken over yet: the last change was interrupted. */
export function formerOwners(object: KubeObject | undefined, owner: string | undefined): readonly string[] {
  if (object === undefined) return [];
  const [last, { former = [] }] = [ownerIdOn(object), detailsOn(object)];
  const ids = last === undefined ? former : [last, ...former];
  return ids.filter((id) => id !== owner).slice(0, MOST_FORMER);
}

/** Whether another resource than the one with this URN has the record. */
export const isOfOther = (found: RecordHolder | undefined, urn: string): boolean =>
  found?.record !== undefined && detailsOn(found.object).urn !== urn;

/**
 * Makes the claimant the owner and begins a change. `owner`: its id. `known`: the record as read before. Throws if
 * another one is the owner. Undefined if the namespace of the record does not exist, or is being deleted.
 */
export async function takeOwner(
  client: Client,
  { ref, claimant, thing, complete = (live) => live ?? emptyMap(ref) }: Claim,
  owner: string,
  details: Details,
  known?: RecordHolder,
): Promise<Held | undefined> {
  let found = known;
  for (let attempt = 1; ; attempt++) {
    // An adoption or a replacement is of the owner that was seen, and not of one that took the thing over since.
    const asked = isSameChange(found?.record, known?.record) ? claimant : withoutPredecessor(claimant);
    requireOwner(found?.record, { ...asked, isOther: isOfOther(found, details.urn) }, thing);
    const record = begun(found?.record, claimant, owner);
    const { claims, guarded } = found ? detailsOn(found.object) : {};
    const isSame = guarded !== undefined && found?.record?.owner === owner;
    const former = formerOwners(found?.object, owner);
    const next = withRecord(complete(found?.object), record, {
      ...(claims && { claims }),
      ...(isSame && { guarded }),
      ...{ former, ...details },
    });
    try {
      return await write(client, ref, next, found === undefined);
    } catch (error) {
      if (isMissingNamespace(error) || isTerminating(error)) return undefined;
      if (!isConflict(error) && !isNotFound(error)) throw error;
      if (attempt >= TRIES) throw error;
    }
    found = await readOwner(client, ref);
    if (found && isDeepStrictEqual(found.record, record)) return { ...found, record }; // The response was lost.
  }
}

/**
 * Ends a change that has succeeded: nothing of a former owner is left. Throws if another process has changed the record meanwhile. `object`: the one that
 * has the record, completed.
 */
export async function finishOwner(
  client: Client,
  held: Held,
  details: Partial<Details>,
  object = held.object,
): Promise<Held> {
  const record: OwnerRecord = { ...held.record, phase: "applied" };
  return change(client, withRecord(object, record, { ...detailsOn(held.object), former: [], ...details }));
}

/** Records the generation that the guard of a platform has seen of its own part. */
export async function guardOwner(client: Client, { object, record }: Held, guarded: number): Promise<void> {
  await change(client, withRecord(object, record, { ...detailsOn(object), guarded }));
}

/** Allows another stack to take the thing over. `to`: see offerTo(). */
export async function offerOwner(client: Client, held: Held, to: string): Promise<Held> {
  const record: OwnerRecord = { ...held.record, offeredTo: to };
  return change(client, withRecord(held.object, record, detailsOn(held.object)));
}

/**
 * Throws if another process has begun a change since `known` was read or written. A record that is gone has no other
 * owner.
 */
export async function requireUnchanged(
  client: Client,
  ref: Required<Ref>,
  known: OwnerRecord | undefined,
): Promise<void> {
  await unchanged(client, ref, known);
}

/**
 * As {@link offerOwner}, of the record as it was seen; throws if another process has begun a change since. `owner`: the id
 * on objects from before there were records, which get one here, so that only one of two adopters takes them over.
 */
export async function offerSeen(
  client: Client,
  ref: Required<Ref>,
  seen: OwnerRecord | undefined,
  { to, owner }: { readonly to: string; readonly owner: string },
): Promise<void> {
  const held = await unchanged(client, ref, seen);
  if (held) return void (await offerOwner(client, held, to));
  const offered = withRecord(emptyMap(ref), { ...(seen ?? recordBefore(owner)), offeredTo: to }, { urn: "" });
  try {
    await write(client, ref, offered, true);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new OwnerError(superseded(ref, (await readOwner(client, ref))?.record), { cause: error });
  }
}

async function unchanged(
  client: Client,
  ref: Required<Ref>,
  known: OwnerRecord | undefined,
): Promise<Held | undefined> {
  const found = await readOwner(client, ref);
  if (found?.record === undefined) return undefined;
  if (!isSameChange(found.record, known)) throw new OwnerError(superseded(ref, found.record));
  return { object: found.object, record: found.record };
}

/** Deletes the record, unless another process has changed it meanwhile. */
export async function forgetOwner(client: Client, { object }: Held): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  const ref = refOf(object);
  await permitted(ref, "delete", client.remove(ref, { uid, resourceVersion }));
}

/**
 * Other places where a resource has a record: it was moved. Empty if the user may not list ConfigMaps of all namespaces.
 * `ref`: the place that is known. `byName`: a move gives the resource another URN, and keeps its stack and the name of
 * the record.
 */
export async function recordsElsewhere(
  client: Client,
  urn: string,
  ref: Required<Ref>,
  byName: boolean,
): Promise<Held[]> {
  const label = byName ? RECORD_LABEL : `${RECORD_LABEL}=${urnLabel(urn)}`;
  const { apiVersion, kind } = ref;
  const stack = stackIn(urn);
  const found = (await unlessForbidden(client.list({ apiVersion, kind }, { label }))) ?? [];
  return found
    .filter(({ metadata }) => metadata.namespace !== ref.namespace || metadata.name !== ref.name)
    .flatMap((object) => {
      const record = recordOn(object);
      const isIt = !byName || (object.metadata.name === ref.name && record?.stack === stack);
      return record && isIt ? [{ record, object }] : [];
    });
}

async function change(client: Client, next: KubeObject): Promise<Held> {
  const ref = refOf(next);
  try {
    return await write(client, ref, next, false);
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const [now, record] = [await readOwner(client, ref), recordOn(next)];
    if (now && record && isDeepStrictEqual(now.record, record)) return { ...now, record }; // The response was lost.
    throw new OwnerError(superseded(ref, now?.record));
  }
}

async function write(client: Client, ref: Required<Ref>, next: KubeObject, isNew: boolean): Promise<Held> {
  const object = isNew
    ? await permitted(ref, "create", client.create(next))
    : await permitted(ref, "patch", client.replace(next));
  const record = recordOn(object);
  if (record === undefined) throw new Error(`${describe(ref)} was written, but does not have what was written`);
  return { record, object };
}

const emptyMap = ({ apiVersion, kind, namespace, name }: Required<Ref>): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
});

const refOf = ({ apiVersion, kind, metadata: { namespace = "", name } }: KubeObject): Required<Ref> => ({
  apiVersion,
  kind,
  namespace,
  name,
});

/** Nothing can be created in a namespace that is being deleted. */
const isTerminating = (error: unknown): boolean =>
  isForbidden(error) && error.causes.some(({ reason }) => reason === "NamespaceTerminating");

/** Names the right that a user lacks. */
async function permitted<T>(ref: Required<Ref>, verb: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!lacksRight(error)) throw error;
    throw new Error(
      `${error.message}. ${describe(ref)} records who owns what is changed here; give the user the right to ` +
        `${verb} configmaps in namespace ${ref.namespace} (a Role with get, create, patch and delete)`,
      { cause: error },
    );
  }
}

const superseded = (ref: Required<Ref>, now: OwnerRecord | undefined): string =>
  `${describe(ref)} was changed by another process meanwhile: ` +
  (now === undefined ? "it was deleted" : `it belongs to ${ownerText(now)}`) +
  ". Run the update again; it says who the owner is";
