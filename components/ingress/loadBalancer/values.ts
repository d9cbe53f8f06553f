/** Helm values of the chart `aws-load-balancer-controller`. Pure. */

import { mergeValues } from "../../../foundation/json/merge";
import { accountAnnotations } from "../../cluster/serviceAccountRole/plan";
import { LOAD_BALANCER } from "../accounts";
import type { LoadBalancerSettings, ServedCluster } from "../settings";

/** Values that are known once the cluster exists. */
interface Found {
  readonly vpcId: string;
  /** Role in the annotation of the service account. Not set with Pod Identity. */
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
    // Set explicitly, because pods can't reach the metadata service.
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
    // Existing Services of type LoadBalancer keep their controller, unless they name a class.
    enableServiceMutatorWebhook: false,
    // Keeps the certificate of its webhook across upgrades.
    keepTLSSecret: true,
    // Disabled, because its role lacks the permissions.
    enableShield: false,
    enableWaf: false,
    enableWafv2: false,
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "512Mi" } },
  };
  return mergeValues(mergeValues(values, settings.imageValues), settings.values);
}
