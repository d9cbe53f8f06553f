import * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { StateResource, StateResources } from "../../resources/ownState";
import { setNameOf } from "../../../foundation/pulumi/setName";
import { MANIFEST_SET } from "../../resources/tokens";
import type { PlatformConfig } from "../config/platformConfig";
import { ask, textOf } from "./removed";

type Clusters = Pick<PlatformConfig, "cluster" | "provisioners" | "clickhouse">;

interface ClusterAnswer {
  readonly uid?: string;
  readonly others?: readonly string[];
  readonly trouble?: string;
}

/**
 * Rejects an address that leads to another cluster than the one that resources of this stack are in, also if none of
 * them changes: new ones would be created there. Warns of what another stack has taken over. Two requests per cluster,
 * and none without such resources.
 */
export async function checkClusters(config: Clusters, state: Promise<StateResources>): Promise<void> {
  const before = Object.entries(await state);
  const found = await Promise.all(accessesIn(config).map((access) => otherCluster(access, before)));
  const faults = found.flatMap((fault) => fault ?? []);
  if (faults.length === 0) return;
  throw new pulumi.RunError(
    [
      "Another cluster is at the address of the one that this stack has resources in; nothing was changed.",
      ...faults,
      "Check where the address, tunnel or context leads. If the cluster with the recorded UID is gone for good, " +
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

/** The fault of one access; undefined if it leads to the recorded cluster, or if that is not known. */
async function otherCluster(
  { kubeconfig, context, server }: ClusterAccess,
  before: readonly (readonly [string, StateResource])[],
): Promise<string | undefined> {
  const there = before.filter(
    ([, { outputs }]) =>
      textOf(outputs, "clusterUid") !== "" &&
      textOf(outputs, "kubeconfig") === (kubeconfig ?? "") &&
      textOf(outputs, "context") === (context ?? ""),
  );
  if (!isSome(there)) return undefined;
  const owned = there.flatMap(([urn, resource]) => ownedRecord(urn, resource) ?? []);
  const { uid, others, trouble } = await ask<ClusterAnswer>("readCluster", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    expected: textOf(there[0][1].outputs, "clusterUid"),
    owned,
  });
  for (const [index, owner] of (others ?? []).entries()) {
    const one = owned[index];
    if (owner === "" || one === undefined) continue;
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
  return `  - ${server}: found UID ${uid}; expected ${textOf(first[1].outputs, "clusterUid")}, where these are: ${names}`;
}

const isSome = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0;

/** The record of a set or bundle; undefined for what has none, and for what several stacks share. */
function ownedRecord(urn: string, { type, outputs }: StateResource) {
  const { generation, shared } = outputs;
  const [namespace, owner] = [textOf(outputs, "namespace"), textOf(outputs, "ownerId")];
  if (typeof generation !== "number" || owner === "" || shared === true) return undefined;
  const isSet = type === MANIFEST_SET;
  const name = String(isSet ? setNameOf(outputs) : outputs["name"]);
  const place = `${namespace}/${name}`;
  const record = { urn, namespace, name: isSet ? `${name}.owner` : `bundle-${name}`, owner, generation };
  return { ...record, place, title: `${isSet ? "set" : "bundle"} ${place}` };
}
