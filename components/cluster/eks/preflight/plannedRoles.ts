/** The names of the IAM roles that a platform creates. Pure. */

import { CERTIFICATES, DNS, LOAD_BALANCER } from "../../../ingress/accounts";
import type { PlatformConfig } from "../../../platform/config/platformConfig";
import { RELEASE as AUTOSCALER } from "../../autoscaler/plan";
import { KARPENTER } from "../../karpenter/values";
import { roleName } from "../../serviceAccountRole/plan";
import { controlPlaneRole, nodeRole, rolePrefix, type OnEks } from "../onEks";

export interface PlannedRole {
  readonly name: string;
  /** Whether its name starts with the prefix for the cluster's roles. */
  readonly isPrefixed: boolean;
  /** Config key that changes the name of this role alone, or selects an existing one; undefined if there is none. */
  readonly key?: string;
}

type Parts = Pick<PlatformConfig, "cluster" | "dataAccess" | "clusterAutoscaler" | "karpenter" | "ingress">;

export function plannedRoles({ cluster, dataAccess, clusterAutoscaler, karpenter, ingress }: Parts): PlannedRole[] {
  const onEks: OnEks | undefined = cluster?.eks;
  if (onEks === undefined) return [];
  const prefixed = (entry: string, key?: string): PlannedRole => ({
    name: roleName(rolePrefix(onEks), entry),
    isPrefixed: true,
    ...(key === undefined ? {} : { key }),
  });
  const part = (key: "awsLoadBalancerController" | "externalDns" | "certManager", release: string): PlannedRole[] => {
    const settings = ingress?.[key];
    return settings === undefined || settings.roleArn !== undefined
      ? []
      : [prefixed(release, `ingress.${key}.roleArn`)];
  };
  const hasAutoscaler = clusterAutoscaler !== undefined && clusterAutoscaler.cluster.roleArn === undefined;
  return [
    ...(cluster?.type === "eks" ? rolesOfCluster(cluster.eks, prefixed) : []),
    ...(hasAutoscaler ? [prefixed(AUTOSCALER, "clusterAutoscaler.roleArn")] : []),
    ...(karpenter === undefined ? [] : [prefixed(KARPENTER.release)]),
    ...part("awsLoadBalancerController", LOAD_BALANCER.release),
    ...part("externalDns", DNS.release),
    ...((ingress?.certManager?.zones.length ?? 0) > 0 ? part("certManager", CERTIFICATES.release) : []),
    ...Object.entries(dataAccess).map(([entry, { roleName: own }]): PlannedRole => {
      const key = `dataAccess.${entry}.roleName`;
      return own === undefined ? prefixed(entry, key) : { name: own, isPrefixed: false, key };
    }),
  ];
}

function rolesOfCluster(
  eks: OnEks & { readonly nodes: string },
  prefixed: (entry: string) => PlannedRole,
): PlannedRole[] {
  const own = [controlPlaneRole(eks), nodeRole(eks)].map((name) => ({ name, isPrefixed: true }));
  if (eks.nodes === "auto") return own;
  return [...own, prefixed("ebs-csi"), ...(eks.cniRights === "podIdentity" ? [prefixed("vpc-cni")] : [])];
}
