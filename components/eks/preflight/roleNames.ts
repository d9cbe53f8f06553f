import { getRole, type GetRoleResult } from "@pulumi/aws/iam";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterConfig } from "../../cluster/clusterConfig";
import type { StateResource } from "../../resources/ownState";
import type { PlannedRole } from "../../cluster/serviceAccountRole/plan";

const ROLE = "aws:iam/role:Role";
/** Error messages of AWS and its provider for a role that does not exist. */
export const NO_ROLE = /NoSuchEntity|couldn't find resource|empty result|not found/i;

type Found = Pick<GetRoleResult, "arn" | "createDate" | "tags">;
interface Taken {
  readonly role: PlannedRole;
  readonly found: Found;
}

/**
 * Checks that the names of new roles are free. IAM is global: a cluster of the same name in another region has roles of
 * the same names, and AWS would reject them in the middle of an update. The stack's existing roles are not checked.
 */
export async function checkRoleNames(
  cluster: ClusterConfig,
  roles: readonly PlannedRole[],
  resources: readonly StateResource[],
  provider: pulumi.ProviderResource | undefined,
): Promise<void> {
  const own = new Set(resources.flatMap(({ type, outputs }) => (type === ROLE ? [outputs["name"]] : [])));
  const missing = roles.filter(({ name }) => !own.has(name));
  const looked = await Promise.all(missing.map(async (role) => ({ role, found: await look(role.name, provider) })));
  const taken = looked.filter((one): one is Taken => one.found !== undefined);
  if (taken.length === 0) return;
  // Changing the prefix would replace existing roles and, with the first one, the cluster.
  const canMove = roles.every(({ name, isPrefixed }) => !isPrefixed || !own.has(name));
  const moved = canMove ? taken.filter(({ role }) => role.isPrefixed) : [];
  const faults = [
    ...(moved.length > 0 ? [prefixFault(cluster, moved)] : []),
    ...taken.filter((one) => !moved.includes(one)).map((one) => roleFault(cluster, one)),
  ];
  throw new pulumi.RunError([...faults, "Nothing was changed."].join("\n"));
}

async function look(name: string, provider: pulumi.ProviderResource | undefined): Promise<Found | undefined> {
  try {
    return await getRole({ name }, provider && { provider });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Without permission to check, the update reports a conflict.
    if (!NO_ROLE.test(message)) await pulumi.log.debug(`Whether the role ${name} exists is not known: ${message}`);
    return undefined;
  }
}

function describe({ arn, createDate, tags }: Found): string {
  const said = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  const with_ = said.length === 0 ? "" : ` with the tags ${said.join(", ")}`;
  return `the account has the role ${arn} already, created on ${createDate}${with_}, which this stack does not have`;
}

const setting = (key: string, value: string): string =>
  `  pulumi config set --stack ${pulumi.getStack()} --path stackyard:${key} ${value}`;

const OR_DELETE = "If nothing uses the role any more, delete it instead.";

/** Fault that suggests another prefix, for a stack that has none of its roles yet. */
function prefixFault(cluster: ClusterConfig, taken: readonly Taken[]): string {
  const { name, region, roles } = cluster.eks!;
  const key = cluster.type === "eks" ? "cluster.roles.prefix" : "cluster.eks.roles.prefix";
  const [first, ...others] = taken;
  const more = others.length === 0 ? "" : `; also ${others.map(({ role }) => role.name).join(", ")}`;
  return [
    `stackyard:${key}: found ${JSON.stringify(roles.prefix ?? name)}, and ${describe(first!.found)}${more}; ` +
      "expected a prefix of its own, because names of roles are unique in an account, not in a region:",
    setting(key, `${name}-${region}`),
    OR_DELETE,
  ].join("\n");
}

function roleFault({ eks }: ClusterConfig, { role: { name, key }, found }: Taken): string {
  if (key === undefined)
    return `stackyard:cluster: ${describe(found)}; expected no role of the name ${name}. ${OR_DELETE}`;
  const names = key.endsWith(".roleName");
  const path = names ? key : key.replace(/\.roleArn$/, "");
  return [
    `stackyard:${path}: ${describe(found)}; expected ${names ? "a name of its own" : `no role of the name ${name}, or that one by its ARN`}:`,
    setting(key, names ? `${name}-${eks!.region}` : found.arn),
    OR_DELETE,
  ].join("\n");
}
