/** What a cluster has that changes the effects of a bundle: bindings, Services, aggregating roles, and what it replaces. */

import { ALL_ACCOUNTS } from "../../foundation/kubernetes/rights";
import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { unlessForbidden } from "../../kubernetes/client/lookUp";
import { forAll } from "../../kubernetes/client/pool";
import {
  describe,
  identity,
  isCore,
  listAt,
  refOf,
  textAt,
  type KubeObject,
  type Ref,
} from "../../kubernetes/objects/objects";
import { isStatefulSet } from "../../kubernetes/claims/claims";
import { RBAC } from "../../kubernetes/objects/rbac";
import { isObject } from "../../foundation/json/isObject";
import { asks, type Around, type Asks } from "./asks";
import { controllersOf } from "./controllers";
import { actsOf, contentHash, isKnown, restricts } from "./effects/effects";
import { isNetworkPolicy } from "./network";
import { kindsIn } from "./place";
import { accountOf, podSpecsIn } from "./pods";
import { webhooksIn } from "./webhooks";

/** What the objects request in a cluster, where it matters what else is there. Parameters as of asks() and lookAround(). */
export const asksIn = async (
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
  cluster: readonly KubeObject[],
  leaving?: readonly Ref[],
): Promise<Asks> => asks(objects, namespace, cluster, await lookAround(client, objects, namespace, leaving));

/**
 * Reads what concerns the objects. `namespace`: that of the bundle, and of objects without one. `leaving`: objects of the
 * bundle that are going to be deleted. What the user may not list is empty.
 */
export async function lookAround(
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
  leaving: readonly Ref[] = [],
): Promise<Around> {
  const placeOf = ({ metadata }: KubeObject): string => metadata.namespace ?? namespace;
  const placed = objects.map((object) => ({ ...refOf(object), namespace: placeOf(object) }));
  const known = new Set([...placed, ...leaving].map((ref) => identity(withoutPlace(ref))));
  const isForeign = (found: KubeObject): boolean => !known.has(identity(withoutPlace(refOf(found))));
  const pods = objects.flatMap((object) => podSpecsIn(object).map((spec) => ({ place: placeOf(object), spec })));
  const accounts = new Set([
    ...objects.filter((one) => isCore(one, "ServiceAccount")).map((one) => `${placeOf(one)}/${one.metadata.name}`),
    ...pods.flatMap(({ place, spec }) => accountOf(spec).map((name) => `${place}/${name}`)),
  ]);
  const places = [...new Set(pods.map(({ place }) => place))];
  const labelled = objects.some(({ kind, metadata: { labels } }) => kind === "ClusterRole" && labels !== undefined);
  const defined = kindsIn(objects);
  const unknown = objects.filter((one) => !isKnown(one) && !defined.has(`${one.apiVersion}/${one.kind}`));
  const [bindings, services, policies, claims, aggregates, controllers, lifted] = await Promise.all([
    accounts.size === 0 ? [] : bindingsOf(client, accounts),
    forAll(places, (place) => listed(client, { apiVersion: "v1", kind: "Service", namespace: place })),
    forAll([...new Set(objects.filter(isNetworkPolicy).map(placeOf))], (place) =>
      listed(client, { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace: place }),
    ),
    forAll(objects.filter(isStatefulSet), (set) => claimsOf(client, set, placeOf(set))),
    labelled ? listed(client, { apiVersion: `${RBAC}/v1`, kind: "ClusterRole" }) : [],
    controllersOf(client, unknown),
    liftedBy(client, objects, namespace, leaving),
  ]);
  return {
    bindings: bindings.filter(isForeign),
    services: services.flat().filter(isForeign),
    policies: policies.flat().filter(isForeign),
    claims: new Map(claims),
    aggregates: aggregates.filter((role) => isObject(role["aggregationRule"])).filter(isForeign),
    controllers,
    lifted,
  };
}

/** A new StatefulSet uses existing claims with matching names, whoever created them. */
async function claimsOf(client: Client, set: KubeObject, namespace: string): Promise<[string, string[]]> {
  const { name } = set.metadata;
  const key = `${namespace}/${name}`;
  const templates = listAt(set, "spec", "volumeClaimTemplates").flatMap((one) => textAt(one, "metadata", "name") ?? []);
  const isNew = templates.length > 0 && (await unlessForbidden(client.get({ ...refOf(set), namespace }))) === undefined;
  if (!isNew) return [key, []];
  const all = await listed(client, { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace });
  const names = all.map(({ metadata }) => metadata.name);
  const isTaken = (claim: string): boolean =>
    templates.some((template) => claim.startsWith(`${template}-${name}-`) && /-\d+$/.test(claim));
  return [key, names.filter(isTaken).map((claim) => `${namespace}/${claim}`)];
}

/** Cluster-scoped objects have no namespace in the cluster, and may have that of the bundle here. */
const withoutPlace = (ref: Ref): Ref => (/^Cluster/.test(ref.kind) ? { ...ref, namespace: undefined } : ref);

/** Bindings that every cluster has give nothing that other pods lack. */
const BUILT_IN = "kubernetes.io/bootstrapping";

/** Bindings that name one of the accounts (`shop/web`), or all accounts of its namespace or of the cluster. */
async function bindingsOf(client: Client, accounts: ReadonlySet<string>): Promise<KubeObject[]> {
  const groups = new Set([ALL_ACCOUNTS]);
  for (const account of accounts) groups.add(`${ALL_ACCOUNTS}:${account.split("/")[0] ?? ""}`);
  const all = await forAll(["RoleBinding", "ClusterRoleBinding"], (kind) =>
    listed(client, { apiVersion: `${RBAC}/v1`, kind }),
  );
  return all.flat().flatMap((binding) => {
    if (binding.metadata.labels?.[BUILT_IN] !== undefined) return [];
    const subjects = listAt(binding, "subjects").filter((one) => {
      const name = textAt(one, "name") ?? "";
      if (one["kind"] === "Group") return groups.has(name);
      return accounts.has(`${textAt(one, "namespace") ?? binding.metadata.namespace ?? ""}/${name}`);
    });
    return subjects.length === 0 ? [] : [{ ...binding, subjects }];
  });
}

/** What an update removes from objects that restrict others. */
async function liftedBy(
  client: Client,
  objects: readonly KubeObject[],
  namespace: string,
  leaving: readonly Ref[],
): Promise<string[]> {
  // Others are requested with their content. All of these have a namespace.
  const quiet = objects
    .filter((object) => restricts(object) && webhooksIn(object).length === 0 && actsOf(object).length === 0)
    .map((object) => ({ ...object, metadata: { namespace, ...object.metadata } }));
  const changed = await forAll(quiet, (object) => isChanged(client, object));
  return [
    ...leaving.filter(restricts).map((ref) => `${describe(ref)}: is removed, which lifts a restriction`),
    ...quiet
      .filter((_, at) => changed[at])
      .map(
        (object) =>
          `${describe(refOf(object))} (content ${contentHash(object)}): is changed, which may lift a restriction`,
      ),
  ];
}

async function isChanged(client: Client, object: KubeObject): Promise<boolean> {
  const live = await client.get(refOf(object));
  if (live === undefined) return false;
  try {
    return contentHash(await client.apply(object, { dryRun: true })) !== contentHash(live);
  } catch (error) {
    // The update reports what the API server rejects.
    if (error instanceof ApiError && error.code < 500) return false;
    throw error;
  }
}

const listed = async (client: Client, what: Omit<Ref, "name">): Promise<KubeObject[]> =>
  (await unlessForbidden(client.list(what))) ?? [];
