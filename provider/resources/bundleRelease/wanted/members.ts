/** Builds the members of a release from the bundle's objects. */

import { createHash } from "node:crypto";
import type { Client } from "../../../../kubernetes/client/client";
import { identity, inventoryKey, isCore, without } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { scopeOf, scopesIn } from "../../../../kubernetes/apply/scope";
import type { KindScope } from "../../../../kubernetes/apply/scope";
import { FaultsError } from "../../../../kubernetes/work/faults";
import { placeText } from "../../../../bundles/errors";
import type { BundleObject } from "../../../../bundles/format/format";
import { canonicalJson } from "../../../../foundation/json/canonicalJson";
import { memberLabels, parentRef } from "../applySet";
import type { ReleaseKey } from "../applySet";
import { keepGenerated } from "./madeUp";
import type { Member } from "./member";

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
