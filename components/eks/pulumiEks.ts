import type { Cluster as PulumiEksCluster } from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { Cluster } from "../cluster/cluster";

interface PulumiEksArgs {
  /** The cluster that the program created with `@pulumi/eks`. */
  readonly cluster: PulumiEksCluster;
  /** AWS provider of its region and account. Default: the program's default provider. */
  readonly aws?: pulumi.ProviderResource;
  /** ARN of the permissions boundary of its roles. */
  readonly permissionsBoundary?: pulumi.Input<string>;
}

/** A cluster of `@pulumi/eks`, as the components accept it. */
interface OfPulumiEks {
  readonly cluster: Cluster;
  /**
   * Ids of the security groups of the control plane and of the nodes that `@pulumi/eks` creates; empty if it creates
   * none.
   */
  readonly securityGroupIds: { readonly cluster: pulumi.Output<string>; readonly nodes: pulumi.Output<string> };
  /** ARNs of the roles of its nodes. */
  readonly nodeRoleArns: pulumi.Output<string[]>;
}

/**
 * Adapts a cluster that a program created with `@pulumi/eks`, so that all components can run on it. Uses its
 * kubeconfig. Roles for service accounts use its OIDC provider, which requires `createOidcProvider: true`.
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
