import type * as pulumi from "@pulumi/pulumi";
import type { Site, Stateful } from "../contract/site";
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

/**
 * Creates the guards, which are deleted before everything else, and that of data before components that refuse by
 * themselves, so that what it refuses deletes nothing. A platform always has it, because it also checks components that
 * were removed.
 */
export function createGuards(
  { cluster, guarded, stateful, guards, balancers }: Guarded,
  { named, parent }: Pick<Site, "named" | "parent">,
): void {
  const { kubeconfig, context } = cluster?.access ?? {};
  const parts = stateful.flatMap(({ dataParts }) => dataParts);
  const after = { parent, dependsOn: [...guarded, ...guards] };
  const data = new DataGuard(named("data-guard"), { kubeconfig, context, parts }, after);
  // A destroy deletes nothing while Services and Ingresses of other users have load balancers.
  if (cluster?.made === undefined) return;
  const owners = [...parts.map(({ type, namespace, name }) => ({ type, namespace, name })), ...balancers];
  // Depends on the cluster's resources too, such as access entries, so that a later destroy can still access it.
  const dependsOn = [...after.dependsOn, data];
  new LoadBalancerGuard(named("load-balancer-guard"), { kubeconfig, context, owners }, { parent, dependsOn });
}
