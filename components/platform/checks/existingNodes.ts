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
  readonly grows?: boolean;
  readonly trouble?: string;
}

/**
 * Rejects pods that may run on none of the existing nodes, if the update waits for them and nothing adds nodes. Warns
 * of pods that are larger than all nodes that they may run on, because larger nodes may be added.
 */
export async function checkNodes(cluster: ClusterConfig | undefined, pods: readonly PlacedPod[]): Promise<void> {
  if (cluster?.type !== "existing" || pods.length === 0) return;
  const { kubeconfig, context } = cluster.access;
  const ask = async (growth: boolean): Promise<NodesAnswer> =>
    (await pulumi.runtime.invoke("stackyard:index:readNodes", {
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
      growth,
    })) as NodesAnswer;
  const { nodes, trouble } = await ask(false);
  // Listing nodes requires a cluster role. The first resource reports any other error.
  if (trouble !== undefined) await pulumi.log.debug(`Whether pods fit on the nodes is not known: ${trouble}`);
  // A cluster without any node gets its first ones in a way that is not known.
  if (nodes.length === 0) return;
  for (const line of pods.flatMap((pod) => sizeWarning(pod, nodes) ?? [])) await pulumi.log.warn(line);
  const homeless = pods.flatMap((pod) => ({ isRequired: pod.isRequired === true, line: nodeFault(pod, nodes) ?? [] }));
  const lines = homeless.flatMap(({ isRequired, line }) => (isRequired ? line : []));
  if (lines.length > 0 && (await ask(true)).grows === false) {
    throw new pulumi.RunError(`${lines.join("\n")}\nNothing was changed.`);
  }
  for (const line of homeless.flatMap((one) => one.line)) await pulumi.log.warn(line);
}

/** Taints of a node that starts, fails or is drained, which pass. */
const PASSING = /^node\.(cloudprovider\.)?kubernetes\.io\//;

const matches = (pod: PlacedPod, { labels }: Node): boolean =>
  Object.entries(pod.nodeSelector).every(([key, value]) => labels[key] === value);

const repelling = (pod: PlacedPod, { taints }: Node): Node["taints"] =>
  taints.filter(
    (taint) =>
      taint.effect !== "PreferNoSchedule" && !PASSING.test(taint.key) && !pod.tolerations.some(tolerates(taint)),
  );

/** Fault of a pod that may run on none of the nodes; undefined if it may. */
export function nodeFault(pod: PlacedPod, nodes: readonly Node[]): string | undefined {
  const matching = nodes.filter((node) => matches(pod, node));
  if (matching.some((node) => repelling(pod, node).length === 0)) return undefined;
  const selector = Object.entries(pod.nodeSelector).map(([key, value]) => `${key}=${value}`);
  if (matching.length === 0) {
    return (
      `stackyard:${pod.path}: found a pod for nodes with ${selector.join(", ")}; expected labels that one of the ` +
      `${nodes.length} nodes has: change pool or nodeSelector, or kubectl label node NAME ${selector.join(" ")}`
    );
  }
  const taints = matching.flatMap((node) => repelling(pod, node)).map(taintText);
  const which = selector.length === 0 ? "nodes" : `nodes with ${selector.join(", ")}`;
  return (
    `stackyard:${pod.path}: found a pod that tolerates the taints of none of the ${matching.length} ${which}: ` +
    `${[...new Set(taints)].sort().join(", ")}; expected another pool, tolerations, or a node without these taints`
  );
}

const taintText = ({ key, value, effect }: Node["taints"][number]): string =>
  `${key}${value === undefined ? "" : `=${value}`}:${effect}`;

/** Warning about a pod that fits on no existing node that it may run on; undefined if it fits, or may run on none. */
export function sizeWarning(pod: PlacedPod, nodes: readonly Node[]): string | undefined {
  const may = nodes.filter((node) => matches(pod, node) && repelling(pod, node).length === 0);
  const [largest] = may.toSorted((a, b) => b.memoryBytes - a.memoryBytes);
  if (largest === undefined || may.some((node) => lackOf(pod, node) === undefined)) return undefined;
  const { cpu, gpus, memoryBytes } = largest;
  const room = `${cpu} CPUs, ${Math.floor((memoryBytes / pod.unit) * 10) / 10} ${pod.unit === 1e9 ? "GB" : "GiB"} and ${gpus} GPUs`;
  const wanted = `${pod.cpu} CPUs, ${pod.memoryBytes / pod.unit} and ${pod.gpus}`;
  return `stackyard:${pod.path}: found a pod of ${wanted}; the largest of the ${may.length} nodes that it may run on leaves ${room} to pods`;
}
