/** The pods whose size and placement the config determines, and the node pools that they may run in. Pure. */

import { nodeLabels, type NodePoolConfig } from "./plan";

/** A kind of pod. */
export interface PlacedPod {
  /** Config path of its size, such as `ray.one.head`. */
  readonly path: string;
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  /** Values as in the config, for messages. */
  readonly configured: { readonly cpu: string; readonly memoryGb: string; readonly gpu: string };
  /** Bytes per unit of memory in the config. */
  readonly unit: number;
  /** Config keys of memory and GPUs. */
  readonly memoryKey: string;
  readonly gpuKey: string;
  /** Config key of the CPU. Default: cpu. */
  readonly cpuKey?: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
  /** Whether it loses work when it is moved, so that its node is removed only when it is empty. Default: false. */
  readonly isSteady?: boolean;
  /** Whether an update waits until it runs. Default: false. */
  readonly isRequired?: boolean;
}

interface Toleration {
  readonly key?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
  readonly effect?: unknown;
}

/** Names of the pools that such a pod may run in. A label that a pool does not set may still exist on its nodes. */
export function poolsFor(
  { nodeSelector, tolerations }: Pick<PlacedPod, "nodeSelector" | "tolerations">,
  nodePools: Readonly<Record<string, NodePoolConfig>>,
): string[] {
  const entries = Object.entries(nodePools).map(([name, pool]) => ({ name, pool, labels: nodeLabels(name, pool) }));
  const known = new Set(entries.flatMap(({ labels }) => Object.keys(labels)));
  const wanted = Object.entries(nodeSelector).filter(([key]) => known.has(key));
  return entries
    .filter(
      ({ pool, labels }) =>
        wanted.every(([key, value]) => labels[key] === value) &&
        pool.taints.every((taint) => taint.effect === "PreferNoSchedule" || tolerations.some(tolerates(taint))),
    )
    .map(({ name }) => name);
}

export const tolerates =
  (taint: { readonly key: string; readonly value?: string; readonly effect: string }) =>
  ({ key, value, operator, effect }: Toleration): boolean =>
    (key === undefined || key === taint.key) &&
    (effect === undefined || effect === taint.effect) &&
    (operator === "Exists" || (value ?? "") === (taint.value ?? ""));

/**
 * Adds the pools whose nodes are removed only when empty, because their pods lose work when they are moved. The
 * annotation for the cluster-autoscaler protects such pods without blocking upgrades; Karpenter's annotation would block
 * them too.
 */
export function withSteadyPools<Config extends { readonly nodePools: Readonly<Record<string, NodePoolConfig>> }>(
  config: Config,
  pods: readonly PlacedPod[],
): Config & { readonly steadyPools: readonly string[] } {
  const steady = pods.filter(({ isSteady }) => isSteady).flatMap((pod) => poolsFor(pod, config.nodePools));
  return { ...config, steadyPools: [...new Set(steady)].sort() };
}
