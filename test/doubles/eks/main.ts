import { Cluster, FargateProfile, type ClusterArgs } from "@pulumi/aws/eks";
import { OpenIdConnectProvider, Role } from "@pulumi/aws/iam";
import type { ClusterArgs as ClusterArgsOf43 } from "@pulumi/eks/cluster";
import * as pulumi from "@pulumi/pulumi";

/**
 * A double of the provider `eks`, of which a program gets `eks.Cluster` of `@pulumi/eks`: a component that the
 * provider's process creates from AWS resources. It has the cluster, its role and OIDC provider. The outputs have the
 * names, types and form of 4.3, so the cluster is a resource and the kubeconfig needs the aws CLI.
 */

interface Inputs extends Omit<ClusterArgsOf43, "subnetIds"> {
  readonly subnetIds?: readonly string[];
}

/** Its arguments are those of the installed package; it creates what they say of these. */
const CREATED = [
  ...["name", "version", "vpcId", "subnetIds", "endpointPrivateAccess", "endpointPublicAccess", "publicAccessCidrs"],
  ...["kubernetesServiceIpAddressRange", "encryptionConfigKeyArn", "enabledClusterLogTypes", "authenticationMode"],
  ...[
    "upgradePolicy",
    "deletionProtection",
    "serviceRole",
    "createOidcProvider",
    "useDefaultVpcCni",
    "tags",
    "ipFamily",
  ],
  ...["corednsAddonOptions", "kubeProxyAddonOptions", "skipDefaultNodeGroup", "createInstanceRole", "fargate"],
  ...["skipDefaultSecurityGroups"],
];

const trust = (service: string): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }],
  });

class ClusterComponent extends pulumi.ComponentResource {
  readonly state: pulumi.Inputs;

  constructor(name: string, inputs: Inputs, opts: pulumi.ComponentResourceOptions) {
    super("eks:index:Cluster", name, {}, opts);
    const parent = { parent: this };
    const roleOf = (role: string, service: string): Role =>
      new Role(`${name}-${role}`, { name: `${name}-${role}`, assumeRolePolicy: trust(service) }, parent);
    const unknown = Object.keys(inputs).filter((key) => !CREATED.includes(key));
    if (unknown.length > 0) throw new Error(`the double of eks does not create ${unknown.join(", ")} of eks.Cluster`);
    const nodes = inputs.createInstanceRole === false ? [] : [roleOf("instanceRole", "ec2.amazonaws.com")];
    const role = inputs.serviceRole
      ? pulumi.output(inputs.serviceRole).arn
      : roleOf("eksRole", "eks.amazonaws.com").arn;
    const { endpointPrivateAccess = false, endpointPublicAccess = true, publicAccessCidrs } = inputs;
    const { kubernetesServiceIpAddressRange: serviceIpv4Cidr, encryptionConfigKeyArn: keyArn, ipFamily } = inputs;
    const args: ClusterArgs = {
      name: inputs.name ?? `${name}-eksCluster`,
      roleArn: role,
      version: inputs.version,
      vpcConfig: {
        subnetIds: [...(inputs.subnetIds ?? [])],
        ...{ endpointPrivateAccess, endpointPublicAccess },
        ...(publicAccessCidrs && { publicAccessCidrs }),
      },
      ...((serviceIpv4Cidr ?? ipFamily) && { kubernetesNetworkConfig: { serviceIpv4Cidr, ipFamily } }),
      ...(keyArn && { encryptionConfig: { provider: { keyArn }, resources: ["secrets"] } }),
      enabledClusterLogTypes: inputs.enabledClusterLogTypes,
      upgradePolicy: inputs.upgradePolicy,
      deletionProtection: inputs.deletionProtection,
      tags: inputs.tags,
      accessConfig: {
        authenticationMode: inputs.authenticationMode ?? "CONFIG_MAP",
        bootstrapClusterCreatorAdminPermissions: true,
      },
    };
    const cluster = new Cluster(`${name}-eksCluster`, args, parent);
    if (inputs.fargate === true) {
      const podExecutionRoleArn = roleOf("podExecutionRole", "eks-fargate-pods.amazonaws.com").arn;
      const selectors = ["default", "kube-system"].map((namespace) => ({ namespace }));
      const profile = {
        clusterName: cluster.name,
        podExecutionRoleArn,
        selectors,
        subnetIds: inputs.subnetIds?.slice(),
      };
      new FargateProfile(`${name}-fargateProfile`, profile, parent);
    }
    const url = cluster.identities.apply((all) => all[0]?.oidcs?.[0]?.issuer ?? "");
    const oidc = inputs.createOidcProvider
      ? new OpenIdConnectProvider(`${name}-oidcProvider`, { url, clientIdLists: ["sts.amazonaws.com"] }, parent)
      : undefined;
    const kubeconfig = pulumi.all([cluster.name, cluster.endpoint, cluster.certificateAuthority]).apply(kubeconfigOf);
    this.state = {
      kubeconfig,
      kubeconfigJson: kubeconfig.apply((config) => JSON.stringify(config)),
      eksCluster: cluster,
      instanceRoles: nodes,
      clusterSecurityGroupId: "sg-0123456789abcdef0",
      nodeSecurityGroupId: "",
      oidcProviderArn: oidc?.arn ?? "",
      oidcProviderUrl: oidc?.url ?? "",
    };
    this.registerOutputs(this.state);
  }
}

function kubeconfigOf([name, server, authority]: [string, string, { data: string }]): object {
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1beta1",
    command: "aws",
    args: ["eks", "get-token", "--cluster-name", name, "--output", "json"],
    env: [{ name: "KUBERNETES_EXEC_INFO", value: '{"apiVersion": "client.authentication.k8s.io/v1beta1"}' }],
  };
  return {
    apiVersion: "v1",
    clusters: [{ name: "kubernetes", cluster: { server, "certificate-authority-data": authority.data } }],
    contexts: [{ name: "aws", context: { cluster: "kubernetes", user: "aws" } }],
    "current-context": "aws",
    kind: "Config",
    users: [{ name: "aws", user: { exec } }],
  };
}

const provider: pulumi.provider.Provider = {
  version: "4.3.0",
  construct: (name, type, inputs, options) => {
    if (type !== "eks:index:Cluster") return Promise.reject(new Error(`the double of eks has no ${type}`));
    const { urn, state } = new ClusterComponent(name, inputs, options);
    return Promise.resolve({ urn, state });
  },
};

void pulumi.provider.main(provider, process.argv.slice(2));
