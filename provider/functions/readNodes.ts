/** The function `readNodes`: the capacity that the nodes of an existing cluster offer to pods. */

import type { FunctionHandler } from "../framework/function";
import { connect } from "../../kubernetes/connect/connect";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { quantity } from "../../kubernetes/objects/quantity";

export interface NodesQuestion {
  readonly kubeconfig?: string;
  readonly context?: string;
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
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because the program can do without the result. */
const PATIENCE_MS = 2_000;
/** More nodes don't change the result. */
const MOST = 1_000;

export const readNodes: FunctionHandler<NodesQuestion, NodesAnswer> = async ({ signal }, { kubeconfig, context }) => {
  try {
    const client = connect(kubeconfig, context, { signal, patienceMs: PATIENCE_MS });
    const found = await client.list({ apiVersion: "v1", kind: "Node" }, { most: MOST });
    return { nodes: found.map(nodeOf) };
  } catch (error) {
    signal.throwIfAborted();
    return { nodes: [], trouble: error instanceof Error ? error.message : String(error) };
  }
};

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
