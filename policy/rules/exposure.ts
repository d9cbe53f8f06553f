import { at, textOr } from "../../foundation/json/parts";
import { isObject } from "../../foundation/json/isObject";
import { parsedDocument } from "../../foundation/iam/document";
import { wholeFinding, type Asked, type Finding, type Rule } from "../rule";

/** Types with a flag that assigns a public address. */
const PUBLIC_FLAG: Readonly<Record<string, string>> = {
  "aws:rds/instance:Instance": "publiclyAccessible",
  "aws:rds/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:rds/cluster:Cluster": "publiclyAccessible",
  "aws:docdb/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:neptune/clusterInstance:ClusterInstance": "publiclyAccessible",
  "aws:redshift/cluster:Cluster": "publiclyAccessible",
  "aws:redshiftserverless/workgroup:Workgroup": "publiclyAccessible",
  "aws:dms/replicationInstance:ReplicationInstance": "publiclyAccessible",
  "aws:mq/broker:Broker": "publiclyAccessible",
};

interface Opening {
  readonly type: RegExp;
  /** Property; each entry of a list counts. */
  readonly path: string;
  /** Values that open it to everybody. */
  readonly open: RegExp;
  readonly expected: string;
}

const GROUPS = /\/global\/(AllUsers|AuthenticatedUsers)$/;
const ACCOUNTS = "accounts by their ids";

/** Other properties that let everybody in. */
const OPENINGS: readonly Opening[] = [
  { type: /^aws:s3\/bucket(V2|Acl|AclV2)?:/, path: "acl", open: /^(public-read|public-read-write|authenticated-read)$/, expected: "private" },
  { type: /^aws:s3\/bucket(V2)?:/, path: "grants.uri", open: GROUPS, expected: ACCOUNTS },
  { type: /^aws:s3\/bucketAcl(V2)?:/, path: "accessControlPolicy.grants.grantee.uri", open: GROUPS, expected: ACCOUNTS },
  { type: /^aws:lambda\/functionUrl:/, path: "authorizationType", open: /^NONE$/, expected: "AWS_IAM" },
  { type: /^aws:ec2\/amiLaunchPermission:/, path: "group", open: /^all$/, expected: ACCOUNTS },
  { type: /^aws:ec2\/snapshotCreateVolumePermission:/, path: "accountId", open: /^all$/, expected: ACCOUNTS },
  { type: /^aws:(ec2\/image|ebs\/snapshot)BlockPublicAccess:/, path: "state", open: /^unblocked$/, expected: "sharing with everybody to be blocked" },
  { type: /^aws:rds\/(cluster)?[sS]napshot(Copy)?:/, path: "sharedAccounts", open: /^all$/, expected: ACCOUNTS },
  { type: /^aws:ssm\/document:/, path: "permissions.accountIds", open: /^all$/i, expected: ACCOUNTS },
  { type: /^aws:imagebuilder\/distributionConfiguration:/, path: "distributions.amiDistributionConfiguration.launchPermission.userGroups", open: /^all$/, expected: ACCOUNTS },
  { type: /^aws:msk\/cluster:/, path: "brokerNodeGroupInfo.connectivityInfo.publicAccess.type", open: /^SERVICE_PROVIDED_EIPS$/, expected: "DISABLED" },
  { type: /^aws:emr\/blockPublicAccessConfiguration:/, path: "blockPublicSecurityGroupRules", open: /^false$/, expected: "true" },
  { type: /^aws:opensearch\/serverlessSecurityPolicy:/, path: "policy.AllowFromPublic", open: /^true$/, expected: "endpoints of the network in SourceVPCEs" },
]; // prettier-ignore

const BLOCKS = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];
/** Where a type has its public access block. AWS' default for access points is that all four are set. */
const PUBLIC_ACCESS_BLOCK: readonly (readonly [RegExp, string, "demanded" | "default"])[] = [
  [/^aws:s3\/(bucket|account)PublicAccessBlock:/, "", "demanded"],
  [/^aws:s3\/accessPoint:/, "publicAccessBlockConfiguration", "default"],
  [/^aws:s3control\/multiRegionAccessPoint:/, "details.publicAccessBlock", "default"],
];

/** All values at a path, in each entry of lists and in JSON. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [value];
  const inner = typeof value === "string" ? parsedDocument(value) : value;
  if (Array.isArray(inner)) return valuesAt(inner, [key, ...rest]);
  return isObject(inner) ? valuesAt(inner[key], rest) : [];
}

function openings({ type, props }: Asked): Finding[] {
  return OPENINGS.filter((one) => one.type.test(type)).flatMap(({ path, open, expected }) => {
    const found = valuesAt(props, path.split(".")).map((value) => textOr(value, ""));
    const value = found.find((one) => open.test(one));
    return value === undefined ? [] : wholeFinding(`found ${path}: ${value}; expected ${expected}`);
  });
}

function publicAccessBlock({ type, props }: Asked): Finding[] {
  const [, path = "", mode] = PUBLIC_ACCESS_BLOCK.find(([types]) => types.test(type)) ?? [];
  if (mode === undefined) return [];
  const block = at(props, ...path.split(".").filter((key) => key !== ""));
  const open = BLOCKS.filter((key) => (mode === "demanded" ? at(block, key) !== true : at(block, key) === false));
  return open.length === 0 ? [] : wholeFinding(`found no ${open.join(", no ")}; expected all four to be true`);
}

export const exposure: Rule = {
  name: "not-public",
  description: "Databases, buckets, images, snapshots and functions are not reachable for everybody.",
  check(asked): Finding[] {
    const flag = PUBLIC_FLAG[asked.type];
    const isPublic = flag !== undefined && at(asked.props, flag) === true;
    return [
      ...(isPublic ? wholeFinding(`found ${flag}: true; expected false, and a way through the network`) : []),
      ...openings(asked),
      ...publicAccessBlock(asked),
    ];
  },
};
