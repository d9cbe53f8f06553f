import type * as pulumi from "@pulumi/pulumi";
import type { Stateful } from "../contract/site";
import type { Cluster } from "../cluster/cluster";
import { DataGuard } from "../resources/dataGuard";
import { LoadBalancerGuard, type BalancerOwner } from "../resources/guard/loadBalancerGuard";

/** All that a platform created, as far as a destroy concerns it. */
interface Guarded {
  readonly cluster: Cluster | undefined;
  /** What a refused destroy must not have deleted. The guards are deleted before it. */
  readonly guarded: readonly pulumi.Resource[];
  readonly stateful: readonly Stateful[];
  /** Components that themselves refuse a destroy. */
  readonly guards: readonly pulumi.Resource[];
  /** Owners of Services and Ingresses with load balancers, besides components with data. */
  readonly balancers: readonly BalancerOwner[];
}

/** The guard of data is deleted before what it guards. It checks parts that were removed, too. */
export function createDataGuard(
  name: string,
  { cluster, guarded, stateful, guards }: Omit<Guarded, "balancers">,
  opts?: pulumi.CustomResourceOptions,
): DataGuard {
  const { kubeconfig, context } = cluster?.access ?? {};
  const parts = stateful.flatMap(({ dataParts }) => dataParts);
  return new DataGuard(name, { kubeconfig, context, parts }, { ...opts, dependsOn: [...guarded, ...guards] });
}

/**
 * Creates the guards, which are deleted before everything else, and that of data before components that refuse by
 * themselves, so that what it refuses deletes nothing. It is always created, because it also checks components that were
 * removed.
 */
export function createGuards({ cluster, guarded, stateful, guards, balancers }: Guarded): void {
  const data = createDataGuard("data-guard", { cluster, guarded, stateful, guards });
  // A destroy deletes nothing while Services and Ingresses of other users have load balancers.
  if (cluster?.made === undefined) return;
  const { kubeconfig, context } = cluster.access;
  const parts = stateful.flatMap(({ dataParts }) => dataParts);
  const owners = [...parts.map(({ type, namespace, name }) => ({ type, namespace, name })), ...balancers];
  // Depends on the cluster's resources too, such as access entries, so that a later destroy can still access it.
  const dependsOn = [...guarded, ...guards, data];
  new LoadBalancerGuard("load-balancer-guard", { kubeconfig, context, owners }, { dependsOn });
}
