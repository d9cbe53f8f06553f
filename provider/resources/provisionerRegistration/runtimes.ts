/**
 * Finds the runtimes or ClickHouse clusters of a provisioner in a Kubernetes cluster by their labels and annotations.
 */

import { isForbidden } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { SET_LABEL } from "../../../kubernetes/owners/ownership";
import { clickHouseSetId } from "../../../foundation/pulumi/setName";
import { originOn } from "../../../kubernetes/identity/origin";
import type { InCluster } from "./registered";

/** Patterns of the provision id in the set name of a runtime or a ClickHouse cluster. */
const SETS = {
  runtime: (name: string) => /^runtime-(.+)$/.exec(name)?.[1],
  clickhouse: (name: string) => clickHouseSetId("objects", name),
};

const WORKLOADS = ["StatefulSet", "Deployment"] as const;

/** Ids of the deployments, sorted. Includes hibernated ones, whose workloads have no replicas. */
export async function deploymentsWith(client: Client, registered: InCluster): Promise<string[]> {
  const found = await Promise.all(WORKLOADS.map((kind) => workloads(client, kind, registered.namespace)));
  const ids = found.flat().flatMap((workload) => deploymentOf(workload, registered) ?? []);
  return [...new Set(ids)].sort();
}

/**
 * Lists all namespaces, because a runtime stays in place when its provisioner moves; without this permission, only the
 * given one.
 */
async function workloads(client: Client, kind: string, namespace: string): Promise<KubeObject[]> {
  const options = { label: SET_LABEL, metadataOnly: true };
  try {
    return await client.list({ apiVersion: "apps/v1", kind, namespace: undefined }, options);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return client.list({ apiVersion: "apps/v1", kind, namespace }, options);
  }
}

function deploymentOf(object: KubeObject, registered: InCluster): string | undefined {
  const { labels = {}, namespace } = object.metadata;
  const id = SETS[registered.gives === "clickhouse" ? "clickhouse" : "runtime"](labels[SET_LABEL] ?? "");
  if (id === undefined) return undefined;
  const { deployment = id, platform, provisioner } = originOn(object);
  // Created before runtimes recorded their provisioner.
  if (provisioner === undefined) {
    return registered.alone && namespace === registered.namespace ? deployment : undefined;
  }
  return provisioner === registered.provisioner && platform === registered.platform ? deployment : undefined;
}

const SHOWN = 20;

/** Formats `2 deployments: a, b`, at most twenty. */
export function listed(ids: readonly string[]): string {
  const more = ids.length > SHOWN ? [`and ${ids.length - SHOWN} more`] : [];
  return `${ids.length} ${ids.length === 1 ? "deployment" : "deployments"}: ${[...ids.slice(0, SHOWN), ...more].join(", ")}`;
}
