import { valueAt } from "../../foundation/schema/describe";
import { Cluster } from "../cluster/cluster";
import { resolveAccess } from "../cluster/access/resolveAccess";
import type { ClusterConfig } from "../cluster/clusterConfig";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { importsRole } from "../cluster/onEks/eksImports";
import { controlPlaneRole, isCreatedOnEks, nodeRole, rolePrefix } from "../cluster/onEks/onEks";
import { addonRoles } from "../cluster/serviceAccountRole/addonRoles";
import { roleName, type PlannedRole } from "../cluster/serviceAccountRole/plan";
import type { DecodeContext } from "../contract/decoding";
import { feature } from "../feature";
import { eksFaults } from "./config/checks";
import { clusterSchema, type ClusterInput } from "./config/clusterSchema";
import type { EksInput } from "./config/schema";
import { resolveEks } from "./config/resolve";
import { readEksImports, readEksLock, readUserData } from "./config/readFiles";

/** The names of the IAM roles of a cluster that the platform creates. Pure. */
function rolesOfCluster(eks: EksConfig): PlannedRole[] {
  const { imports } = eks;
  const names = [
    ...(importsRole(imports, "controlPlane") ? [] : [controlPlaneRole(eks)]),
    ...(importsRole(imports, "nodes") ? [] : [nodeRole(eks)]),
    ...addonRoles(eks).map(({ name }) => roleName(rolePrefix(eks), name)),
  ];
  return names.map((name) => ({ name, isPrefixed: true }));
}

export interface ClusterPart {
  readonly cluster?: ClusterConfig;
}

/** The platform's cluster: an existing one, or one that is created on EKS. */
export const eks = feature({
  name: "eks",
  keys: { cluster: clusterSchema.optional() },
  component: {
    name: "Cluster",
    description: "A cluster on EKS with its network, add-ons and nodes, or an existing cluster.",
    places: [{ at: ["cluster"] }],
    outputs: {
      kubeconfig: {
        at: ["kubeconfig"],
        secret: true,
        sometimes: true,
        description: "Its kubeconfig, for `cluster` of other components. Absent in-cluster.",
      },
    },
  },
  reference: [{ title: "Cluster", at: ["cluster"], variant: "Cluster" }],
  isUsed: isOnEks,
  code: ["onEks.ts", "config/schema.ts", "config/resolve.ts", "config/checks.ts"],
  outputs: [
    {
      name: "kubeconfig",
      secret: true,
      description: "Kubeconfig of the platform's cluster, for users. Absent in-cluster and without a cluster.",
    },
    {
      name: "network",
      secret: false,
      sometimes: true,
      description:
        "Ids of the network of a cluster that the platform created on EKS: vpcId, privateSubnetIds and securityGroupId, the group of the control plane and all nodes.",
    },
  ],

  decode(read, context): ClusterPart {
    const input = read("cluster");
    const cluster = input && resolveCluster(input, context);
    return cluster ? { cluster } : {};
  },
  offers({ cluster: config }, { place: { root } }, read) {
    const isGiven = root["cluster"] !== undefined;
    const input = read("cluster");
    // The way in which the cluster is made matters to no other feature.
    const plain = input && (input.type === "existing" ? input : { ...input, type: "eks" as const });
    return { cluster: { isGiven, isEks: isOnEks(root), input: plain, config } };
  },
  roles: ({ cluster }) => (cluster?.type === "eks" ? rolesOfCluster(cluster.eks) : []),

  async create({ cluster: config }, site) {
    if (config === undefined) return undefined;
    const name = site.named("cluster");
    // Without the modules for AWS, a platform on an existing cluster starts a third faster.
    const { cluster, network } =
      config.type === "existing" && config.eks === undefined
        ? { cluster: new Cluster(name, { existing: config.access, offered: site.offered }, { parent: site.parent }) }
        : await (await import("./onEks.js")).clusterOnEks(name, config, site);
    return {
      guarded: [cluster, ...(cluster.made ? [cluster.made] : [])],
      provides: { cluster },
      outputs: {
        ...(cluster.access.kubeconfig && { kubeconfig: cluster.kubeconfig }),
        ...(network && { network }),
      },
    };
  },
});

/** Known also if the config has faults. */
function isOnEks(values: Readonly<Record<string, unknown>>): boolean {
  return isCreatedOnEks(valueAt(values, ["cluster", "type"])) || valueAt(values, ["cluster", "eks"]) !== undefined;
}

const resolved = (input: EksInput, context: DecodeContext): EksConfig =>
  resolveEks(input, readEksLock(context, input), readUserData(context, input), readEksImports(context, input));

/** Returns undefined and adds faults if the access to the cluster is invalid. */
function resolveCluster(input: ClusterInput, context: DecodeContext): ClusterConfig | undefined {
  if (input.type !== "existing") {
    const faults = eksFaults(input, ["cluster"], context.usedPools);
    context.faults.push(...faults);
    return faults.length > 0 ? undefined : { type: "eks", eks: resolved(input, context) };
  }
  const access = resolveAccess(context, ["cluster"], input.kubeconfig, input.context);
  return access && { type: "existing", access, ...(input.eks && { eks: input.eks }) };
}
