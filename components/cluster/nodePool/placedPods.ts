/** The pods of a config whose size and nodes it says, and which node pools they may run in. Pure. */

import type { PlatformConfig } from "../../platform/config/platformConfig";
import { reservedMemory, type RayClusterConfig, type RayPod } from "../../ray/clusters";
import { nodeLabels, type NodePoolConfig } from "./plan";

/** A kind of pod. */
export interface PlacedPod {
  /** Where the config says its size, such as `ray.one.head`. */
  readonly path: string;
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  /** What the config says, for the reader of a fault. */
  readonly said: { readonly cpu: string; readonly memoryGb: string; readonly gpu: string };
  /** Bytes of one unit of the config. */
  readonly unit: number;
  /** Keys of the config. */
  readonly gpuKey: string;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

interface Toleration {
  readonly key?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
  readonly effect?: unknown;
}

type Config = Pick<PlatformConfig, "ray" | "jupyterhub">;

export function placedPods({ ray = {}, jupyterhub }: Config): PlacedPod[] {
  const ofRay = Object.entries(ray).flatMap(([name, cluster]) => [
    rayPod(`ray.${name}.head`, cluster.head, cluster),
    ...Object.entries(cluster.workerGroups).map(([group, pod]) =>
      rayPod(`ray.${name}.workerGroups.${group}`, pod, cluster),
    ),
  ]);
  if (jupyterhub === undefined) return ofRay;
  const { size, placement, profiles } = jupyterhub;
  const notebook = (path: string, own: typeof size, place: typeof placement): PlacedPod => {
    const { cpu = size.cpu ?? 0, memoryGb = size.memoryGb ?? 1, gpus = size.gpus ?? 0 } = own;
    const said = { cpu: String(cpu), memoryGb: String(memoryGb), gpu: String(gpus) };
    return { path, cpu, memoryBytes: memoryGb * GIB, gpus, said, unit: GIB, gpuKey: "gpus", ...place };
  };
  const notebooks = Object.entries(profiles).map(([slug, profile]) =>
    notebook(`jupyterhub.profiles.${slug}`, profile, {
      // KubeSpawner replaces what all notebooks have.
      nodeSelector: isEmpty(profile.placement.nodeSelector) ? placement.nodeSelector : profile.placement.nodeSelector,
      tolerations: profile.placement.tolerations.length === 0 ? placement.tolerations : profile.placement.tolerations,
    }),
  );
  return [...ofRay, ...(notebooks.length === 0 ? [notebook("jupyterhub", size, placement)] : notebooks)];
}

const GIB = 2 ** 30;
const GB = 10 ** 9;
const isEmpty = (some: object): boolean => Object.keys(some).length === 0;

function rayPod(path: string, pod: RayPod, cluster: RayClusterConfig): PlacedPod {
  const pool = pod.pool ?? cluster.pool;
  const reserved = reservedMemory(pod.memoryGb, cluster.reservedMemoryGb);
  return {
    path,
    cpu: pod.cpu - cluster.reservedCpu,
    memoryBytes: (pod.memoryGb - reserved) * GB,
    gpus: pod.gpu,
    said: {
      cpu: `${pod.cpu}, of which ${cluster.reservedCpu} are reserved`,
      memoryGb: `${pod.memoryGb}, of which ${reserved} are reserved`,
      gpu: String(pod.gpu),
    },
    unit: GB,
    gpuKey: "gpu",
    nodeSelector: { ...(pool === "" ? {} : { dedicated: pool }), ...pod.nodeSelector },
    tolerations: [...(pool === "" ? [] : [{ key: "dedicated", value: pool }]), ...pod.tolerations],
  };
}

/** Names of the pools that such a pod may run in. What a pool's entry does not say of labels its nodes may have. */
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
