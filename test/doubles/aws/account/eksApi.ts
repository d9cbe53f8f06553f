import type { Properties } from "../../../../foundation/pulumi/resource";
import { dependants, drop, find, keep, things, type Thing } from "../world";
import { Refusal } from "./refusal";

/** The REST API of EKS over the account of the double, by the service model of AWS' SDKs (2017-11-01). */

const CLUSTER = "aws:eks/cluster:Cluster";

const of = (type: string, cluster: string): Thing[] =>
  things().filter(({ token, inputs }) => token.endsWith(`:${type}`) && inputs["clusterName"] === cluster);

const missing = (message: string): Refusal => new Refusal("ResourceNotFoundException", message, 404);

function clusterOf({ inputs, outputs }: Thing): Properties {
  const { accessConfig, deletionProtection = false, encryptionConfig, enabledClusterLogTypes: types, ...rest } = inputs;
  const [{ oidcs = [] } = {}] = (outputs["identities"] ?? []) as { oidcs?: unknown[] }[];
  return {
    ...{
      name: rest["name"],
      arn: outputs["arn"],
      version: rest["version"],
      status: "ACTIVE",
      roleArn: rest["roleArn"],
    },
    ...{ endpoint: outputs["endpoint"], certificateAuthority: outputs["certificateAuthority"] },
    resourcesVpcConfig: outputs["vpcConfig"],
    kubernetesNetworkConfig: {
      ...{ ipFamily: "ipv4", serviceIpv4Cidr: "10.100.0.0/16" },
      ...(rest["kubernetesNetworkConfig"] as object | undefined),
    },
    identity: { oidc: oidcs[0] },
    logging: { clusterLogging: types === undefined ? [] : [{ types, enabled: true }] },
    encryptionConfig: encryptionConfig === undefined ? [] : [encryptionConfig],
    upgradePolicy: rest["upgradePolicy"] ?? { supportType: "EXTENDED" },
    ...{ accessConfig, deletionProtection, tags: rest["tags"] ?? {} },
  };
}

function groupOf({ inputs, outputs }: Thing): Properties {
  const { nodeRoleArn: nodeRole, subnetIds: subnets, taints = [], labels = {}, tags = {}, ...rest } = inputs;
  const { autoscalingGroups = [] } = ((outputs["resources"] ?? []) as { autoscalingGroups?: unknown[] }[])[0] ?? {};
  const resources = { autoScalingGroups: autoscalingGroups };
  return {
    ...rest,
    nodegroupName: outputs["nodeGroupName"],
    nodeRole,
    subnets,
    taints,
    labels,
    tags,
    resources,
    status: "ACTIVE",
  };
}

/** Changes inputs of a thing, as a request of somebody does. */
function change(thing: Thing, inputs: Properties): Properties {
  keep({ ...thing, inputs: { ...thing.inputs, ...inputs }, outputs: { ...thing.outputs, ...inputs } });
  return { update: { id: "update", status: "Successful", type: "ConfigUpdate" } };
}

function remove({ token, id }: Thing): void {
  const [user] = dependants(token, id);
  if (user !== undefined) throw new Refusal("ResourceInUseException", `${id} is in use by ${user}`, 409);
  drop(token, id);
}

function nodeGroups(cluster: string, [name, more]: readonly string[], method: string, body: Properties): unknown {
  const groups = of("NodeGroup", cluster);
  if (name === undefined) return { nodegroups: groups.map(({ outputs }) => outputs["nodeGroupName"]) };
  const found = groups.find(({ outputs }) => outputs["nodeGroupName"] === name);
  if (found === undefined) throw missing(`No node group found for name: ${name}.`);
  if (method === "DELETE") remove(found);
  if (more !== "update-config") return { nodegroup: groupOf(found) };
  const scalingConfig = { ...(found.inputs["scalingConfig"] as object), ...(body["scalingConfig"] as object) };
  const { minSize = 0, maxSize = 0 } = scalingConfig as Record<string, number>;
  if (minSize > maxSize)
    throw new Refusal(
      "InvalidParameterException",
      `Minimum capacity ${minSize} can't be greater than max size ${maxSize}`,
    );
  return change(found, { scalingConfig });
}

function entries(cluster: string, [principal, more]: readonly string[]): unknown {
  const all = of("AccessEntry", cluster);
  if (principal === undefined) return { accessEntries: all.map(({ inputs }) => inputs["principalArn"]) };
  const found = all.find(({ inputs }) => inputs["principalArn"] === principal);
  if (found === undefined) throw missing(`The specified principalArn could not be found: ${principal}`);
  const policies = of("AccessPolicyAssociation", cluster).filter(({ inputs }) => inputs["principalArn"] === principal);
  return more === undefined
    ? { accessEntry: { type: "STANDARD", kubernetesGroups: [], ...found.inputs } }
    : { associatedAccessPolicies: policies.map(({ inputs }) => inputs) };
}

function addons(cluster: string, [name]: readonly string[]): unknown {
  const all = of("Addon", cluster);
  if (name === undefined) return { addons: all.map(({ inputs }) => inputs["addonName"]) };
  const found = all.find(({ inputs }) => inputs["addonName"] === name);
  if (found === undefined) throw missing(`No addon: ${name} found in cluster: ${cluster}`);
  return { addon: { ...found.inputs, status: "ACTIVE" } };
}

function updates({ updates: all = [] }: Thing, [id]: readonly string[]): unknown {
  if (id === undefined) return { updateIds: all.map((_, index) => String(index)) };
  const { type, version, at } = all[Number(id)] ?? {};
  const params = [{ type: "Version", value: version }];
  return { update: { id, type, status: "Successful", params, createdAt: Date.parse(at ?? "") / 1000 } };
}

/** The answer to a request; undefined for what is not of a cluster. */
export function eksAnswer(method: string, { pathname, searchParams }: URL, body: Properties): unknown {
  const [, place, name = "", kind, ...parts] = pathname.split("/").map(decodeURIComponent);
  if (place === "cluster-versions") {
    const asked = searchParams.getAll("clusterVersions");
    return { clusterVersions: asked.map((clusterVersion) => ({ clusterVersion, versionStatus: "STANDARD_SUPPORT" })) };
  }
  if (place !== "clusters") return undefined;
  const cluster = find(CLUSTER, name);
  if (cluster === undefined) throw missing(`No cluster found for name: ${name}.`);
  switch (kind) {
    case undefined:
      if (method === "DELETE" && cluster.inputs["deletionProtection"] === true)
        throw new Refusal("InvalidRequestException", `Cluster ${name} has deletion protection enabled`);
      if (method === "DELETE") remove(cluster);
      return { cluster: clusterOf(cluster) };
    case "update-config":
      return change(cluster, { deletionProtection: body["deletionProtection"] });
    case "insights":
      return { insights: [] };
    case "updates":
      return updates(cluster, parts);
    case "node-groups":
      return nodeGroups(name, parts, method, body);
    case "access-entries":
      return entries(name, parts);
    case "addons":
      return addons(name, parts);
    case "fargate-profiles":
      return { fargateProfileNames: [] };
    case "pod-identity-associations":
      return { associations: [] };
    case "identity-provider-configs":
      return { identityProviderConfigs: [] };
    default:
      throw new Refusal("UnknownOperationException", `${method} ${pathname}`, 404);
  }
}
