import { POOL_LABEL } from "../cluster/nodePool/plan";

/** Decoded config of a device plugin, with all defaults. */
export interface DevicePluginSettings {
  /** Names of the node pools to run on. Default: all nodes that may have devices. */
  readonly pools?: readonly string[];
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Values of the pods of each plugin. */
export const PLUGIN_PODS = {
  // Pools with devices usually have taints, with different keys.
  tolerations: [{ operator: "Exists" }],
  resources: { requests: { cpu: "20m", memory: "64Mi" }, limits: { memory: "256Mi" } },
} as const;

interface LabelChoice {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Requires nodes of these pools. */
export const inPools = (pools: readonly string[]): LabelChoice => ({ key: POOL_LABEL, operator: "In", values: pools });

/** Affinity of pods that requires nodes with a label. */
export const onNodes = (choice: LabelChoice): object => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [choice] }] },
  },
});
