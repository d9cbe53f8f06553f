import { reservedMemory } from "../clusters";
import type { RayClusterInput, RayPod } from "./schema";

/** What the pods of a cluster announce to Ray, as the chart computes it. Pure. */

export interface Offer {
  /** `head`, or the name of a worker group. */
  readonly pod: string;
  /** By Ray's names, and `memoryGb`. */
  readonly resources: Readonly<Record<string, number>>;
}

const GPUS = /gpu(\.shared)?$|^nvidia\.com\/mig-|^gpu\.intel\.com\//;
const NAMED: Readonly<Record<string, string>> = {
  "aws.amazon.com/neuroncore": "neuron_cores",
  "google.com/tpu": "TPU",
};

/** The pods that the cluster has, or may get by scaling. */
export function offersOf(input: RayClusterInput): Offer[] {
  const groups = Object.entries(input.workerGroups).filter(
    ([, { replicas, maxReplicas }]) => (maxReplicas ?? replicas) !== 0,
  );
  return [
    { pod: "head", resources: offered(input.head, input, input.head.runsTasks) },
    ...groups.map(([pod, group]) => ({ pod, resources: offered(group, input, true) })),
  ];
}

function offered(pod: RayPod, cluster: RayClusterInput, runsTasks: boolean): Offer["resources"] {
  const total = pod.memoryGb - reservedMemory(pod.memoryGb, cluster.reservedMemoryGb);
  const devices = Object.entries(pod.devices);
  const gpus = devices.filter(([name]) => GPUS.test(name)).reduce((sum, [, count]) => sum + count, pod.gpu);
  const named = devices.flatMap(([name, count]): [string, number][] => (NAMED[name] ? [[NAMED[name], count]] : []));
  return {
    CPU: runsTasks ? pod.cpu - cluster.reservedCpu : 0,
    GPU: gpus,
    memoryGb: total * (1 - (pod.objectStoreShare ?? cluster.objectStoreShare)),
    ...Object.fromEntries(named),
    ...customOf(pod.rayStartParams["resources"]),
  };
}

/** Custom resources, as the flag of `ray start` has them. Ray itself reports a text that is no JSON. */
function customOf(flag: string | undefined): Record<string, number> {
  try {
    return JSON.parse(flag ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

/** One clause for each kind of pod. */
export const offersText = (offers: readonly Offer[]): string =>
  offers
    .map(({ pod, resources: { memoryGb = 0, ...others } }) => {
      const memory = `memoryGb ${Math.floor(memoryGb * 10) / 10}`;
      const amounts = Object.entries(others).filter(([, amount]) => amount > 0);
      return `${pod} with ${[...amounts.map(([name, amount]) => `${name} ${amount}`), memory].join(", ")}`;
    })
    .join("; ");
