/** Plans node pools of existing node groups. Pure. */

import type * as eks from "@aws-sdk/client-eks";
import { minorOf } from "../../../components/eks/changes";
import { labelFaults } from "../../../components/eks/config/labels";
import { AUTOSCALER } from "../../../components/eks/config/resolve";
import { instanceType } from "../../../components/cluster/nodePool/instanceType";
import type { ImportedResource } from "../../../components/cluster/onEks/eksImports";
import { namesOf } from "./names";
import type { ImportNotes, SeenEks, SeenTemplate } from "./seen";

const GROUP = "aws:eks/nodeGroup:NodeGroup";
const TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";

/** What EKS can't change of a node group: another value replaces it. */
const FIXED = [
  "nodeGroupName",
  "nodeGroupNamePrefix",
  "nodeRoleArn",
  "subnetIds",
  "instanceTypes",
  "amiType",
  "capacityType",
  "diskSize",
  "remoteAccess",
  "warmPoolConfig",
];

/** All that the platform sets in a launch template, and what others may have set. */
const TEMPLATE_FIELDS = [
  ...["name", "namePrefix", "description", "blockDeviceMappings", "metadataOptions", "networkInterfaces"],
  ...["vpcSecurityGroupIds", "userData", "imageId", "instanceType", "keyName", "tagSpecifications", "tags"],
  ...["placement", "monitoring", "ebsOptimized", "updateDefaultVersion", "defaultVersion", "enclaveOptions"],
  ...["capacityReservationSpecification", "instanceMarketOptions", "cpuOptions", "creditSpecification"],
  ...["disableApiTermination", "disableApiStop", "iamInstanceProfile", "privateDnsNameOptions", "maintenanceOptions"],
  ...["instanceInitiatedShutdownBehavior", "instanceRequirements", "hibernationOptions", "licenseSpecifications"],
  ...["kernelId", "ramDiskId", "securityGroupNames", "networkPerformanceOptions", "secondaryInterfaces"],
];

const EFFECTS: Readonly<Record<string, string>> = {
  NO_SCHEDULE: "NoSchedule",
  NO_EXECUTE: "NoExecute",
  PREFER_NO_SCHEDULE: "PreferNoSchedule",
};
const CAPACITIES: Readonly<Record<string, string>> = { SPOT: "spot", CAPACITY_BLOCK: "capacityBlock" };

interface PlannedPools extends ImportNotes {
  readonly nodePools: Readonly<Record<string, object>>;
  readonly imports: readonly ImportedResource[];
  /** ARN of the role of most groups. */
  readonly role: string | undefined;
}

/** The pools of the groups that can be taken over. */
export function planPools({ nodeGroups, templates, cluster }: SeenEks): PlannedPools {
  // The name is at most that long in a label, and the pool of the autoscaler has a meaning of its own.
  const named = namesOf(20);
  named(AUTOSCALER);
  const used = new Set<string>();
  const kept: string[] = [];
  const outside: string[] = [];
  const imports: ImportedResource[] = [];
  const nodePools: Record<string, object> = {};
  const roles: string[] = [];
  for (const group of nodeGroups) {
    const { nodegroupName = "" } = group;
    const template = templates[nodegroupName];
    const trouble = troubleOf(group, template, cluster.version ?? "");
    if (trouble !== undefined) {
      outside.push(`node group ${nodegroupName}: ${trouble}; it stays as it is, and a pool of your own can replace it`);
      continue;
    }
    // Terraform ends names with a timestamp.
    const pool = named(nodegroupName.replace(/-\d{20,}$/, ""));
    const id = template?.LaunchTemplateId;
    const ownsTemplate =
      id !== undefined && !used.has(id) && String(template?.latest) === group.launchTemplate?.version;
    if (ownsTemplate) {
      used.add(id);
      imports.push({ type: TEMPLATE, name: `nodes/${pool}`, id, keep: TEMPLATE_FIELDS, retain: false });
    }
    const fields = keptFields(group, ownsTemplate);
    imports.push({
      ...{ type: GROUP, name: `nodes/${pool}`, id: `${cluster.name}:${nodegroupName}` },
      ...{ keep: [...FIXED, "tags", ...fields], retain: false },
    });
    nodePools[pool] = poolOf(group, template, cluster.version ?? "");
    roles.push(group.nodeRole ?? "");
    const image = /^AL2_/.test(group.amiType ?? "")
      ? `, with images of ${group.amiType}, which EKS no longer builds`
      : "";
    const disks = ownsTemplate
      ? "its disks, metadata options and user data are those of its launch template, until you remove them from keep there"
      : "EKS can't give it the platform's launch template, with its disks and metadata options";
    const own = fields.filter((field) => field !== "launchTemplate");
    kept.push(
      `nodePools.${pool}: ${nodegroupName} keeps its role, subnets, instance types and name${image}; for others, add a pool and remove this one; ${disks}`,
      ...(own.length === 0
        ? []
        : [`nodePools.${pool}: keeps ${own.join(", ")}; remove them from keep for those of the stack file`]),
    );
  }
  const role = mostFrequent(roles);
  const changed = ["node group autoscaler is created, for the cluster-autoscaler, unless a pool has its taint"];
  return { nodePools, imports, role, kept, outside, changed };
}

