import { getInstanceType, getInstanceTypeOfferings } from "@pulumi/aws/ec2";
import { getCallerIdentity } from "@pulumi/aws/getCallerIdentity";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import type { StateResource } from "../../resources/ownState";
import type { InstanceSize } from "../../cluster/nodePool/allocatable";
import { fitFaults } from "../../cluster/nodePool/fit";
import { poolsFor, type PlacedPod } from "../../cluster/nodePool/placedPods";
import { isAdmin, plannedEntries, type PlannedEntry } from "../accessEntries";
import { runningCluster } from "../changes";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { checkDiskKeys } from "./diskKeys";
import { checkSpotRole } from "./spotRole";
import { checkSubnets } from "./subnets";

/** Checks whether the identity that creates a cluster will have access to it. Pure. */
interface Principal {
  readonly account: string;
  readonly kind: string;
  /** Name without its path, because the ARN of a session lacks the path. */
  readonly name: string;
}

/**
 * Parses an ARN. `arn:aws:sts::1:assumed-role/ci/session` and `arn:aws:iam::1:role/teams/ci` are the same principal.
 */
function principalOf(arn: string): Principal | undefined {
  const [, , , , account = "", ...rest] = arn.split(":");
  const [kind = "", ...names] = rest.join(":").split("/");
  const name = kind === "assumed-role" ? names[0] : names.at(-1);
  return name === undefined ? undefined : { account, kind: kind === "assumed-role" ? "role" : kind, name };
}

const isSame = (one: Principal | undefined, other: Principal | undefined): boolean =>
  one !== undefined && one.account === other?.account && one.kind === other.kind && one.name === other.name;

/** Fault if `caller` (an ARN) would not become an administrator, or would in two ways; undefined otherwise. */
function callerFault(caller: string, access: EksConfig["access"]): string | undefined {
  const who = principalOf(caller);
  const entry = plannedEntries(access).find(({ principal }) => isSame(principalOf(principal), who));
  if (access.creatorIsAdmin && entry) {
    return (
      `stackyard:cluster.access.creatorIsAdmin: found true, but ${caller}, which creates the cluster, is also ${entry.path.join(".")}; ` +
      `expected only one of them, because EKS has one access entry for each principal`
    );
  }
  if (access.creatorIsAdmin || (entry && isAdmin(entry))) return undefined;
  return (
    `stackyard:cluster.access.admins: found no entry for ${caller}, which creates the cluster and installs everything on it; ` +
    `expected its role or user among them, or creatorIsAdmin: true`
  );
}

/** Describes who will have access to the cluster, for the log. */
function whoMayUse(caller: string, access: EksConfig["access"]): string {
  const planned = plannedEntries(access);
  const listed = (fits: (entry: PlannedEntry) => boolean): string[] =>
    planned.filter(fits).map(({ key, principal }) => `${key.split("/").at(-1)} (${principal})`);
  const administer = [...listed(isAdmin), ...(access.creatorIsAdmin ? [`who makes it (${caller})`] : [])];
  const readers = listed(({ path }) => path[0] === "readers");
  const others = listed((entry) => entry.path[0] === "entries" && !isAdmin(entry));
  return [
    `May administer the cluster: ${administer.join(", ")}`,
    ...(readers.length > 0 ? [`may look at it: ${readers.join(", ")}`] : []),
    ...(others.length > 0 ? [`have entries of their own: ${others.join(", ")}`] : []),
  ].join("; ");
}

/**
 * Checks with AWS before anything is created: the identity that creates the cluster, whether the region has the
 * instance types, the subnets of an existing VPC, the role of Spot, the keys of disks, and whether `pods` fit on the
 * instance types. Only the last three send requests if the cluster with its subnets and instance types is already in the
 * state.
 */
