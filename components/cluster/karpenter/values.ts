/** Helm values of the chart `karpenter`. Pure. */

import { mergeValues } from "../../charts/merge";
import { KARPENTER_POOL } from "../nodePool/pools";
import { POOL_LABEL } from "../nodePool/plan";
import { accountAnnotations } from "../serviceAccountRole/plan";
import type { KarpenterSettings } from "./settings";

/** Release and service account, in a namespace where critical priority classes may be used. */
export const KARPENTER = { release: "karpenter", namespace: "kube-system" } as const;

export interface KarpenterPlace {
  readonly name: string;
  readonly region: string;
  readonly queueName: string;
  /** Role that pods get by the annotation of their service account; not set with Pod Identity. */
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
    // It must not live on nodes that it removes.
    nodeSelector: { "kubernetes.io/os": "linux", [POOL_LABEL]: KARPENTER_POOL },
    // The cluster's own DNS may wait for nodes that only Karpenter adds.
    dnsPolicy: "Default",
    controller: {
      // Said here, because pods can't ask the metadata server for it.
      env: [{ name: "AWS_REGION", value: region }],
      resources: { requests: { cpu: String(settings.cpu), memory }, limits: { memory } },
    },
  };
  return mergeValues(mergeValues(own, settings.imageValues), settings.values);
}
