/** The function `readNodes`: the capacity that the nodes of an existing cluster offer to pods. */

import type { FunctionHandler } from "../framework/function";
import type { Client } from "../../kubernetes/client/client";
import { ifKnown, unlessForbidden } from "../../kubernetes/client/lookUp";
import { connect } from "../../kubernetes/connect/connect";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { quantity } from "../../foundation/kubernetes/quantity";

export interface NodesQuestion {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Ask instead whether nodes are added when pods need them. Default: false. */
  readonly growth?: boolean;
}

export interface Node {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly cpu: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

export interface NodesAnswer {
  readonly nodes: readonly Node[];
  /** Whether nodes are added when pods need them, as far as is known. */
  readonly grows?: boolean;
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because the program can do without the result. */
const PATIENCE_MS = 2_000;
/** More nodes don't change the result. */
const MOST = 1_000;

export const readNodes: FunctionHandler<NodesQuestion, NodesAnswer> = async (
  { signal },
  { kubeconfig, context, growth = false },
) => {
  try {
    const client = connect(kubeconfig, context, { signal, patienceMs: PATIENCE_MS });
    if (growth) return { nodes: [], grows: await growsBy(client) };
    const found = await client.list({ apiVersion: "v1", kind: "Node" }, { most: MOST });
    return { nodes: found.map(nodeOf) };
  } catch (error) {
    signal.throwIfAborted();
    return { nodes: [], trouble: error instanceof Error ? error.message : String(error) };
  }
};

/** Karpenter and EKS Auto Mode have NodePools, the cluster-autoscaler writes its status. What can't be read may be there. */
async function growsBy(client: Client): Promise<boolean> {
  const status = { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system", name: "cluster-autoscaler-status" };
  const pools = client.list({ apiVersion: "karpenter.sh/v1", kind: "NodePool" }, { metadataOnly: true, most: 1 });
  const [written, found] = await Promise.all([
    unlessForbidden(client.get(status, { metadataOnly: true }).then((object) => object !== undefined)),
    unlessForbidden(ifKnown(pools)),
  ]);
  return written !== false || found === undefined || (found?.length ?? 0) > 0;
}

function nodeOf(object: KubeObject): Node {
  const { metadata, spec, status } = object as KubeObject & {
    readonly spec?: { readonly taints?: Node["taints"] };
    readonly status?: { readonly allocatable?: Readonly<Record<string, string>> };
  };
  const { allocatable = {} } = status ?? {};
  // A new node may not have reported its capacity yet.
  const amount = (key: string, otherwise: number): number => quantity(allocatable[key] ?? "") ?? otherwise;
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    taints: spec?.taints ?? [],
    cpu: amount("cpu", Number.MAX_VALUE),
    memoryBytes: amount("memory", Number.MAX_VALUE),
    gpus: amount("nvidia.com/gpu", 0),
  };
}
