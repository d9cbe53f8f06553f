/** Helm values of the chart `neuron-helm-chart`, and the pools that need it. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import { instanceType } from "../cluster/nodePool/instanceType";
import type { NodePoolConfig } from "../cluster/nodePool/plan";
import { inPools, onNodes, PLUGIN_PODS, type DevicePluginSettings } from "../devicePlugins/settings";

export const NEURON_PLUGIN = { release: "neuron-device-plugin", namespace: "kube-system" } as const;

export const neuronPools = (nodePools: Readonly<Record<string, NodePoolConfig>>): string[] =>
  Object.entries(nodePools).flatMap(([name, { instanceTypes }]) =>
    instanceTypes.some((type) => instanceType(type)?.accelerator === "neuron") ? [name] : [],
  );

/** Without pools, the chart chooses nodes by their instance types. */
export function neuronPluginValues({ pools, imageValues, values }: DevicePluginSettings): Record<string, unknown> {
  const own = {
    // It needs a role and a namespace of its own; EKS has its monitoring agent instead.
    npd: { enabled: false },
    devicePlugin: {
      ...(pools && { affinity: onNodes(inPools(pools)) }),
      ...PLUGIN_PODS,
    },
  };
  return mergeValues(mergeValues(own, imageValues), values);
}
