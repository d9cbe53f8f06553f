/** Plans the stack that takes an existing cluster over. Pure. */

import type * as ec2 from "@aws-sdk/client-ec2";
import { IMPORTED_ROLES, type ImportedResource } from "../../../components/cluster/onEks/eksImports";
import { NODE_POLICIES } from "../../../components/eks/nodePolicies";
import { planAccess } from "./access";
import { planAddons } from "./addons";
import { planControlPlane } from "./controlPlane";
import { roleNameOf } from "./names";
import { planPools } from "./nodeGroups";
import type { ImportNotes, SeenEks } from "./seen";

export interface ImportPlan extends ImportNotes {
  /** The key `cluster` of the stack file. */
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly imports: readonly ImportedResource[];
}

/** All that a role has. */
const ROLE_FIELDS = [
  ...["name", "namePrefix", "path", "description", "assumeRolePolicy", "maxSessionDuration"],
  ...["permissionsBoundary", "forceDetachPolicies", "inlinePolicies", "managedPolicyArns", "tags"],
];

/** Why a cluster can't be taken over at all. */
export function obstacles({ cluster, nodeGroups }: SeenEks): string[] {
  const { status, computeConfig, kubernetesNetworkConfig, outpostConfig } = cluster;
  return [
    ...(status === "ACTIVE" ? [] : [`its status is ${status}; expected ACTIVE`]),
    ...(computeConfig?.enabled === true
      ? ["it uses EKS Auto Mode, whose pools only Kubernetes knows; use it with type: existing"]
      : []),
    ...(kubernetesNetworkConfig?.ipFamily === "ipv6" ? ["its pods have IPv6; use it with type: existing"] : []),
    ...(outpostConfig ? ["it runs on an Outpost; use it with type: existing"] : []),
    ...(nodeGroups.length === 0 ? ["it has no managed node group; expected one, where add-ons run"] : []),
  ];
}

export function planImport(seen: SeenEks, importFile: string): ImportPlan {
  const { cluster, region } = seen;
  const [pools, addons, access] = [planPools(seen), planAddons(seen), planAccess(seen)];
  const [network, control] = [planNetwork(seen), planControlPlane(seen)];
  const roles = planRoles(seen, pools.role);
  const parts = [control, roles, network, access, addons, pools];
  const all = (key: keyof ImportNotes): string[] => parts.flatMap((part) => part[key]);
  return {
    cluster: {
      ...{ type: "eks", name: cluster.name, region, version: cluster.version },
      ...(cluster.upgradePolicy?.supportType === "EXTENDED" && { supportType: "extended" }),
      network: network.network,
      ...control.settings,
      access: access.access,
      ...(Object.keys(addons.addonVersions).length > 0 && { addonVersions: addons.addonVersions }),
      ...(Object.keys(addons.addons).length > 0 && { addons: addons.addons }),
      importFile,
      nodePools: pools.nodePools,
    },
    imports: [...control.imports, ...roles.imports, ...access.imports, ...addons.imports, ...pools.imports],
    ...{ kept: all("kept"), changed: all("changed"), outside: [...all("outside"), ...othersOf(seen)] },
  };
}

/** The roles of the control plane and the nodes, with the policies that they have of those that they need. */
function planRoles({ cluster, attached }: SeenEks, nodes: string | undefined) {
  const roles = [
    { arn: cluster.roleArn, name: IMPORTED_ROLES.controlPlane, policies: { cluster: "AmazonEKSClusterPolicy" } },
    { arn: nodes, name: IMPORTED_ROLES.nodes, policies: Object.fromEntries(NODE_POLICIES.map((each) => [each, each])) },
  ];
  const imports: ImportedResource[] = [];
  const changed: string[] = [];
  for (const { arn, name, policies } of roles) {
    if (arn === undefined) continue;
    const own = roleNameOf(arn);
    imports.push({ type: "aws:iam/role:Role", name, id: own, keep: ROLE_FIELDS, retain: true });
    const missing: string[] = [];
    for (const [key, policy] of Object.entries(policies)) {
      const found = attached[own]?.find((each) => each.endsWith(`:policy/${policy}`));
      if (found === undefined) missing.push(policy);
      else
        imports.push({
          ...{
            type: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
            id: `${own}/${found}`,
            keep: [],
            retain: true,
          },
          name: name.replace(/role$/, key),
        });
    }
    if (missing.length > 0) changed.push(`role ${own} gets ${missing.join(", ")}, until the stack is destroyed`);
  }
  changed.push(`role ${roleNameOf(cluster.roleArn)} gets a policy for the key of secrets`);
  return { imports, changed, kept: [], outside: [] };
}

/** Subnets with a route to an internet gateway are public. */
function planNetwork({ cluster, subnets, routeTables }: SeenEks) {
  const ids = cluster.resourcesVpcConfig?.subnetIds ?? [];
  const open = ids.filter((id) => isPublic(id, routeTables));
  const inside = ids.filter((id) => !open.includes(id));
  const zonesOf = (some: readonly string[]): Set<unknown> =>
    new Set(
      subnets.flatMap(({ SubnetId = "", AvailabilityZone }) => (some.includes(SubnetId) ? [AvailabilityZone] : [])),
    );
  const isPrivate = zonesOf(inside).size > 1;
  const publicly = isPrivate ? open : [];
  return {
    network: {
      serviceCidr: cluster.kubernetesNetworkConfig?.serviceIpv4Cidr,
      existing: {
        privateSubnetIds: isPrivate ? inside : ids,
        ...(publicly.length > 0 && { publicSubnetIds: publicly }),
      },
    },
    imports: [],
    kept: [
      "network.existing: the control plane keeps its subnets; new pools get the private ones",
      ...(isPrivate
        ? []
        : ["network.existing.privateSubnetIds: nodes run in public subnets; set private ones for new pools"]),
    ],
    changed: publicly.length > 0 ? ["public subnets get the tags that load balancers require"] : [],
    outside: [`VPC ${cluster.resourcesVpcConfig?.vpcId} with its subnets, gateways and routes stays with its owner`],
  };
}

function isPublic(subnet: string, tables: readonly ec2.RouteTable[]): boolean {
  const uses = (fits: (association: ec2.RouteTableAssociation) => boolean): ec2.RouteTable | undefined =>
    tables.find(({ Associations = [] }) => Associations.some(fits));
  const table = uses(({ SubnetId }) => SubnetId === subnet) ?? uses(({ Main }) => Main === true);
  return table?.Routes?.some(({ GatewayId }) => GatewayId?.startsWith("igw-") === true) === true;
}

const listed = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what}: ${names.join(", ")}`];

const othersOf = ({ fargateProfiles, podIdentities, identityProviders }: SeenEks): string[] => [
  ...listed("Fargate profiles", fargateProfiles),
  ...listed("Pod Identity associations", podIdentities),
  ...listed("OIDC identity providers of the API server", identityProviders),
  "nodes that are in no managed node group, and what runs in the cluster",
];
