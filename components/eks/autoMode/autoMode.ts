/** Settings of a cluster with EKS Auto Mode, and its node classes. Pure. */

import { AUTO_INGRESS_CLASS } from "../../cluster/nodePool/pools";
import type { NodePoolConfig } from "../../cluster/nodePool/plan";
import { reservationTerms, type ClassKind } from "../../cluster/onEks/nodePoolManifests";
import type { KnownSource } from "../../cluster/onEks/karpenterSettings";

/**
 * EKS rejects the request unless all three are enabled. The built-in node pools are not used, because the config
 * defines all pools.
 */
export const AUTO_MODE = {
  computeConfig: { enabled: true },
  storageConfig: { blockStorage: { enabled: true } },
  elasticLoadBalancing: { enabled: true },
} as const;

/** Managed policies that the cluster's role needs in addition to those of every cluster. */
export const AUTO_CLUSTER_POLICIES = [
  "AmazonEKSComputePolicy",
  "AmazonEKSBlockStoragePolicy",
  "AmazonEKSLoadBalancingPolicy",
  "AmazonEKSNetworkingPolicy",
];

export const AUTO_NODE_POLICIES = ["AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly"];

/** Add-ons that Auto Mode includes, and that must not be installed. */
export const IN_AUTO_MODE = [
  "vpc-cni",
  "kube-proxy",
  "eks-pod-identity-agent",
  "coredns",
  "aws-ebs-csi-driver",
  "eks-node-monitoring-agent",
];

/**
 * EKS replaces Auto Mode nodes after 21 days at the latest. Expiring them a week earlier leaves time to wait for pods.
 */
export const AUTO_CLASS: ClassKind = {
  apiVersion: "eks.amazonaws.com/v1",
  kind: "NodeClass",
  expireAfter: "336h",
  // Auto Mode supports only its documented labels, and all its nodes run Linux.
  takesOs: false,
};

/** Name of the class that EKS creates for its built-in pools. */
export const OWN_CLASS = "default";

export function autoClassManifest(
  name: string,
  pool: NodePoolConfig,
  { roleName, subnetIds, securityGroupId }: KnownSource,
): Record<string, unknown> {
  const { diskGb, diskKey, securityGroupIds, fips } = pool;
  return {
    apiVersion: AUTO_CLASS.apiVersion,
    kind: AUTO_CLASS.kind,
    metadata: { name },
    spec: {
      role: roleName,
      subnetSelectorTerms: (pool.subnetIds ?? subnetIds).map((id) => ({ id })),
      securityGroupSelectorTerms: [securityGroupId, ...securityGroupIds].map((id) => ({ id })),
      ephemeralStorage: { size: `${diskGb}Gi`, ...(diskKey === undefined ? {} : { kmsKeyID: diskKey }) },
      ...reservationTerms(pool),
      ...(fips ? { advancedSecurity: { fips } } : {}),
    },
  };
}

export const AUTO_INGRESS: readonly Record<string, unknown>[] = [
  {
    apiVersion: "eks.amazonaws.com/v1",
    kind: "IngressClassParams",
    metadata: { name: AUTO_INGRESS_CLASS },
    spec: { scheme: "internet-facing" },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name: AUTO_INGRESS_CLASS },
    spec: {
      controller: "eks.amazonaws.com/alb",
      parameters: { apiGroup: "eks.amazonaws.com", kind: "IngressClassParams", name: AUTO_INGRESS_CLASS },
    },
  },
];
