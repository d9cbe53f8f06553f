import * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { StateResource, StateResources } from "../../resources/ownState";
import type { PlatformConfig } from "../config/platformConfig";
import { ask, textOf } from "./removed";

type Clusters = Pick<PlatformConfig, "cluster" | "provisioners" | "clickhouse">;

interface ClusterAnswer {
  readonly uid?: string;
  readonly trouble?: string;
}

/**
 * Rejects an address that leads to another cluster than the one that resources of this stack are in, also if none of
 * them changes: new ones would be created there. One request per cluster, and none without such resources.
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
  if (there.length === 0) return undefined;
  const { uid, trouble } = await ask<ClusterAnswer>("readCluster", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    cluster: server,
  });
  if (trouble !== undefined) await pulumi.log.debug(`Which cluster is at ${server} is not known: ${trouble}`);
  const elsewhere = there.filter(([, { outputs }]) => textOf(outputs, "clusterUid") !== uid);
  const [first] = elsewhere;
  if (uid === undefined || first === undefined) return undefined;
  const names = elsewhere.map(([urn]) => urn.split("::").at(-1)).join(", ");
  return `  - ${server}: found UID ${uid}; expected ${textOf(first[1].outputs, "clusterUid")}, where these are: ${names}`;
}
