/** Helm values of the chart `karpenter`. Pure. */

import { mergeValues } from "../../foundation/json/merge";
import { KARPENTER_POOL } from "../cluster/nodePool/pools";
import { POOL_LABEL } from "../cluster/nodePool/plan";
import { accountAnnotations } from "../cluster/serviceAccountRole/plan";
import type { KarpenterSettings } from "../cluster/onEks/karpenterSettings";

/** Release and service account. Critical priority classes are always permitted in this namespace. */
export const KARPENTER = { release: "karpenter", namespace: "kube-system" } as const;

interface KarpenterPlace {
  readonly name: string;
  readonly region: string;
  readonly queueName: string;
  /** Role in the annotation of the service account. Not set with Pod Identity. */
  readonly roleArn?: string | undefined;
}

export function karpenterValues(
  settings: KarpenterSettings,
  { name, region, queueName, roleArn }: KarpenterPlace,
): Record<string, unknown> {
  const memory = `${settings.memoryMb}M`;
  const own = {
    fullnameOverride: KARPENTER.release,
    replicas: settings.replicas,
    serviceAccount: {
      name: KARPENTER.release,
      annotations: roleArn === undefined ? {} : accountAnnotations(roleArn),
    },
    settings: { clusterName: name, interruptionQueue: queueName, eksControlPlane: true },
    // Karpenter must not run on nodes that it removes.
    nodeSelector: { "kubernetes.io/os": "linux", [POOL_LABEL]: KARPENTER_POOL },
    // The cluster's DNS may itself wait for nodes from Karpenter.
    dnsPolicy: "Default",
    controller: {
      // Set explicitly, because pods can't reach the metadata service.
      env: [{ name: "AWS_REGION", value: region }],
      resources: { requests: { cpu: String(settings.cpu), memory }, limits: { memory } },
    },
  };
  return mergeValues(mergeValues(own, settings.imageValues), settings.values);
}
