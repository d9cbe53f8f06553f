import type { Cluster as PulumiEksCluster } from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster";

export interface PulumiEksArgs {
  /** The cluster, as the program created it with `@pulumi/eks`. */
  readonly cluster: PulumiEksCluster;
  /** AWS provider of its region and account. Default: the one of the program. */
  readonly aws?: pulumi.ProviderResource;
  /** ARN of the policy that bounds what roles for it may do. */
  readonly permissionsBoundary?: pulumi.Input<string>;
}

/** A cluster of `@pulumi/eks` as the components take it. */
export interface OfPulumiEks {
  readonly cluster: Cluster;
  /** Of the control plane, and of nodes that `@pulumi/eks` creates; empty texts where it creates none. */
  readonly securityGroupIds: { readonly cluster: pulumi.Output<string>; readonly nodes: pulumi.Output<string> };
  /** ARNs of the roles of its nodes. */
  readonly nodeRoleArns: pulumi.Output<string[]>;
}

/**
 * Lets everything that the platform offers stand on a cluster that a program created with `@pulumi/eks`. The kubeconfig is its own, and
 * roles for service accounts use its OIDC provider, which `createOidcProvider: true` creates.
 */
export function fromPulumiEks(
  name: string,
  { cluster: made, aws, permissionsBoundary }: PulumiEksArgs,
  opts?: pulumi.ComponentResourceOptions,
): OfPulumiEks {
  const { eksCluster, kubeconfigJson, oidcProviderArn, oidcProviderUrl } = made;
  const identity = {
    name: eksCluster.name,
    arn: eksCluster.arn,
    oidcProviderArn,
    oidcProviderUrl,
    vpcId: eksCluster.vpcConfig.vpcId,
    ...(permissionsBoundary === undefined ? {} : { permissionsBoundary }),
    ...(aws === undefined ? {} : { aws }),
  };
  const existing = { kubeconfig: kubeconfigJson, server: eksCluster.endpoint };
  return {
    cluster: new Cluster(name, { existing, identity }, opts),
    securityGroupIds: { cluster: made.clusterSecurityGroupId, nodes: made.nodeSecurityGroupId },
    nodeRoleArns: made.instanceRoles.apply((roles) => pulumi.all(roles.map(({ arn }) => arn))),
  };
}
