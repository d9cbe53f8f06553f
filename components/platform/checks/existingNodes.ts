import * as pulumi from "@pulumi/pulumi";
import type { ClusterConfig } from "../../cluster/clusterConfig";
import { lackOf } from "../../cluster/nodePool/fit";
import { tolerates, type PlacedPod } from "../../cluster/nodePool/placedPods";

/** A node of the cluster. */
interface Node {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

interface NodesAnswer {
  readonly nodes: readonly Node[];
  readonly trouble?: string;
}

/**
 * Warns of pods that fit on none of the existing nodes that they may run on. Not an error, because larger nodes may be
 * added, and pools without nodes have an unknown size.
 */
export async function warnOfSizes(cluster: ClusterConfig | undefined, pods: readonly PlacedPod[]): Promise<void> {
  if (cluster?.type !== "existing" || pods.length === 0) return;
  const { kubeconfig, context } = cluster.access;
  const question = { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) };
  const { nodes, trouble } = (await pulumi.runtime.invoke("stackyard:index:readNodes", question)) as NodesAnswer;
  // Listing nodes requires a cluster role. The first resource reports any other error.
  if (trouble !== undefined) await pulumi.log.debug(`Whether pods fit on the nodes is not known: ${trouble}`);
  for (const pod of pods) {
    const line = sizeWarning(pod, nodes);
    if (line !== undefined) await pulumi.log.warn(line);
  }
}

/** Warning about a pod that fits on no existing node; undefined if it fits. */
export function sizeWarning(pod: PlacedPod, nodes: readonly Node[]): string | undefined {
  const may = nodes.filter(
    ({ labels, taints }) =>
      Object.entries(pod.nodeSelector).every(([key, value]) => labels[key] === value) &&
      taints.every((taint) => taint.effect === "PreferNoSchedule" || pod.tolerations.some(tolerates(taint))),
  );
  const [largest] = may.toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  if (largest === undefined || may.some((node) => lackOf(pod, node) === undefined)) return undefined;
  const { cpu, gpus, memoryBytes } = largest;
  const room = `${cpu} CPUs, ${Math.floor((memoryBytes / pod.unit) * 10) / 10} ${pod.unit === 1e9 ? "GB" : "GiB"} and ${gpus} GPUs`;
  const wanted = `${pod.cpu} CPUs, ${pod.memoryBytes / pod.unit} and ${pod.gpus}`;
  return `stackyard:${pod.path}: found a pod of ${wanted}; the largest of the ${may.length} nodes that it may run on leaves ${room} to pods`;
}
