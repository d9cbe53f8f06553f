/** Helm values of the chart `aws-efa-k8s-device-plugin`, and the pools that need it. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { POOL_LABEL } from "../cluster/nodePool/plan";
import { PLUGIN_PODS, type DevicePluginSettings } from "../devicePlugins/settings";

export const EFA_PLUGIN = { release: "aws-efa-k8s-device-plugin", namespace: "kube-system" } as const;

/** Karpenter attaches adapters for pods that request them, so any pool may need it. */
export const efaPools = ({ nodes, nodePools }: Pick<EksConfig, "nodes" | "nodePools">): string[] | undefined =>
  nodes === "karpenter" ? undefined : Object.entries(nodePools).flatMap(([name, { efa }]) => (efa ? [name] : []));

/** Without pools, the chart chooses nodes by their instance types. */
export function efaPluginValues({ pools, imageValues, values }: DevicePluginSettings): Record<string, unknown> {
  const own = {
    fullnameOverride: EFA_PLUGIN.release,
    ...(pools && { supportedInstanceLabels: { keys: [POOL_LABEL], values: pools } }),
    ...PLUGIN_PODS,
  };
  return mergeValues(mergeValues(own, imageValues), values);
}
