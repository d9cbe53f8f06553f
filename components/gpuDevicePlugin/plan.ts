/** Helm values of the chart `nvidia-device-plugin`, and the pools that need it. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import { amiType, POOL_LABEL, type NodePoolConfig } from "../cluster/nodePool/plan";

/** Decoded config of NVIDIA's device plugin, with all defaults. */
export interface GpuPluginSettings {
  /** Names of the node pools to run on. Default: all nodes with the GPU label. */
  readonly pools?: readonly string[];
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

export const GPU_PLUGIN = { release: "nvidia-device-plugin", namespace: "kube-system" } as const;

/** Label of GPU nodes, which the autoscaler requires too. */
const HAS_GPUS = { key: "k8s.amazonaws.com/accelerator", operator: "Exists" };

/** GPU pools without the plugin: Bottlerocket's image includes it, Amazon Linux's does not. */
export const poolsWithout = (nodePools: Readonly<Record<string, NodePoolConfig>>): string[] =>
  Object.entries(nodePools).flatMap(([name, pool]) => (/^AL2023_.*_NVIDIA$/.test(amiType(pool)) ? [name] : []));

export function gpuPluginValues({ pools, imageValues, values }: GpuPluginSettings): Record<string, unknown> {
  const chosen = pools ? { key: POOL_LABEL, operator: "In", values: [...pools] } : HAS_GPUS;
  const own = {
    fullnameOverride: GPU_PLUGIN.release,
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [chosen] }] },
      },
    },
    // GPU pools usually have taints, with different keys.
    tolerations: [{ operator: "Exists" }],
    gfd: { enabled: false },
    resources: { requests: { cpu: "20m", memory: "64Mi" }, limits: { memory: "256Mi" } },
  };
  return mergeValues(mergeValues(own, imageValues), values);
}
