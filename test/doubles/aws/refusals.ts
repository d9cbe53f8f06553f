import type { Properties } from "../../../foundation/pulumi/resource";
import { find, things, type Thing, type VersionChange } from "./world";

/** The caller, as STS and IAM report it. */
export const CALLER = "arn:aws:sts::123456789012:assumed-role/stackyard-ci/session";
const CALLER_ROLE = "arn:aws:iam::123456789012:role/stackyard-ci";

/** Whether the double's region offers an instance type; a real region rejects others, too. */
export const offers = (type: string): boolean => !/^(m9z|u-)/.test(type);

type Refusal = (inputs: Properties) => string | undefined;

/** EKS' rejections of requests that match the typings, by error name; source: the Amazon EKS API reference. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  "aws:eks/accessEntry:AccessEntry": ({ clusterName, principalArn, kubernetesGroups }) => {
    const arn = String(principalArn);
    const reserved = ((kubernetesGroups ?? []) as string[]).find((group) => group.startsWith("system:"));
    if (reserved !== undefined)
      return `InvalidParameterException: The kubernetes group name ${reserved} is invalid, it cannot start with system:`;
    // The EKS user guide, "Create access entries".
    if (arn.includes(":role/aws-service-role/"))
      return "InvalidParameterException: The caller is not allowed to create access entries for service-linked roles";
    if (/:root$|:group\/|\*/.test(arn))
      return "InvalidParameterException: The principalArn parameter format is not valid";
    const cluster = one("aws:eks/cluster:Cluster", ({ name }) => name === clusterName);
    if (modeOf(cluster?.inputs) === "CONFIG_MAP")
      return "InvalidRequestException: The cluster's authentication mode must be set to one of [API, API_AND_CONFIG_MAP] to perform this operation.";
    const { bootstrapClusterCreatorAdminPermissions: own } = (cluster?.inputs["accessConfig"] ?? {}) as Properties;
    const same = one("aws:eks/accessEntry:AccessEntry", (entry) => {
      return entry["clusterName"] === clusterName && entry["principalArn"] === principalArn;
    });
    return same || (own === true && arn === CALLER_ROLE)
      ? "ResourceInUseException: The specified access entry resource is already in use on this cluster."
      : undefined;
  },
  // The API reference of EKS, AccessScope; a namespace may have wildcards.
  "aws:eks/accessPolicyAssociation:AccessPolicyAssociation": ({ policyArn, accessScope }) => {
    const { type, namespaces = [] } = (accessScope ?? {}) as { type?: string; namespaces?: string[] };
    if (!/^arn:aws[a-z-]*:eks::aws:cluster-access-policy\/\w+$/.test(String(policyArn)))
      return `InvalidParameterException: The policyArn ${String(policyArn)} is not valid`;
    return (type === "namespace") === namespaces.length > 0
      ? undefined
      : "InvalidParameterException: The namespaces of an access scope are required for type namespace, and for no other";
  },
  // The Amazon EC2 API reference, AuthorizeSecurityGroupIngress: one source for each rule.
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": ({ cidrIpv4, referencedSecurityGroupId, ...rest }) => {
    const same = one(
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      (rule) =>
        ["securityGroupId", "fromPort", "toPort"].every((key) => rule[key] === rest[key]) &&
        rule["cidrIpv4"] === cidrIpv4 &&
        rule["referencedSecurityGroupId"] === referencedSecurityGroupId,
    );
    if (same) return "InvalidPermission.Duplicate: the specified rule already exists";
    return (cidrIpv4 === undefined) === (referencedSecurityGroupId === undefined)
      ? "InvalidParameterCombination: exactly one source of a rule must be specified"
      : undefined;
  },
  // The Amazon VPC user guide, "VPC CIDR blocks".
  "aws:ec2/vpc:Vpc": ({ cidrBlock }) =>
    /^(0|127|169\.254|22[4-9]|2[3-5]\d)\./.test(String(cidrBlock))
      ? `InvalidVpc.Range: The CIDR '${String(cidrBlock)}' is invalid.`
      : undefined,
  // The API reference of IAM, Tag.
  "aws:iam/role:Role": ({ tags, tagsAll }) =>
    Object.values({ ...(tags as object), ...(tagsAll as object) }).some(
      (value) => !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(String(value)),
    )
      ? "ValidationError: Member must satisfy regular expression pattern: [\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*"
      : undefined,
  "aws:eks/addon:Addon": ({ addonVersion }) =>
    typeof addonVersion !== "string" || /^v\d+\.\d+\.\d+-eksbuild\.\d+$/.test(addonVersion)
      ? undefined
      : "InvalidParameterException: Addon version specified is not supported",
  // The Amazon EC2 API reference, RunInstances, and the EC2 user guide, "Placement strategies".
  "aws:ec2/launchTemplate:LaunchTemplate": ({ networkInterfaces, vpcSecurityGroupIds }) =>
    Array.isArray(networkInterfaces) && networkInterfaces.length > 0 && vpcSecurityGroupIds !== undefined
      ? "InvalidParameterCombination: Network interfaces and an instance-level security groups may not be specified on the same request"
      : undefined,
  "aws:eks/nodeGroup:NodeGroup": ({ scalingConfig, labels, amiType, version, releaseVersion, ...rest }) => {
    const clash = templateClash({ amiType, version, releaseVersion, ...rest });
    if (clash !== undefined) return clash;
    if (
      typeof releaseVersion === "string" &&
      /^AL2023_/.test(String(amiType)) &&
      !releaseVersion.startsWith(`${String(version)}.`)
    )
      return `InvalidParameterException: Requested Nodegroup release version ${releaseVersion} is invalid.`;
    const { minSize = 0, maxSize = 0, desiredSize = 0 } = (scalingConfig ?? {}) as Record<string, number>;
    if (minSize > desiredSize)
      return (
        "InvalidParameterException: Minimum capacity " + `${minSize} can't be greater than desired size ${desiredSize}`
      );
    if (desiredSize > maxSize)
      return `InvalidParameterException: desired capacity ${desiredSize} can't be greater than max size ${maxSize}`;
    const reserved = Object.keys(labels ?? {}).find((key) => /^(node-role\.)?kubernetes\.io\//.test(key));
    return reserved === undefined
      ? undefined
      : `InvalidParameterException: Label cannot contain reserved prefixes [kubernetes.io/, k8s.io/, eks.amazonaws.com/]: ${reserved}`;
  },
  "aws:eks/cluster:Cluster": ({ vpcConfig, computeConfig, storageConfig, kubernetesNetworkConfig, ...rest }) => {
    const on = (part: unknown, key?: string): boolean => {
      const of = (key === undefined ? part : (part as Properties | undefined)?.[key]) as
        { enabled?: boolean } | undefined;
      return of?.enabled === true;
    };
    const parts = [
      on(computeConfig),
      on(storageConfig, "blockStorage"),
      on(kubernetesNetworkConfig, "elasticLoadBalancing"),
    ];
    if (new Set(parts).size > 1)
      return "InvalidParameterException: For EKS Auto Mode, please ensure that all required configs, including computeConfig, kubernetesNetworkConfig, and blockStorage are all either fully enabled or fully disabled.";
    if (parts[0] && rest["bootstrapSelfManagedAddons"] !== false)
      return "InvalidParameterException: The type for bootstrapSelfManagedAddons must be false when EKS Auto Mode is enabled.";
    const { serviceIpv4Cidr } = (kubernetesNetworkConfig ?? {}) as { serviceIpv4Cidr?: string };
    // The API reference of EKS, KubernetesNetworkConfigRequest.
    if (serviceIpv4Cidr !== undefined && !/^(10|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(serviceIpv4Cidr))
      return `InvalidParameterException: CIDR block '${serviceIpv4Cidr}' is invalid for the Kubernetes service network`;
    const { publicAccessCidrs = [] } = (vpcConfig ?? {}) as { publicAccessCidrs?: string[] };
    const wrong = publicAccessCidrs.find((cidr) => /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(cidr));
    if (publicAccessCidrs.length > 40)
      return "InvalidParameterException: publicAccessCidrs can have at most 40 entries";
    const zones = zonesOf(vpcConfig);
    if (zones.size === 1) return "InvalidParameterException: Subnets specified must be in at least two different AZs";
    return wrong && `InvalidParameterException: The following CIDRs are not allowed in publicAccessCidrs: [${wrong}]`;
  },
};

/** What EKS rejects in a node group beside its launch template. Source: the API reference of EKS, CreateNodegroup. */
function templateClash({ launchTemplate, instanceTypes, capacityType, ...rest }: Properties): string | undefined {
  const { id } = (launchTemplate ?? {}) as { id?: string };
  const template = things().find((thing) => thing.id === id)?.inputs ?? {};
  const lacking = ungranted(template);
  // The Amazon EC2 Auto Scaling user guide, "Required AWS KMS key policy for use with encrypted volumes".
  if (lacking !== undefined)
    return `AsgInstanceLaunchFailures: Client.InvalidKMSKey.InvalidState: The KMS key provided is in an incorrect state: ${lacking}`;
  const own = ["amiType", "version", "releaseVersion"].find((key) => rest[key] !== undefined);
  if (template["imageId"] !== undefined && own !== undefined)
    return `InvalidParameterException: You cannot specify ${own} when using a custom AMI`;
  if (template["instanceType"] !== undefined && instanceTypes !== undefined)
    return "InvalidParameterException: Instance types can be specified in the launch template or in the API request, not in both";
  const { marketType } = (template["instanceMarketOptions"] ?? {}) as { marketType?: string };
  return (marketType === "capacity-block") === (capacityType === "CAPACITY_BLOCK")
    ? undefined
    : "InvalidParameterException: A Capacity Block needs capacityType CAPACITY_BLOCK and a launch template for it";
}

/** A customer's key of a launch template that is not granted to Auto Scaling. */
function ungranted({ blockDeviceMappings = [] }: Properties): string | undefined {
  const keys = (blockDeviceMappings as { ebs?: { kmsKeyId?: string } }[]).flatMap(({ ebs }) => ebs?.kmsKeyId ?? []);
  return keys.find(
    (key) =>
      !one("aws:kms/grant:Grant", ({ keyId, granteePrincipal }) => {
        return keyId === key && String(granteePrincipal).endsWith("/AWSServiceRoleForAutoScaling");
      }),
  );
}

/** Subnets that were there before any stack, by id: their zones and what else EC2 describes. */
export const existingSubnets = (): Readonly<Record<string, Properties>> =>
  JSON.parse(process.env["STACKYARD_AWS_DOUBLE_SUBNETS"] ?? "{}") as Readonly<Record<string, Properties>>;

/** The zones of the subnets of a cluster that the account knows. Source: the EKS user guide, "Subnet requirements for clusters". */
function zonesOf(vpcConfig: unknown): ReadonlySet<unknown> {
  const { subnetIds = [] } = (vpcConfig ?? {}) as { subnetIds?: string[] };
  const known = { ...existingSubnets(), ...Object.fromEntries(things().map(({ id, inputs }) => [id, inputs])) };
  return new Set(subnetIds.flatMap((id) => known[id]?.["availabilityZone"] ?? []));
}

const one = (token: string, fits: (inputs: Properties) => boolean): Thing | undefined =>
  things().find((thing) => thing.token === token && fits(thing.inputs));

/** Throws the error that AWS would return. `old`: the inputs before an update. */
export function refuse(token: string, inputs: Properties, old?: Properties): void {
  const reason =
    REFUSALS[token]?.(inputs) ??
    (token === "aws:eks/cluster:Cluster" ? (versionRefusal(inputs, old) ?? modeRefusal(inputs, old)) : undefined);
  if (reason !== undefined) throw new Error(reason);
}

const MODES = ["CONFIG_MAP", "API_AND_CONFIG_MAP", "API"];
const modeOf = (cluster: Properties | undefined): string =>
  ((cluster?.["accessConfig"] ?? {}) as { authenticationMode?: string }).authenticationMode ?? "CONFIG_MAP";

/** The EKS user guide, "Change authentication mode to use access entries": one mode after the other, and none back. */
function modeRefusal(inputs: Properties, old: Properties | undefined): string | undefined {
  if (old === undefined) return undefined;
  const [from, to] = [modeOf(old), modeOf(inputs)];
  const step = MODES.indexOf(to) - MODES.indexOf(from);
  return step < 0 || step > 1
    ? `InvalidParameterException: Unsupported authentication mode update from ${from} to ${to}`
    : undefined;
}

const minor = (text: unknown): number => Number(String(text).split(".")[1]);
const DAY_MS = 86_400_000;

/** The EKS user guide, "Update existing cluster to new Kubernetes version" and "Roll back a cluster to a previous Kubernetes version". */
function versionRefusal({ name, version }: Properties, old: Properties | undefined): string | undefined {
  const step = old === undefined ? 0 : minor(version) - minor(old["version"]);
  if (Math.abs(step) > 1)
    return `InvalidParameterException: Unsupported Kubernetes minor version update from ${String(old?.["version"])} to ${String(version)}`;
  const newer = things().filter(
    ({ token, inputs }) =>
      token === "aws:eks/nodeGroup:NodeGroup" &&
      inputs["clusterName"] === name &&
      minor(inputs["version"]) > minor(version),
  );
  const last = find("aws:eks/cluster:Cluster", String(name))?.updates?.at(-1);
  if (step < 0 && !(last?.type === "VersionUpdate" && last.version === old?.["version"]))
    return `InvalidRequestException: Cluster ${String(name)} was not upgraded to ${String(old?.["version"])}, and can't be rolled back`;
  if (step < 0 && last !== undefined && Date.now() - Date.parse(last.at) > 7 * DAY_MS)
    return `InvalidRequestException: The upgrade to ${last.version} is more than 7 days ago, and can't be rolled back`;
  return step < 0 && newer.length > 0
    ? `InvalidRequestException: Kubelet version skew: ${newer.length} node groups are newer than ${String(version)}`
    : undefined;
}

/** The changes of a cluster's version, with that of an update. */
export function updatesOf(
  token: string,
  id: string,
  { version }: Properties,
  old: Properties,
): readonly VersionChange[] | undefined {
  const before = find(token, id)?.updates;
  if (token !== "aws:eks/cluster:Cluster" || version === old["version"]) return before;
  const type = minor(version) > minor(old["version"]) ? "VersionUpdate" : "VersionRollback";
  return [...(before ?? []), { type, version: String(version), at: new Date().toISOString() }];
}
