/** Helm values of the chart `aws-load-balancer-controller`. Pure. */

import { mergeValues } from "../../charts/merge";
import { accountAnnotations } from "../../cluster/serviceAccountRole/plan";
import { LOAD_BALANCER } from "../accounts";
import type { LoadBalancerSettings, ServedCluster } from "../settings";

/** What is known once the cluster is there. */
export interface Found {
  readonly vpcId: string;
  /** Role that pods get by the annotation of their service account; unset with Pod Identity. */
  readonly roleArn?: string | undefined;
}

export function loadBalancerValues(
  settings: LoadBalancerSettings,
  { name, region }: ServedCluster,
  { vpcId, roleArn }: Found,
): Record<string, unknown> {
  const values = {
    fullnameOverride: LOAD_BALANCER.release,
    clusterName: name,
    // Said here, because pods can't ask the metadata server for it.
    region,
    vpcId,
    serviceAccount: {
      create: true,
      name: LOAD_BALANCER.release,
      annotations: roleArn === undefined ? {} : accountAnnotations(roleArn),
    },
    replicaCount: settings.replicas,
    podDisruptionBudget: { maxUnavailable: 1 },
    ingressClass: settings.className,
    defaultTargetType: "ip",
    defaultLoadBalancerScheme: settings.scheme,
    // Services of type LoadBalancer stay with whom they have today, unless they name a class.
    enableServiceMutatorWebhook: false,
    // The certificate of its webhook stays through upgrades.
    keepTLSSecret: true,
    // Its role has no rights to them.
    enableShield: false,
    enableWaf: false,
    enableWafv2: false,
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}
