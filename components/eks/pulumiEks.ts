import { Cluster, type ClusterArgs } from "@pulumi/eks/cluster";
import { isIpv6, ownsNodes } from "./config/pulumiEks";
import type { MadeCluster, MakeCluster } from "./controlPlane";

/**
 * Makes the cluster by `eks.Cluster` of @pulumi/eks, without what the platform has on top of each cluster: its OIDC provider,
 * add-ons and nodes.
 */
export const makeByPulumiEks: MakeCluster = (name, { config, subnetIds, vpcId, role, keyArn }, opts): MadeCluster => {
  const { endpoint, network, supportType, access, logs, tags, arguments: given = {} } = config;
  const isPublic = endpoint.publicCidrs.length > 0;
  const none = { enabled: false };
  const args: ClusterArgs = {
    name: config.name,
    version: config.version,
    vpcId: vpcId(),
    subnetIds: [...subnetIds],
    endpointPrivateAccess: endpoint.private,
    endpointPublicAccess: isPublic,
    ...(isPublic && { publicAccessCidrs: [...endpoint.publicCidrs] }),
    ...(isIpv6(given) ? {} : { kubernetesServiceIpAddressRange: network.serviceCidr }),
    encryptionConfigKeyArn: keyArn,
    enabledClusterLogTypes: [...logs],
    authenticationMode: access.authenticationMode,
    upgradePolicy: { supportType: supportType === "extended" ? "EXTENDED" : "STANDARD" },
    deletionProtection: config.deletionProtection,
    serviceRole: role,
    createOidcProvider: false,
    ...{ useDefaultVpcCni: true, corednsAddonOptions: none, kubeProxyAddonOptions: none },
    ...(config.nodes === "auto" && {
      autoMode: { enabled: true, createNodeRole: false, computeConfig: { nodePools: [] } },
    }),
    ...(ownsNodes(given) ? {} : { skipDefaultNodeGroup: true, createInstanceRole: false }),
    skipDefaultSecurityGroups: true,
    tags: { ...tags },
    ...given,
  };
  // Its outputs are those of the resource, each as an output.
  return new Cluster(name, args, opts).eksCluster;
};
