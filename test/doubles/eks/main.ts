import { Cluster, type ClusterArgs } from "@pulumi/aws/eks";
import { OpenIdConnectProvider, Role } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";

/**
 * A double of the provider `eks`, of which a program gets `eks.Cluster` of `@pulumi/eks`: a component that the
 * provider's process creates from AWS resources. It has the cluster, its role and OIDC provider. The outputs have the
 * names, types and form of 4.3, so the cluster is a resource and the kubeconfig needs the aws CLI.
 */

interface Inputs {
  readonly createOidcProvider?: boolean;
  readonly subnetIds?: readonly string[];
  readonly authenticationMode?: string;
}

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
    const nodes = roleOf("instanceRole", "ec2.amazonaws.com");
    const args: ClusterArgs = {
      name: `${name}-eksCluster`,
      roleArn: roleOf("eksRole", "eks.amazonaws.com").arn,
      vpcConfig: { subnetIds: [...(inputs.subnetIds ?? [])] },
      accessConfig: {
        authenticationMode: inputs.authenticationMode ?? "CONFIG_MAP",
        bootstrapClusterCreatorAdminPermissions: true,
      },
    };
    const cluster = new Cluster(`${name}-eksCluster`, args, parent);
    const url = cluster.identities.apply((all) => all[0]?.oidcs?.[0]?.issuer ?? "");
    const oidc = inputs.createOidcProvider
      ? new OpenIdConnectProvider(`${name}-oidcProvider`, { url, clientIdLists: ["sts.amazonaws.com"] }, parent)
      : undefined;
    const kubeconfig = pulumi.all([cluster.name, cluster.endpoint, cluster.certificateAuthority]).apply(kubeconfigOf);
    this.state = {
      kubeconfig,
      kubeconfigJson: kubeconfig.apply((config) => JSON.stringify(config)),
      eksCluster: cluster,
      instanceRoles: [nodes],
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