export async function preflight(
  config: EksConfig,
  pods: readonly PlacedPod[],
  state: Readonly<Record<string, StateResource>>,
  provider: Provider,
): Promise<void> {
  const resources = Object.values(state);
  await Promise.all([
    ...(runningCluster(resources) === undefined ? [checkCaller(config, provider)] : []),
    checkInstanceTypes(config, resources, provider),
    checkSubnets(config, resources, provider),
    checkSpotRole(config, provider),
    checkDiskKeys(config, provider),
  ]);
  await checkSizes(config, pods, provider);
}

/**
 * Checks the sizes of pods. A pod that fits on no node of its pool would stay pending, while the autoscaler adds nodes
 * in vain.
 */
async function checkSizes(
  { nodePools, addonValues }: EksConfig,
  pods: readonly PlacedPod[],
  provider: Provider,
): Promise<void> {
  const used = new Set(pods.flatMap((pod) => poolsFor(pod, nodePools)));
  const types = [...new Set([...used].flatMap((name) => nodePools[name]!.instanceTypes))].sort();
  let sizes: InstanceSize[];
  try {
    sizes = await Promise.all(types.map((type) => sizeOf(type, provider)));
  } catch (error) {
    // A user may be permitted to deploy but not to describe instance types.
    const message = error instanceof Error ? error.message : String(error);
    return pulumi.log.warn(
      `Whether pods fit on their nodes is not checked: AWS does not describe the types: ${message}`,
    );
  }
  const cni = addonValues["vpc-cni"]?.["env"] as Readonly<Record<string, string | boolean>> | undefined;
  const { faults, warnings } = fitFaults(pods, {
    nodePools,
    sizes: Object.fromEntries(sizes.map((size) => [size.type, size])),
    prefixes: String(cni?.["ENABLE_PREFIX_DELEGATION"] ?? "true") === "true",
  });
  for (const warning of warnings) await pulumi.log.warn(warning);
  if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
}

async function sizeOf(instanceType: string, provider: Provider): Promise<InstanceSize> {
  const found = await getInstanceType({ instanceType }, { provider });
  return {
    type: instanceType,
    vcpus: found.defaultVcpus,
    memoryMib: found.memorySize,
    gpus: found.gpuses
      .filter(({ manufacturer }) => manufacturer === "NVIDIA")
      .reduce((sum, { count }) => sum + count, 0),
    networkInterfaces: found.maximumNetworkInterfaces,
    addressesPerInterface: found.maximumIpv4AddressesPerInterface,
  };
}

async function checkCaller({ access }: EksConfig, provider: Provider): Promise<void> {
  const { arn } = await getCallerIdentity({}, { provider });
  const fault = callerFault(arn, access);
  if (fault === undefined) return pulumi.log.info(whoMayUse(arn, access));
  // Previews often run under a read-only role, so they only warn.
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(`${fault}. Nothing was changed.`);
  await pulumi.log.warn(`${fault}. An update as ${arn} would stop before it changes anything.`);
}

async function checkInstanceTypes(
  { region, nodePools }: EksConfig,
  resources: readonly StateResource[],
  provider: Provider,
): Promise<void> {
  const known = new Set(resources.flatMap(({ outputs }) => [outputs["instanceTypes"] ?? []].flat()));
  const asked = Object.entries(nodePools).flatMap(([pool, { instanceTypes }]) =>
    instanceTypes.filter((type) => !known.has(type)).map((type) => ({ pool, type })),
  );
  if (asked.length === 0) return;
  const filters = [{ name: "instance-type", values: [...new Set(asked.map(({ type }) => type))].sort() }];
  const offered = await getInstanceTypeOfferings({ locationType: "region", filters }, { provider });
  const missing = asked.filter(({ type }) => !offered.instanceTypes.includes(type));
  if (missing.length === 0) return;
  const faults = missing.map(
    ({ pool, type }) =>
      `stackyard:cluster.nodePools.${pool}.instanceTypes: found "${type}"; expected a type that ${region} has`,
  );
  throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
}
