/**
 * Keeps the live values of fields that a format generates randomly, so that an update changes only what was requested.
 */

import { isForbidden } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { isCore, without, type KubeObject } from "../../../../kubernetes/objects/objects";
import { forAll } from "../../../../kubernetes/client/pool";
import type { Path } from "../../../../bundles/format/format";
import type { ReleaseKey } from "../applySet";
import type { Member } from "./member";
import { isMember } from "../applySet";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/**
 * The parts of a certificate are in several objects, so generated values are kept in all of them or in none: if one is
 * missing in the cluster, all objects get the newly generated values.
 */
export async function keepGenerated(
  client: Client,
  members: readonly Member[],
  owner: ReleaseKey,
): Promise<readonly Member[]> {
  const varying = members.filter(({ madeUp }) => madeUp.length > 0);
  if (varying.length === 0 || varying.some(({ needs }) => needs !== undefined)) return members;
  const kept = new Map<Member, KubeObject>();
  await forAll(varying, async (member) => {
    const live = await ownIn(client, member, owner);
    const object = live && withKept(member, live);
    if (object) kept.set(member, object);
  });
  if (kept.size < varying.length) return members;
  return members.map((member) => ({ ...member, object: kept.get(member) ?? member.object }));
}

async function ownIn(client: Client, { ref }: Member, owner: ReleaseKey): Promise<KubeObject | undefined> {
  try {
    const live = await client.get(ref);
    return live && isMember(live, owner) ? live : undefined;
  } catch (error) {
    // Missing permissions are reported later, all at once.
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** Undefined if the cluster lacks one of the generated values. */
function withKept({ object, madeUp }: Member, live: KubeObject): KubeObject | undefined {
  const result = structuredClone(object);
  for (const path of madeUp) {
    const [root, key] = path;
    // A Secret stores `stringData` in `data`.
    if (isCore(object, "Secret") && root === "stringData" && typeof key === "string") {
      const value = valueAt(live, ["data", key]);
      if (value === undefined) return undefined;
      result["stringData"] = without(result["stringData"] as Json, key);
      result["data"] = { ...(result["data"] as Json | undefined), [key]: value };
    } else {
      const value = valueAt(live, path);
      if (value === undefined || !setAt(result, path, value)) return undefined;
    }
  }
  return result;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (isHolder(at) ? at[key] : undefined), value);
}

function setAt(object: unknown, path: Path, value: unknown): boolean {
  const holder = valueAt(object, path.slice(0, -1));
  const last = path.at(-1);
  if (!isHolder(holder) || last === undefined) return false;
  holder[last] = value;
  return true;
}

const isHolder = (value: unknown): value is Record<string | number, unknown> => isObject(value) || Array.isArray(value);
