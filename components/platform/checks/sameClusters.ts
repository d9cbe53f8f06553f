import * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { StateResource, StateResources } from "../../resources/ownState";
import { setNameOf } from "../../../foundation/pulumi/setName";
import { HELM_RELEASE, MANIFEST_SET } from "../../resources/tokens";
import type { PlatformConfig } from "../config/platformConfig";
import { ask, textOf } from "./removed";

type Clusters = Pick<PlatformConfig, "cluster" | "provisioners" | "clickhouse">;

interface ClusterAnswer {
  readonly uid?: string;
  readonly others?: readonly string[];
  readonly trouble?: string;
}

/**
 * Rejects an address that leads to another cluster or garden than the one that resources of this stack are in, also if none of
 * them changes: new ones would be created there. Warns of what another stack has taken over. Two requests per cluster,
 * and none without such resources.
 */
export async function checkClusters(config: Clusters, state: Promise<StateResources>): Promise<void> {
  const before = Object.entries(await state);
  const places = accessesIn(config).flatMap((access) => placesBehind(access, before));
  const found = await Promise.all(places.map((place) => otherCluster(place, before)));
  const faults = found.flatMap((fault) => fault ?? []);
  if (faults.length === 0) return;
  throw new pulumi.RunError(
    [
      "Another cluster or garden is at the address of the one that this stack has resources in; nothing was changed.",
      ...faults,
      "Check where the address, tunnel or context leads. If the one with the recorded UID is gone for good, " +
        "docs/data-safety.md says how to forget what was there.",
    ].join("\n"),
  );
}

/** Ways to existing clusters, each once. */
function accessesIn({ cluster, provisioners, clickhouse }: Clusters): ClusterAccess[] {
  const databases = Object.values(clickhouse).flatMap((one) => (one.type === "kubernetes" ? (one.access ?? []) : []));
  const own = Object.values(provisioners).flatMap(({ access }) => access ?? []);
  const all = [...(cluster?.type === "existing" ? [cluster.access] : []), ...own, ...databases];
  return [...new Map(all.map((access) => [JSON.stringify([access.kubeconfig, access.context]), access])).values()];
}

/** A cluster or a garden, and the resources that are in it, by URN. */
interface Place {
  readonly access: ClusterAccess;
  /** Namespace of the Gardener project. */
  readonly project: string | undefined;
  readonly there: readonly [Named, ...Named[]];
}

type Named = readonly [urn: string, resource: StateResource];

/** What the state has at the end of one access: a cluster, and each project of a garden. */
function placesBehind(access: ClusterAccess, before: readonly Named[]): Place[] {
  const { kubeconfig, context, server } = access;
  // A cluster that was made again at the same address has other credentials.
  const there = before.filter(
    ([, { outputs }]) =>
      textOf(outputs, "clusterUid") !== "" &&
      textOf(outputs, "context") === (context ?? "") &&
      (textOf(outputs, "kubeconfig") === (kubeconfig ?? "") || textOf(outputs, "cluster") === server),
  );
  return [...Map.groupBy(there, ([, { outputs }]) => projectOf(outputs))].flatMap(([project, [first, ...more]]) =>
    first ? [{ access, project, there: [first, ...more] }] : [],
  );
}

/** A registration of a Gardener provisioner records the UID of its project's namespace. */
const projectOf = (outputs: StateResource["outputs"]): string | undefined =>
  outputs["gives"] === "cluster" ? textOf(outputs, "namespace") : undefined;

/** The fault of one place; undefined if it is the recorded one, or if that is not known. */
async function otherCluster({ access, project, there }: Place, before: readonly Named[]): Promise<string | undefined> {
  const { kubeconfig, context, server } = access;
  const owned = there.flatMap(([urn, resource]) => ownedRecord(urn, resource) ?? []);
  const { uid, others, trouble } = await ask<ClusterAnswer>("readCluster", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    ...(project !== undefined && { project }),
    expected: textOf(there[0][1].outputs, "clusterUid"),
    owned,
  });
  for (const [index, owner] of (others ?? []).entries()) {
    const one = owned[index];
    if (owner === "" || one === undefined) continue;
    refuseRelease(before, one, owner);
    await pulumi.log.warn(
      `${one.title} belongs to ${owner}. This stack can't change or delete it. Take it out of the config, or take it ` +
        `over: stackyard adopt ${one.place} --stack ${pulumi.getStack()}`,
    );
  }
  if (trouble !== undefined) await pulumi.log.debug(`Which cluster is at ${server} is not known: ${trouble}`);
  const elsewhere = there.filter(([, { outputs }]) => textOf(outputs, "clusterUid") !== uid);
  const [first] = elsewhere;
  if (uid === undefined || first === undefined) return undefined;
  const names = elsewhere.map(([urn]) => urn.split("::").at(-1)).join(", ");
  const where = project === undefined ? "" : ` of the project's namespace ${project}`;
  return `  - ${server}: found UID ${uid}${where}; expected ${textOf(first[1].outputs, "clusterUid")}, where these are: ${names}`;
}

/** Throws if the set is that of a Helm release, which Helm would change for every stack that has it in its state. */
function refuseRelease(before: readonly Named[], { title, release, place }: Owned, owner: string): void {
  if (release === undefined) return;
  const { namespace, name } = release;
  const isIt = ([, { type, outputs }]: Named): boolean =>
    type === HELM_RELEASE && outputs["namespace"] === namespace && outputs["name"] === name;
  const [urn] = before.find(isIt) ?? [];
  if (urn === undefined) return;
  throw new pulumi.RunError(
    `Helm release ${namespace}/${name} belongs to the owner of ${title}: ${owner}. Nothing was ` +
      `changed. Take it over: stackyard adopt ${place} --stack ${pulumi.getStack()}; or take it out of the config, and ` +
      `forget it: pulumi state delete --target-dependents '${urn}'`,
  );
}

type Owned = NonNullable<ReturnType<typeof ownedRecord>>;

/** The record of a set or bundle; undefined for what has none, and for what several stacks share. */
function ownedRecord(urn: string, { type, outputs }: StateResource) {
  const { generation, shared } = outputs;
  const [namespace, owner] = [textOf(outputs, "namespace"), textOf(outputs, "ownerId")];
  if (typeof generation !== "number" || owner === "" || shared === true) return undefined;
  const isSet = type === MANIFEST_SET;
  const name = String(isSet ? setNameOf(outputs) : outputs["name"]);
  const place = `${namespace}/${name}`;
  const record = { urn, namespace, name: isSet ? `${name}.owner` : `bundle-${name}`, owner, generation };
  const release = outputs["release"] as { readonly namespace: string; readonly name: string } | undefined;
  return { ...record, place, release, title: `${isSet ? "set" : "bundle"} ${place}` };
}
