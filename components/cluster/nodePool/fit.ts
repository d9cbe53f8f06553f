/** Checks whether pods fit on the nodes that they may run on. Pure. */

import { allocatable, type Allocatable, type InstanceSize } from "./allocatable";
import { poolsFor, type PlacedPod } from "./placedPods";
import type { NodePoolConfig } from "./plan";

export interface Fit {
  /** Pods that fit on no instance type of their pools, each with path, found and expected. */
  readonly faults: readonly string[];
  /** Pods that fit only on some instance types of a pool, which may get nodes of any type. */
  readonly warnings: readonly string[];
}

interface Nodes {
  readonly nodePools: Readonly<Record<string, NodePoolConfig>>;
  readonly sizes: Readonly<Record<string, InstanceSize>>;
  /** Whether addresses are assigned in blocks of 16. */
  readonly prefixes: boolean;
}

export function fitFaults(pods: readonly PlacedPod[], { nodePools, sizes, prefixes }: Nodes): Fit {
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const pod of pods) {
    const pools = poolsFor(pod, nodePools);
    const types = pools.flatMap((name) => nodePools[name]!.instanceTypes);
    // Types that AWS does not describe can't be checked.
    if (types.length === 0 || types.some((type) => sizes[type] === undefined)) continue;
    const rooms = types.map((type) => ({ type, room: allocatable(sizes[type]!, prefixes) }));
    const tooSmall = rooms.filter(({ room }) => lackOf(pod, room) !== undefined);
    if (tooSmall.length === 0) continue;
    const where = `${pools.length === 1 ? "the node pool" : "the node pools"} ${pools.join(", ")}`;
    if (tooSmall.length === rooms.length) faults.push(faultOf(pod, rooms, where));
    else if (pools.length === 1) {
      const small = tooSmall.map(({ type }) => type).join(", ");
      warnings.push(
        `stackyard:${pod.path}: fits no node of type ${small}, which ${where} may get; use types of one size`,
      );
    }
  }
  return { faults, warnings };
}

type Amount = "memory" | "cpu" | "gpu";

/** The resource that a node lacks; undefined if the pod fits. */
export function lackOf(pod: PlacedPod, room: Allocatable): Amount | undefined {
  if (pod.gpus > room.gpus) return "gpu";
  if (pod.cpu > room.cpu) return "cpu";
  return pod.memoryBytes > room.memoryBytes ? "memory" : undefined;
}

/** Fault for a pod that fits on no instance type. Reports the type that comes closest. */
function faultOf(
  pod: PlacedPod,
  rooms: readonly { readonly type: string; readonly room: Allocatable }[],
  where: string,
): string {
  const rank: readonly Amount[] = ["gpu", "cpu", "memory"];
  const ranked = rooms.toSorted(
    (a, b) =>
      rank.indexOf(lackOf(pod, b.room)!) - rank.indexOf(lackOf(pod, a.room)!) ||
      b.room.memoryBytes - a.room.memoryBytes,
  );
  const { type, room } = ranked[0]!;
  const lack = lackOf(pod, room)!;
  if (lack === "gpu") {
    return `stackyard:${pod.path}.${pod.gpuKey}: found ${pod.configured.gpu}; expected at most ${room.gpus}, as ${type} of ${where} has`;
  }
  if (lack === "cpu") {
    return `stackyard:${pod.path}.${pod.cpuKey ?? "cpu"}: found ${pod.configured.cpu}; expected a pod of at most ${floor(room.cpu)} CPUs, which ${type} of ${where} leaves to pods`;
  }
  const unit = pod.unit === 10 ** 9 ? "GB" : "GiB";
  return `stackyard:${pod.path}.${pod.memoryKey}: found ${pod.configured.memoryGb}; expected a pod of at most ${floor(room.memoryBytes / pod.unit)} ${unit}, which ${type} of ${where} leaves to pods`;
}

const floor = (amount: number): number => Math.floor(amount * 10) / 10;
