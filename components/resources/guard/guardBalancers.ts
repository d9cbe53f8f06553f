import type * as pulumi from "@pulumi/pulumi";
import { NGINX } from "../../ingress/accounts";
import type { Cluster } from "../../cluster/cluster";
import type { PlatformConfig } from "../../platform/config/platformConfig";
import { SERVICE } from "../../service/plan";
import type { DataPart } from "../dataGuard";
import { LoadBalancerGuard } from "./loadBalancerGuard";

/** What a component has in the cluster. */
interface Holding extends pulumi.Resource {
  readonly dataParts?: readonly DataPart[];
}

/**
 * Guards a cluster that the platform creates, and so deletes: nothing goes while Services and Ingresses of others hold load balancers.
 * `after`: all that the platform has in the cluster.
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
  // Access entries and the like too: whoever deletes the cluster later still has to get in.
  return new LoadBalancerGuard(name, { kubeconfig, context, owners }, { dependsOn: [...dependsOn, on.made] });
}
