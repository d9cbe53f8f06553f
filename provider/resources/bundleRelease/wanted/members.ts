/** Builds the members of a release from the bundle's objects. */

import { createHash } from "node:crypto";
import { isObject, type Json } from "../../../../foundation/json/isObject";
import { isForbidden } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { forAll } from "../../../../kubernetes/client/pool";
import { identity, inventoryKey, isCore, without, type KubeObject } from "../../../../kubernetes/objects/objects";
import { scopeOf, scopesIn, type KindScope } from "../../../../kubernetes/apply/scope";
import { FaultsError } from "../../../../kubernetes/work/faults";
import { placeText } from "../../../../bundles/errors";
import type { BundleObject, Path } from "../../../../bundles/format/format";
import { canonicalJson } from "../../../../foundation/json/canonicalJson";
import { memberLabels, parentRef, type ReleaseKey, isMember } from "../applySet";
import type { Member } from "./member";

// Keeps the live values of fields that a format generates randomly, so that an update changes only what was requested.

/**
 * The parts of a certificate are in several objects, so generated values are kept in all of them or in none: if one is
 * missing in the cluster, all objects get the newly generated values.
 */
async function keepGenerated(
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

/** Fingerprint of objects that are created once and never updated. */
const ONCE = "once";

/** Throws all unknown kinds at once. */
export async function membersOf(client: Client, found: readonly BundleObject[], owner: ReleaseKey): Promise<Member[]> {
  const members = await keepGenerated(client, await completeMembers(client, found, owner), owner);
  return members.map((member) => ({ ...member, fingerprint: member.once ? ONCE : fingerprintOf(member.object) }));
}

async function completeMembers(client: Client, found: readonly BundleObject[], owner: ReleaseKey): Promise<Member[]> {
  const objects = found.map(({ object }) => object);
  const scopes = await kindScopes(client, objects);
  const namespaces = new Set(objects.filter((one) => isCore(one, "Namespace")).map(({ metadata }) => metadata.name));
  const faults: string[] = [];
  const members: Member[] = [];
  const first = new Map<string, string>();
  const note = identity(parentRef(owner));
  for (const one of found) {
    const { object, wave } = one;
    const { apiVersion, kind, metadata } = object;
    const place = placeText(one);
    const scope = scopes.get(`${apiVersion}/${kind}`);
    if (typeof scope !== "object") {
      faults.push(`${place}: ${scope}`);
      continue;
    }
    const namespace = scope.namespaced ? (metadata.namespace ?? owner.namespace) : undefined;
    const ref = { apiVersion, kind, namespace, name: metadata.name };
    const before = first.get(identity(ref));
    // Two objects, one with and one without the namespace, turn out to be the same only here.
    if (before !== undefined)
      faults.push(`${place}: found ${kind} ${metadata.name} a second time, it is in ${before} already`);
    first.set(identity(ref), place);
    if (identity(ref) === note)
      faults.push(`${place}: ConfigMap ${metadata.name} is the release's own note; give it another name`);
    const complete = completed(object, namespace, owner);
    const needs = scope.definedInSet
      ? "kind"
      : namespace !== undefined && namespaces.has(namespace)
        ? "namespace"
        : undefined;
    members.push({
      ref,
      key: inventoryKey(ref),
      object: complete,
      place,
      wave,
      needs,
      fingerprint: "",
      madeUp: one.madeUp ?? [],
      once: one.once ?? false,
      isGenerated: one.isGenerated ?? false,
    });
  }
  if (faults.length > 0) throw new FaultsError("nothing was changed", faults);
  return members;
}

/** Returns the scope of each kind, or a fault. Each kind is queried once. */
async function kindScopes(client: Client, objects: readonly KubeObject[]): Promise<Map<string, KindScope | string>> {
  const included = scopesIn(objects);
  const kinds = new Map(objects.map((object) => [`${object.apiVersion}/${object.kind}`, object]));
  const entries = await Promise.all(
    [...kinds].map(async ([key, object]) => {
      let fault = "";
      const scope = await scopeOf(client, object, included, (message) => (fault = message));
      return [key, scope ?? fault] as const;
    }),
  );
  return new Map(entries);
}

function completed(object: KubeObject, namespace: string | undefined, owner: ReleaseKey): KubeObject {
  const { name, labels } = object.metadata;
  return {
    ...object,
    metadata: {
      ...without(object.metadata, "namespace"),
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, ...memberLabels(owner) },
    },
  };
}

const fingerprintOf = (object: KubeObject): string =>
  createHash("sha256").update(canonicalJson(object)).digest("base64url").slice(0, 16);
