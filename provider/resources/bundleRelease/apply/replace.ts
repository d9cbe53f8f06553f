/** Replaces objects that the API server can't update: deletes and recreates them, if this is allowed. */

import { type Work } from "../../../../kubernetes/work/work";
import { ApiError } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { describe, inventoryKey, listAt, isCrd } from "../../../../kubernetes/objects/objects";
import type { KubeObject, Ref } from "../../../../kubernetes/objects/objects";
import { recreateStatefulSet } from "../../../../kubernetes/disks/recreate";
import { claimsOf, isClaim, isStatefulSet } from "../../../../kubernetes/claims/claims";
import { immutableChanges, unsafeChanges } from "../../../../kubernetes/claims/immutable";
import { untilGone } from "../../../../kubernetes/work/gone";
import { hasPods } from "../../../../kubernetes/rollout/rollout";

import { removeOwn } from "../../../../kubernetes/owners/whileOwn";
import { explain, FaultsError } from "../../../../kubernetes/work/faults";
import { guardReplaced } from "./guard";
import { memberRef } from "../live/live";
import { isNamespace } from "../wanted/order";

/** On an object of the bundle: `true` allows its replacement. */
const REPLACE_ANNOTATION = "stackyard.dev/replace";

const isVolume = ({ apiVersion, kind }: Ref): boolean => kind === "PersistentVolume" && apiVersion === "v1";

/** A replacement would delete the data. */
const holdsData = (ref: Ref): boolean => isClaim(ref) || isVolume(ref) || isCrd(ref) || isNamespace(ref);

/** Returns whether an object may be replaced, or a fault if the setting is invalid. */
export function mayReplace(object: KubeObject, ref: Ref, replace: ReadonlySet<string>): boolean | { fault: string } {
  const said = object.metadata.annotations?.[REPLACE_ANNOTATION];
  if (said !== undefined && said !== "true" && said !== "false")
    return { fault: `${describe(ref)}: found "${said}" in its annotation ${REPLACE_ANNOTATION}; expected "true"` };
  const asked = replace.has(inventoryKey(ref)) || said === "true";
  if (asked && holdsData(ref))
    return { fault: `${describe(ref)} holds data, and is never replaced; delete it yourself if it may go with that` };
  return asked || (replace.has(`${ref.apiVersion}/${ref.kind}`) && !holdsData(ref) && said !== "false");
}

/**
 * Whether the API server only rejects the change, and would accept the object as a new one. Conflicts with the existing
 * object, such as its name or an allocated port, don't count.
 */
export async function mindsChange(client: Client, error: ApiError, object: KubeObject): Promise<boolean> {
  if (error.code !== 422) return false;
  try {
    await client.tryCreate(object);
    return true;
  } catch (refused) {
    if (!(refused instanceof ApiError)) throw refused;
    if (refused.code === 403) return /exceeded quota/.test(refused.message);
    return refused.code === 409 || (refused.code === 422 && /already allocated/.test(refused.message));
  }
}

/** Returns which immutable fields change, without the live values. */
export function changeReason(error: ApiError, live: KubeObject | undefined, object: KubeObject): string {
  if (live && isStatefulSet(live)) {
    const fields = immutableChanges(object, live).map((field) => `spec.${field}`);
    if (fields.length > 0) return `${fields.join(", ")}: can't be changed`;
  }
  const said = error.causes.map(
    ({ field, message }) => `${field}: ${message.slice(message.lastIndexOf(": ") + 1).trim()}`,
  );
  if (object.kind === "Secret") return error.causes.map(({ field, reason }) => `${field} (${reason})`).join("; ");
  return said.length === 0 ? error.message : said.join("; ");
}

/** Returns the rejection of a change, with advice. */
export function changeRefused(error: ApiError, live: KubeObject | undefined, object: KubeObject, ref: Ref): string {
  if (holdsData(ref)) return explain(error, ref);
  const pods = isStatefulSet(ref) ? " around its pods and disks" : "";
  return (
    `${describe(ref)}: ${changeReason(error, live, object)}. It can't be changed in place; to have it deleted and recreated${pods}, ` +
    `annotate it in the bundle with ${REPLACE_ANNOTATION}: "true", or let the release have replace: ["${inventoryKey(ref)}"]`
  );
}

/** A failed Job, which is to run again. */
export const isFailedJob = (live: KubeObject): boolean =>
  live.apiVersion.startsWith("batch/") &&
  live.kind === "Job" &&
  listAt(live, "status", "conditions").some(({ type, status }) => type === "Failed" && status === "True");

/** Returns the reasons against recreating an object; empty if there are none. */
export async function replacementFaults(client: Client, live: KubeObject, object: KubeObject): Promise<string[]> {
  if (!isStatefulSet(live)) return [];
  return unsafeChanges(object, live, await claimsOf(client, [live, object]));
}

/**
 * Deletes the live object, waits until it is gone, and recreates it with `apply`. After an interruption, the next
 * update finds it missing and creates it. A StatefulSet is recreated without deleting its pods and claims.
 */
export async function replace<T>(
  work: Work,
  live: KubeObject,
  object: KubeObject,
  apply: () => Promise<T>,
): Promise<T> {
  const ref = memberRef(live);
  const harm = await replacementFaults(work.client, live, object);
  if (harm.length > 0) throw new FaultsError("it was not replaced", harm);
  if (isStatefulSet(ref)) {
    await recreateStatefulSet(work, live, object);
    return apply();
  }
  await guardReplaced(work, live);
  work.log("status", `replacing ${describe(ref)}`);
  const propagationPolicy = hasPods(ref) && ref.kind !== "Pod" ? "Foreground" : "Background";
  const outcome = await removeOwn(work, live, propagationPolicy);
  if (outcome !== "own") throw new FaultsError("it was not replaced", [`${describe(ref)}: ${outcome.foreign}`]);
  await untilGone(work, [live]);
  return apply();
}
