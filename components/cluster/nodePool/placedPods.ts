/** The pods whose size and placement the config determines, and the node pools that they may run in. Pure. */

import type { PlatformConfig } from "../../platform/config/platformConfig";
import { reservedMemory, type RayClusterConfig, type RayPod } from "../../ray/clusters";
import type { TerasliceSettings } from "../../teraslice/settings";
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
}

interface Toleration {
  readonly key?: unknown;
  readonly operator?: unknown;
  readonly value?: unknown;
  readonly effect?: unknown;
}

const GIB = 2 ** 30;
const GB = 10 ** 9;

type Config = Partial<Pick<PlatformConfig, "ray" | "jupyterhub" | "teraslice" | "terasliceClusters">>;

export function placedPods({ ray = {}, jupyterhub, teraslice, terasliceClusters = {} }: Config): PlacedPod[] {
  const masters = [...(teraslice ? [teraslice] : []), ...Object.values(terasliceClusters)];
  return [...rayAndNotebooks({ ray, jupyterhub }), ...masters.flatMap(terasliceCluster)];
}

/**
 * The master, and pods of jobs with the default resources: workers and execution controllers. Pods of jobs may run in
 * any pool, since a job may name targets.
 */
function terasliceCluster({ source, master, teraslice }: TerasliceSettings): PlacedPod[] {
  const path = source.replace("stackyard:", "");
  const common = { gpus: 0, gpuKey: "", unit: GIB };
  const { cpu = 0, memory = 0, cpu_execution_controller, memory_execution_controller } = teraslice;
  const { nodeSelector, tolerations, memoryMb } = master;
  const anywhere = { nodeSelector: {}, tolerations: [{ operator: "Exists" }] };
  const configured = (cpus: number, amount: number) => ({ cpu: String(cpus), memoryGb: String(amount), gpu: "0" });
  const ofJobs = (cpuKey: string, memoryKey: string, cpus: number, bytes: number): PlacedPod => ({
    ...{ path: `${path}.settings`, cpu: cpus, memoryBytes: bytes, configured: configured(cpus, bytes) },
    ...{ cpuKey, memoryKey, ...anywhere, ...common },
  });
  return [
    {
      ...{
        path: `${path}.master`,
        cpu: master.cpu,
        memoryBytes: memoryMb * 2 ** 20,
        configured: configured(master.cpu, memoryMb),
      },
      ...{ memoryKey: "memoryMb", nodeSelector, tolerations: tolerations, ...common },
    },
    ofJobs("cpu", "memory", cpu, memory),
    ofJobs(
      "cpu_execution_controller",
      "memory_execution_controller",
      cpu_execution_controller,
      memory_execution_controller,
    ),
  ];
}

function rayAndNotebooks({ ray, jupyterhub }: Required<Pick<Config, "ray">> & Pick<Config, "jupyterhub">): PlacedPod[] {
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
    const configured = { cpu: String(cpu), memoryGb: String(memoryGb), gpu: String(gpus) };
    return {
      path,
      cpu,
      memoryBytes: memoryGb * GIB,
      gpus,
      configured,
      unit: GIB,
      memoryKey: "memoryGb",
      gpuKey: "gpus",
      ...place,
    };
  };
  const notebooks = Object.entries(profiles).map(([slug, profile]) =>
    notebook(`jupyterhub.profiles.${slug}`, profile, {
      // A profile's placement replaces the default of all notebooks.
      nodeSelector: isEmpty(profile.placement.nodeSelector) ? placement.nodeSelector : profile.placement.nodeSelector,
      tolerations: profile.placement.tolerations.length === 0 ? placement.tolerations : profile.placement.tolerations,
    }),
  );
  return [...ofRay, ...(notebooks.length === 0 ? [notebook("jupyterhub", size, placement)] : notebooks)];
}

const isEmpty = (some: object): boolean => Object.keys(some).length === 0;

function rayPod(path: string, pod: RayPod, cluster: RayClusterConfig): PlacedPod {
  const pool = pod.pool ?? cluster.pool;
  const reserved = reservedMemory(pod.memoryGb, cluster.reservedMemoryGb);
  return {
    path,
    cpu: pod.cpu - cluster.reservedCpu,
    memoryBytes: (pod.memoryGb - reserved) * GB,
    gpus: pod.gpu,
    configured: {
      cpu: `${pod.cpu}, of which ${cluster.reservedCpu} are reserved`,
      memoryGb: `${pod.memoryGb}, of which ${reserved} are reserved`,
      gpu: String(pod.gpu),
    },
    unit: GB,
    memoryKey: "memoryGb",
    gpuKey: "gpu",
    nodeSelector: { ...(pool === "" ? {} : { dedicated: pool }), ...pod.nodeSelector },
    tolerations: [...(pool === "" ? [] : [{ key: "dedicated", value: pool }]), ...pod.tolerations],
  };
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
