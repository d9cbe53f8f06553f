/** What EKS Auto Mode asks of a cluster, and the classes of its nodes. Pure. */

import type { NodePoolConfig } from "../nodePool/plan";
import type { ClassKind } from "../karpenter/nodePools";
import type { KnownSource } from "../karpenter/settings";

/** Three parts that are enabled together, or the request is refused. Pools of AWS' own are not used: the config has them all. */
export const AUTO_MODE = {
  computeConfig: { enabled: true },
  storageConfig: { blockStorage: { enabled: true } },
  elasticLoadBalancing: { enabled: true },
} as const;

/** Managed policies of the cluster's role, besides that of every cluster. */
export const AUTO_CLUSTER_POLICIES = [
  "AmazonEKSComputePolicy",
  "AmazonEKSBlockStoragePolicy",
  "AmazonEKSLoadBalancingPolicy",
  "AmazonEKSNetworkingPolicy",
];

export const AUTO_NODE_POLICIES = ["AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2ContainerRegistryPullOnly"];

/** Add-ons that are part of Auto Mode, and so are not installed. */
export const IN_AUTO_MODE = [
  "vpc-cni",
  "kube-proxy",
  "eks-pod-identity-agent",
  "coredns",
  "aws-ebs-csi-driver",
  "eks-node-monitoring-agent",
];

/** EKS replaces such nodes after 21 days at the latest; a week before, it can still wait for pods. */
export const AUTO_CLASS: ClassKind = {
  apiVersion: "eks.amazonaws.com/v1",
  kind: "NodeClass",
  expireAfter: "336h",
  // Auto Mode supports the labels of its documentation, and all its nodes run Linux.
  takesOs: false,
};

/** Name of the class that EKS creates for its own pools. */
export const OWN_CLASS = "default";

export function autoClassManifest(
  name: string,
  { diskGb, diskKey, securityGroupIds }: NodePoolConfig,
  { roleName, subnetIds, securityGroupId }: KnownSource,
): Record<string, unknown> {
  return {
    apiVersion: AUTO_CLASS.apiVersion,
    kind: AUTO_CLASS.kind,
    metadata: { name },
    spec: {
      role: roleName,
      subnetSelectorTerms: subnetIds.map((id) => ({ id })),
      securityGroupSelectorTerms: [securityGroupId, ...securityGroupIds].map((id) => ({ id })),
      ephemeralStorage: { size: `${diskGb}Gi`, ...(diskKey === undefined ? {} : { kmsKeyID: diskKey }) },
    },
  };
}

/** IngressClass of the load balancers that EKS Auto Mode creates. */
export const AUTO_INGRESS_CLASS = "alb";

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
