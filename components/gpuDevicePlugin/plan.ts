/** Helm values of the chart `nvidia-device-plugin`, and the pools that need it. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import { amiType, type NodePoolConfig } from "../cluster/nodePool/plan";
import { inPools, onNodes, PLUGIN_PODS, type DevicePluginSettings } from "../devicePlugins/settings";

export const GPU_PLUGIN = { release: "nvidia-device-plugin", namespace: "kube-system" } as const;

/** Label of GPU nodes, which the autoscaler requires too. */
const HAS_GPUS = { key: "k8s.amazonaws.com/accelerator", operator: "Exists" };

/** GPU pools without the plugin: Bottlerocket's image includes it, Amazon Linux's does not. */
export const poolsWithout = (nodePools: Readonly<Record<string, NodePoolConfig>>): string[] =>
  Object.entries(nodePools).flatMap(([name, pool]) => (/^AL2023_.*_NVIDIA$/.test(amiType(pool)) ? [name] : []));

export function gpuPluginValues({ pools, imageValues, values }: DevicePluginSettings): Record<string, unknown> {
  const own = {
    fullnameOverride: GPU_PLUGIN.release,
    affinity: onNodes(pools ? inPools(pools) : HAS_GPUS),
    gfd: { enabled: false },
    ...PLUGIN_PODS,
  };
  return mergeValues(mergeValues(own, imageValues), values);
}
