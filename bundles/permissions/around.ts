/** What a cluster has that changes the effects of a bundle: bindings, Services, aggregating roles, and what it replaces. */

import { ALL_ACCOUNTS } from "../../foundation/kubernetes/rights";
import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { unlessForbidden } from "../../kubernetes/client/lookUp";
import { forAll } from "../../kubernetes/client/pool";
import {
  describe,
  groupOf,
  identity,
  isCore,
  isCrd,
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
import { isClusterKind } from "./rbac/builtIn";
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
  const isForeign = (found: KubeObject): boolean =>
    ![refOf(found), ...ownersOf(found)].some((ref) => known.has(identity(withoutPlace(ref))));
  const pods = objects.flatMap((object) => podSpecsIn(object).map((spec) => ({ place: placeOf(object), spec })));
  const accounts = new Set([
    ...objects.filter((one) => isCore(one, "ServiceAccount")).map((one) => `${placeOf(one)}/${one.metadata.name}`),
    ...pods.flatMap(({ place, spec }) => accountOf(spec).map((name) => `${place}/${name}`)),
  ]);
  const places = unique(pods.map(({ place }) => place));
  const labelled = objects.some(({ kind, metadata: { labels } }) => kind === "ClusterRole" && labels !== undefined);
  const defined = kindsIn(objects);
  const unknown = objects.filter((one) => !isKnown(one) && !defined.has(`${one.apiVersion}/${one.kind}`));
  const bare = objects.filter((one) => isCore(one, "Pod") || one.kind === "ReplicaSet");
  const [bindings, services, policies, workloads, claims, aggregates, controllers, lifted] = await Promise.all([
    accounts.size === 0 ? [] : bindingsOf(client, accounts),
    forAll(places, (place) => listed(client, { apiVersion: "v1", kind: "Service", namespace: place })),
    forAll(unique([...objects.filter(isNetworkPolicy).map(placeOf), ...places]), (place) =>
      listed(client, { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace: place }),
    ),
    forAll(unique([...objects.filter(selectsByLabels), ...bare].map(placeOf)), (place) =>
      workloadsIn(client, place, bare.length > 0),
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
    workloads: workloads.flat().filter(isForeign),
    claims: new Map(claims),
    aggregates: aggregates.filter((role) => isObject(role["aggregationRule"])).filter(isForeign),
    controllers,
    lifted,
  };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** What a controller makes for an object of the bundle is the bundle's. */
const ownersOf = ({ metadata: { namespace, ownerReferences = [] } }: KubeObject): Ref[] =>
  ownerReferences.map(({ apiVersion, kind, name }) => ({ apiVersion, kind, namespace, name }));

const selectsByLabels = (object: KubeObject): boolean =>
  isCore(object, "Service") || isNetworkPolicy(object) || object.kind === "PodDisruptionBudget";

/** `sets`: also those that a Pod or a ReplicaSet may become a part of. */
async function workloadsIn(client: Client, namespace: string, sets: boolean): Promise<KubeObject[]> {
  const kinds = ["Deployment", "StatefulSet", "DaemonSet", ...(sets ? ["ReplicaSet"] : [])];
  return (await forAll(kinds, (kind) => listed(client, { apiVersion: "apps/v1", kind, namespace }))).flat();
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
  // Others are requested with their content.
  const quiet = objects
    .filter((object) => restricts(object) && webhooksIn(object).length === 0 && actsOf(object).length === 0)
    .map((object) =>
      isClusterKind(groupOf(object.apiVersion), object.kind)
        ? object
        : { ...object, metadata: { namespace, ...object.metadata } },
    );
  const changed = await forAll(quiet, (object) => isChanged(client, object));
  const ended = await forAll(objects.filter(isWebhookConfiguration), (object) => endedWebhooks(client, object));
  const groups = new Set([...objects.map(refOf), ...leaving].filter(isCrd).map(groupOfCrd));
  const isUnknown = (ref: Ref): boolean => !isKnown(ref) && !groups.has(groupOf(ref.apiVersion));
  return [
    ...leaving.filter(restricts).map((ref) => `${describe(ref)}: is removed, which lifts a restriction`),
    ...leaving.filter(isUnknown).map((ref) => `${describe(ref)}: is removed, which may lift a restriction`),
    ...ended.flat(),
    ...quiet
      .filter((_, at) => changed[at])
      .map(
        (object) =>
          `${describe(refOf(object))} (content ${contentHash(object)}): is changed, which may lift a restriction`,
      ),
  ];
}

/** `widgets.example.com` is of the group `example.com`. */
const groupOfCrd = ({ name }: Ref): string => name.slice(name.indexOf(".") + 1);

const isWebhookConfiguration = ({ kind }: KubeObject): boolean => kind.endsWith("WebhookConfiguration");

const webhookNames = (configuration: KubeObject): string[] =>
  listAt(configuration, "webhooks").flatMap((one) => textAt(one, "name") ?? []);

/** Webhooks that a configuration has in the cluster, and not any more. */
async function endedWebhooks(client: Client, object: KubeObject): Promise<string[]> {
  const live = await unlessForbidden(client.get(refOf(object)));
  const left = new Set(webhookNames(object));
  return (live === undefined ? [] : webhookNames(live))
    .filter((name) => !left.has(name))
    .map((name) => `${describe(refOf(object))}: no longer calls ${name}, which lifts a restriction`);
}

async function isChanged(client: Client, object: KubeObject): Promise<boolean> {
  const live = await unlessForbidden(client.get(refOf(object)));
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
