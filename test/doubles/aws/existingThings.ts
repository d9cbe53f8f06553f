import type { ExistingAccount } from "./existingAccount";
import { outputsOf } from "./outputs";
import type { Thing } from "./world";

/**
 * What the provider `aws` reads of an existing cluster, as things of the double's account. The inputs are those that its
 * resources read from EKS' answers (`internal/service/eks` of terraform-provider-aws), without those that AWS chooses.
 */

type Values = Record<string, unknown>;

const defined = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function thing(token: string, id: string, given: Values, more: Values = {}, kubeconfig = ""): Thing {
  const inputs = defined(given);
  return { token, id, inputs, outputs: { ...outputsOf(token, id, inputs, kubeconfig), ...more } };
}

const roleOf = (arn: unknown): Thing => {
  const name = String(arn).split("/").at(-1) ?? "";
  const trust =
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"eks.amazonaws.com"},"Action":"sts:AssumeRole"}]}';
  const inputs = { name, path: "/", description: "Made before", assumeRolePolicy: trust, maxSessionDuration: 3600 };
  return thing("aws:iam/role:Role", name, { ...inputs, tags: { made: "before" } });
};

/** `kubeconfig`: of the API server that stands for the cluster's. */
export function thingsOf(account: ExistingAccount, kubeconfig: string): Thing[] {
  const { cluster, nodegroups, addons, entries, templates, logGroups, oidcProviders } = account;
  const roles = new Set([cluster["roleArn"], ...nodegroups.map((group) => group["nodeRole"])]);
  const { name: clusterName } = cluster;
  const latest = new Map(templates.map((one) => [one.launchTemplateId, one]));
  return [
    clusterThing(cluster, kubeconfig),
    ...[...roles].map(roleOf),
    ...Object.entries(account.attached).flatMap(([role, policies]) =>
      policies.map((name) => {
        const policyArn = `arn:aws:iam::aws:policy/${name}`;
        return thing("aws:iam/rolePolicyAttachment:RolePolicyAttachment", `${role}/${policyArn}`, { role, policyArn });
      }),
    ),
    ...[...latest].map(([id, { launchTemplateName: name, versionNumber: latestVersion }]) =>
      thing(
        "aws:ec2/launchTemplate:LaunchTemplate",
        id,
        { name, metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 2 }, tags: { made: "before" } },
        { latestVersion },
      ),
    ),
    ...nodegroups.map((group) => groupThing(clusterName, group)),
    ...addons.map(({ addonName, addonVersion, configurationValues, serviceAccountRoleArn }) =>
      thing("aws:eks/addon:Addon", `${clusterName}:${addonName}`, {
        ...{ clusterName, addonName, addonVersion, configurationValues, serviceAccountRoleArn },
        tags: { made: "before" },
      }),
    ),
    // EKS makes and deletes those of nodes itself.
    ...entries
      .filter(({ entry }) => entry["type"] === "STANDARD")
      .flatMap(({ entry: { principalArn, kubernetesGroups, type, username: userName }, policies }) => [
        thing("aws:eks/accessEntry:AccessEntry", `${clusterName}:${principalArn}`, {
          ...{ clusterName, principalArn, type, userName },
          ...((kubernetesGroups as unknown[] | undefined)?.length ? { kubernetesGroups } : {}),
        }),
        ...policies.map(({ policyArn, accessScope }) => {
          const { type: scope, namespaces = [] } = accessScope as { type: string; namespaces?: string[] };
          const id = `${clusterName}#${principalArn}#${String(policyArn)}`;
          return thing("aws:eks/accessPolicyAssociation:AccessPolicyAssociation", id, {
            ...{ clusterName, principalArn, policyArn },
            accessScope: { type: scope, ...(namespaces.length > 0 && { namespaces }) },
          });
        }),
      ]),
    ...logGroups.map(({ logGroupName: name, retentionInDays }) =>
      thing("aws:cloudwatch/logGroup:LogGroup", name, { name, retentionInDays, tags: { made: "before" } }),
    ),
    ...oidcProviders.map((arn) =>
      thing("aws:iam/openIdConnectProvider:OpenIdConnectProvider", arn, {
        url: `https://${arn.split("oidc-provider/")[1]}`,
        ...{ clientIdLists: ["sts.amazonaws.com"], thumbprintLists: ["9e99a48a9960b14926bb7f3b02e22da2b0ab7280"] },
      }),
    ),
  ];
}

function clusterThing({ name, ...of }: ExistingAccount["cluster"], kubeconfig: string): Thing {
  const { subnetIds, securityGroupIds, endpointPrivateAccess, endpointPublicAccess, publicAccessCidrs } = of[
    "resourcesVpcConfig"
  ] as Record<string, unknown>;
  const groups = (securityGroupIds ?? []) as string[];
  const vpc = { subnetIds, endpointPrivateAccess, endpointPublicAccess, publicAccessCidrs };
  const [key] = (of["encryptionConfig"] ?? []) as { provider: object; resources: string[] }[];
  const { clusterLogging = [] } = (of["logging"] ?? {}) as { clusterLogging?: { enabled: boolean; types: string[] }[] };
  const logs = clusterLogging.flatMap(({ enabled, types }) => (enabled ? types : []));
  const { serviceIpv4Cidr, ipFamily } = of["kubernetesNetworkConfig"] as Record<string, string>;
  const { authenticationMode } = of["accessConfig"] as Record<string, string>;
  const inputs = {
    name,
    roleArn: of["roleArn"],
    version: of["version"],
    vpcConfig: { ...vpc, ...(groups.length > 0 && { securityGroupIds: groups }) },
    kubernetesNetworkConfig: { serviceIpv4Cidr, ipFamily },
    accessConfig: { authenticationMode },
    encryptionConfig: key,
    enabledClusterLogTypes: logs,
    upgradePolicy: of["upgradePolicy"],
    deletionProtection: of["deletionProtection"],
    tags: of["tags"],
  };
  return thing("aws:eks/cluster:Cluster", name, inputs, {}, kubeconfig);
}

function groupThing(clusterName: string, { nodegroupName, ...of }: ExistingAccount["nodegroups"][number]): Thing {
  const { id, version } = (of["launchTemplate"] ?? {}) as { id?: string; version?: string };
  const { maxUnavailable, maxUnavailablePercentage } = (of["updateConfig"] ?? {}) as Record<string, number>;
  const group = `${clusterName}:${nodegroupName}`;
  const inputs = {
    ...{ clusterName, nodeGroupName: nodegroupName, nodeRoleArn: of["nodeRole"], subnetIds: of["subnets"] },
    ...{ instanceTypes: of["instanceTypes"], capacityType: of["capacityType"], amiType: of["amiType"] },
    ...{ diskSize: of["diskSize"], version: of["version"], scalingConfig: of["scalingConfig"], labels: of["labels"] },
    taints: of["taints"],
    launchTemplate: id === undefined ? undefined : { id, version },
    updateConfig: defined({ maxUnavailable, maxUnavailablePercentage }),
    tags: { made: "before" },
  };
  const resources = [{ autoscalingGroups: [{ name: `eks-${nodegroupName}-asg` }] }];
  return thing("aws:eks/nodeGroup:NodeGroup", group, inputs, { nodeGroupName: nodegroupName, resources });
}