/** Why a group can't be a pool; undefined if it can. */
function troubleOf(
  group: eks.Nodegroup,
  template: SeenTemplate | undefined,
  clusterVersion: string,
): string | undefined {
  const { amiType = "", status, version } = group;
  if (status !== "ACTIVE") return `its status is ${status}; run the command again once it is ACTIVE`;
  if (amiType.startsWith("WINDOWS")) return "the platform has no pools of Windows";
  const types = typesOf(group, template);
  if (types.length === 0) return "it chooses instance types by requirements";
  const unknown = types.filter((type) => instanceType(type) === undefined);
  if (unknown.length > 0) return `the platform has no images for ${unknown.join(", ")}`;
  const architectures = new Set(types.map((type) => JSON.stringify(instanceType(type))));
  if (architectures.size > 1) return `its types ${types.join(", ")} have different images`;
  if (amiType === "CUSTOM")
    return template?.LaunchTemplateData?.ImageId === undefined
      ? "its own image has no id in its launch template"
      : undefined;
  const skew = minorOf(clusterVersion) - minorOf(version ?? clusterVersion);
  return skew < 0 || skew > 1
    ? `it runs ${version}, and the cluster ${clusterVersion}; upgrade it to within one minor first`
    : undefined;
}

const typesOf = ({ instanceTypes = [] }: eks.Nodegroup, template: SeenTemplate | undefined): string[] => {
  const { InstanceType } = template?.LaunchTemplateData ?? {};
  return instanceTypes.length > 0 ? instanceTypes : InstanceType === undefined ? [] : [InstanceType];
};

function poolOf(group: eks.Nodegroup, template: SeenTemplate | undefined, clusterVersion: string): object {
  const { scalingConfig: { minSize = 0, maxSize = 1, desiredSize = 0 } = {}, amiType = "", version } = group;
  const data = template?.LaunchTemplateData;
  const disk = group.diskSize ?? data?.BlockDeviceMappings?.find(({ Ebs }) => Ebs?.VolumeSize)?.Ebs?.VolumeSize ?? 20;
  const capacity = CAPACITIES[group.capacityType ?? ""];
  const isOwn = amiType === "CUSTOM";
  const { maxUnavailablePercentage } = group.updateConfig ?? {};
  const labels = keepsLabels(group) ? {} : (group.labels ?? {});
  const taints = (group.taints ?? []).map(({ key, value, effect = "" }) => ({
    key,
    ...(value !== undefined && value !== "" && { value }),
    effect: EFFECTS[effect],
  }));
  return {
    instanceTypes: typesOf(group, template),
    ...(capacity !== undefined && { capacity }),
    ...{ min: minSize, max: Math.max(1, maxSize), desired: Math.max(minSize, Math.min(desiredSize, maxSize)) },
    diskGb: Math.max(20, disk),
    ...(amiType.startsWith("BOTTLEROCKET") && { os: "bottlerocket" }),
    ...(amiType.endsWith("_FIPS") && { fips: true }),
    ...(isOwn && { amiId: data?.ImageId }),
    ...(!isOwn && version !== undefined && version !== clusterVersion && { version }),
    ...(maxUnavailablePercentage !== undefined && { maxUnavailablePercent: maxUnavailablePercentage }),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(taints.length > 0 && { taints, toleratedBy: "what ran on it before the import" }),
  };
}

/** Whether the platform may not set its labels, or would set others. */
const keepsLabels = ({ labels = {} }: eks.Nodegroup): boolean => labelFaults({ labels, taints: [] }, []).length > 0;

function keptFields(group: eks.Nodegroup, ownsTemplate: boolean): string[] {
  const { updateConfig, nodeRepairConfig, amiType } = group;
  return [
    ...(ownsTemplate ? [] : ["launchTemplate"]),
    ...(updateConfig?.maxUnavailablePercentage === undefined ? ["updateConfig"] : []),
    ...(nodeRepairConfig?.enabled === true ? [] : ["nodeRepairConfig"]),
    ...(keepsLabels(group) ? ["labels"] : []),
    ...(amiType === "CUSTOM" ? ["version", "releaseVersion"] : []),
  ];
}

function mostFrequent(all: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
