/** Checks a cluster that is made by `eks.Cluster` of @pulumi/eks 4.3. Pure. */

import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { didYouMean } from "../../../foundation/text/nearest";
import type { EksInput } from "./schema";

/** Arguments of its nodes: with one of them, it makes its self-managed group. */
const OF_NODES = [
  ...["instanceType", "desiredCapacity", "minSize", "maxSize", "gpu", "nodeGroupOptions", "nodeAmiId", "nodePublicKey"],
  ...["nodeAssociatePublicIpAddress", "nodeRootVolumeEncrypted", "nodeRootVolumeSize", "nodeSubnetIds", "nodeUserData"],
];

/** Arguments that no key of the cluster sets. */
const FREE = [
  ...OF_NODES,
  ...["accessEntries", "clusterSecurityGroupTags", "clusterTags", "fargate", "instanceProfileName", "ipFamily"],
  ...["nodeSecurityGroupTags", "providerCredentialOpts", "proxy", "skipDefaultNodeGroup", "skipDefaultSecurityGroups"],
];

/** The key that sets an argument instead. */
const SET_BY: Readonly<Record<string, string>> = {
  ...{ name: "name", version: "version", tags: "tags", deletionProtection: "deletionProtection" },
  ...{ vpcId: "network", subnetIds: "network", privateSubnetIds: "network", publicSubnetIds: "network" },
  ...{ endpointPrivateAccess: "endpoint", endpointPublicAccess: "endpoint", publicAccessCidrs: "endpoint" },
  ...{ kubernetesServiceIpAddressRange: "network", enabledClusterLogTypes: "logs", encryptionConfigKeyArn: "kmsKey" },
  ...{ authenticationMode: "access", roleMappings: "access", userMappings: "access", enableConfigMapMutable: "access" },
  ...{ upgradePolicy: "supportType", autoMode: "nodes", createOidcProvider: "identity", serviceRole: "roles" },
  ...{ instanceRole: "roles", instanceRoles: "roles", createInstanceRole: "roles", creationRoleProvider: "access" },
  ...{ corednsAddonOptions: "addonValues", kubeProxyAddonOptions: "addonValues", vpcCniOptions: "addonValues" },
  ...{ useDefaultVpcCni: "addonValues", bootstrapSelfManagedAddons: "addonValues", storageClasses: "addonValues" },
  ...{ clusterSecurityGroup: "endpoint" },
};

export const ownsNodes = (given: Readonly<Record<string, unknown>>): boolean => OF_NODES.some((key) => key in given);

export const isIpv6 = (given: Readonly<Record<string, unknown>> = {}): boolean => given["ipFamily"] === "ipv6";

export function pulumiEksFaults(cluster: EksInput, base: Path): Fault[] {
  const { type, arguments: given } = cluster;
  const path = [...base, "arguments"];
  if (type === "eks")
    return given === undefined ? [] : [mismatch(path, "arguments", "nothing, because type is eks; pulumiEks has them")];
  const ofArguments = Object.keys(given ?? {}).flatMap((key) => {
    const instead = SET_BY[key];
    if (FREE.includes(key)) return [];
    const hint = didYouMean(key, FREE) ?? `there are ${FREE.toSorted().join(", ")}`;
    const expected =
      instead === undefined ? `an argument of eks.Cluster; ${hint}` : `nothing, because cluster.${instead} sets it`;
    return [mismatch([...path, key], instead === undefined ? "an unknown argument" : "an argument", expected)];
  });
  return [...ofArguments, ...lackFaults(cluster, base), ...ipv6Faults(cluster, base)];
}

/** What `eks.Cluster` does not do. */
function lackFaults(
  { access, endpoint, zonalShift, controlPlaneTier, forceUpdate, importFile }: EksInput,
  base: Path,
): Fault[] {
  const lacking: [Path, unknown][] = [
    [["zonalShift"], zonalShift],
    [["controlPlaneTier"], controlPlaneTier],
    [["forceUpdate"], forceUpdate || undefined],
    [["importFile"], importFile],
    [["endpoint", "securityGroupIds"], endpoint.securityGroupIds.length === 0 ? undefined : endpoint.securityGroupIds],
  ];
  const expected = "nothing, because eks.Cluster has no such argument; type: eks has it";
  const admin = "true, because eks.Cluster makes its creator an administrator; type: eks does not";
  return [
    ...lacking.flatMap(([at, found]) =>
      found === undefined ? [] : [mismatch([...base, ...at], JSON.stringify(found), expected)],
    ),
    ...(access.creatorIsAdmin ? [] : [mismatch([...base, "access", "creatorIsAdmin"], "false", admin)]),
  ];
}

function ipv6Faults({ arguments: given, network, cniRights, nodes }: EksInput, base: Path): Fault[] {
  if (!isIpv6(given)) return [];
  const faults: Fault[] = [];
  if (network.existing === undefined)
    faults.push(
      mismatch([...base, "network", "existing"], "nothing", "subnets with IPv6 ranges; the platform's VPC has none"),
    );
  if (cniRights === "podIdentity" && nodes !== "auto")
    faults.push(
      mismatch([...base, "cniRights"], '"podIdentity"', "nodes, because the rights over IPv6 are those of the nodes"),
    );
  return faults;
}
