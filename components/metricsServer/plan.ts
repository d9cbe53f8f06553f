/** Helm values of the chart `metrics-server`. Pure. */

import { mergeValues } from "../../foundation/json/merge";

/** Decoded config of metrics-server, with all defaults. */
export interface MetricsSettings {
  readonly replicas: number;
  readonly timeoutSeconds: number;
  /** Values of the chart that select images on a mirror. */
  readonly imageValues: Readonly<Record<string, unknown>>;
  /** Helm values of the upstream chart, merged last. */
  readonly values: Readonly<Record<string, unknown>>;
}

export const METRICS = { release: "metrics-server", namespace: "kube-system" } as const;

/** The APIService that it registers. A cluster can have only one. */
export const METRICS_API = "v1beta1.metrics.k8s.io";

const LABELS = { "app.kubernetes.io/name": METRICS.release, "app.kubernetes.io/instance": METRICS.release };

export function metricsValues({ replicas, imageValues, values }: MetricsSettings): Record<string, unknown> {
  const own = {
    fullnameOverride: METRICS.release,
    replicas,
    resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "1Gi" } },
    // Keeps one pod available for autoscalers while a node is drained.
    ...(replicas > 1 && {
      podDisruptionBudget: { enabled: true, maxUnavailable: 1 },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "kubernetes.io/hostname",
          whenUnsatisfiable: "ScheduleAnyway",
          labelSelector: { matchLabels: LABELS },
        },
      ],
    }),
  };
  return mergeValues(mergeValues(own, imageValues), values);
}
