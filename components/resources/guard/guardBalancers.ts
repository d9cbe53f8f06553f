import type * as pulumi from "@pulumi/pulumi";
import { NGINX } from "../../ingress/accounts";
import type { Cluster } from "../../cluster/cluster";
import type { PlatformConfig } from "../../platform/config/platformConfig";
import { SERVICE } from "../../service/plan";
import type { DataPart } from "../dataGuard";
import { LoadBalancerGuard } from "./loadBalancerGuard";

/** A resource that may have parts in the cluster. */
interface Holding extends pulumi.Resource {
  readonly dataParts?: readonly DataPart[];
}

/**
 * Guards a cluster that the platform creates: a destroy deletes nothing while Services and Ingresses of other users
 * have load balancers. `after`: all components of the platform in the cluster.
 */
export function guardBalancers(
  name: string,
  { cluster, ingress, service }: Pick<PlatformConfig, "cluster" | "ingress" | "service">,
  on: Pick<Cluster, "access" | "made"> | undefined,
  after: readonly (Holding | false | undefined)[],
): LoadBalancerGuard | undefined {
  if (cluster?.type !== "eks" || on?.made === undefined) return undefined;
  const dependsOn = after.filter((each) => each !== undefined && each !== false);
  const parts = dependsOn.flatMap(({ dataParts = [] }) => dataParts);
  const owners = [
    ...parts.map(({ type, namespace, name: part }) => ({ type, namespace, name: part })),
    ...(ingress?.nginx ? [{ type: "release", namespace: NGINX.namespace, name: NGINX.release }] : []),
    ...(service ? [{ type: "set", namespace: service.namespace, name: SERVICE }] : []),
  ];
  const { kubeconfig, context } = on.access;
  // Also depends on the cluster's resources, such as access entries, so that a later destroy can still access the
  // cluster.
  return new LoadBalancerGuard(name, { kubeconfig, context, owners }, { dependsOn: [...dependsOn, on.made] });
}
