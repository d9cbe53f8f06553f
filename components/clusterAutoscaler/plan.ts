/** Helm values of the chart `cluster-autoscaler`. Pure. */

import { load, YAMLException } from "js-yaml";
import { mergeValues, type Values } from "../../foundation/json/merge";
import { AUTOSCALER_TAINT } from "../cluster/nodePool/plan";
import { chartAccount } from "../cluster/serviceAccountRole/plan";
import { AUTOSCALER, type AutoscalerSettings } from "./config/schema";

/**
 * Quotes strings for a template that prints them without quotes: those that YAML would parse as something else, such as
 * `true`, `8085` or `a: b`. Strings that already have quotes are unchanged.
 */
export const printedUnquoted = (texts: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, quotedIfNeeded(String(text))]));

const quotedIfNeeded = (text: string): string => (readsAsItself(text) ? text : JSON.stringify(text));

function readsAsItself(text: string): boolean {
  // Parses the printed line, `key: text`. YAML may parse the text differently on its own.
  try {
    const value = (load(`key: ${text}`) as { key?: unknown }).key;
    return typeof value === "string" && (value === text || /^["']/.test(text));
  } catch (error) {
    if (error instanceof YAMLException) return false;
    throw error;
  }
}

const PORT = 8085;

/** All values. The user's values are merged last. Quotes those that the chart prints without quotes. */
export function chartValues(settings: AutoscalerSettings, roleArn: string | undefined): Record<string, unknown> {
  const values = mergeValues(planValues(settings, roleArn), settings.values);
  const rbac = values["rbac"] as { serviceAccount?: { annotations?: Values | null } | null } | null;
  const annotations = rbac?.serviceAccount?.annotations;
  return annotations
    ? mergeValues(values, { rbac: { serviceAccount: { annotations: printedUnquoted(annotations) } } })
    : values;
}

/** `roleArn`: role in the annotation of the service account. Not set with Pod Identity. */
export function planValues(settings: AutoscalerSettings, roleArn: string | undefined): Record<string, unknown> {
  const { cluster, image, serviceMonitor } = settings;
  const { key, value, effect } = AUTOSCALER_TAINT;
  const size = { cpu: String(settings.cpu), memory: `${settings.memoryMb}M` };
  return {
    fullnameOverride: AUTOSCALER.release,
    cloudProvider: "aws",
    // Set explicitly, because pods can't reach the metadata service.
    awsRegion: cluster.region,
    autoDiscovery: {
      clusterName: cluster.name,
      tags: ["k8s.io/cluster-autoscaler/enabled", `k8s.io/cluster-autoscaler/${cluster.name}`],
    },
    image,
    replicaCount: settings.replicas,
    rbac: {
      serviceAccount: chartAccount(AUTOSCALER.release, roleArn),
    },
    extraArgs: argumentsOf(settings),
    ...(settings.expander.includes("priority") ? { expanderPriorities: settings.priorities } : {}),
    nodeSelector: { [key]: value },
    tolerations: [{ key, operator: "Equal", value, effect }],
    priorityClassName: "system-cluster-critical",
    podDisruptionBudget: { maxUnavailable: 1 },
    resources: { requests: size, limits: { memory: size.memory } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65534,
      fsGroup: 65534,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    podAnnotations: { "prometheus.io/scrape": "true", "prometheus.io/port": String(PORT) },
    service: { create: true, servicePort: PORT },
    serviceMonitor:
      serviceMonitor === undefined
        ? { enabled: false }
        : { enabled: true, namespace: AUTOSCALER.namespace, interval: "30s", selector: serviceMonitor },
  };
}

function argumentsOf(settings: AutoscalerSettings): Record<string, string | number | boolean> {
  const { scaleDown } = settings;
  return {
    expander: settings.expander.join(","),
    "balance-similar-node-groups": settings.balanceSimilarGroups,
    "scale-down-enabled": scaleDown.enabled,
    "scale-down-unneeded-time": scaleDown.unneededFor,
    "scale-down-delay-after-add": scaleDown.delayAfterAdd,
    "scale-down-utilization-threshold": scaleDown.utilizationThreshold,
    "skip-nodes-with-local-storage": !scaleDown.nodesWithLocalStorage,
    "skip-nodes-with-system-pods": !scaleDown.nodesWithSystemPods,
    "max-graceful-termination-sec": scaleDown.maxGracefulTerminationSeconds,
    "max-node-provision-time": settings.maxNodeProvisionTime,
    "scan-interval": settings.scanInterval,
  };
}
