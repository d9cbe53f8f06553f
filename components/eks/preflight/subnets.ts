import { getSubnet } from "@pulumi/aws/ec2";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../../foundation/errors";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import type { StateResource } from "../../resources/ownState";
import { WITHOUT_CONTROL_PLANES } from "../network/plan";

/** A subnet as EC2 describes it. */
export interface SeenSubnet {
  readonly id: string;
  readonly vpcId: string;
  readonly availabilityZone: string;
  readonly availabilityZoneId: string;
  readonly availableIpAddressCount: number;
  /** Empty unless it is on an Outpost. */
  readonly outpostArn: string;
}

/**
 * Addresses that EKS needs in each subnet of a control plane, and that it recommends. Source: the EKS user guide, "Subnet
 * requirements for clusters".
 */
const ADDRESSES = { least: 6, enough: 16 } as const;

const CLUSTER = "aws:eks/cluster:Cluster";
const NOT_FOUND = /InvalidSubnetID\.NotFound|no matching|not found/i;

type Existing = NonNullable<EksConfig["network"]["existing"]>;

/** Where a cluster runs: its VPC, and its subnets' zones. */
interface Home {
  readonly vpcId: string;
  readonly zones: readonly string[];
}

/**
 * Faults and warnings of the subnets of a VPC; pure. `seen`: the subnets by id, undefined for those that do not exist.
 * `home`: where the cluster runs; undefined for a new one.
 */
export function judgeSubnets(
  { privateSubnetIds, publicSubnetIds }: Existing,
  seen: ReadonlyMap<string, SeenSubnet | undefined>,
  home?: Home,
): { readonly faults: readonly string[]; readonly warnings: readonly string[] } {
  const at = (key: keyof Existing, index: number): string => `stackyard:cluster.network.existing.${key}[${index}]`;
  const listed = Object.entries({ privateSubnetIds, publicSubnetIds }).flatMap(([key, ids]) =>
    ids.map((id, index) => ({ id, path: at(key as keyof Existing, index), isPrivate: key === "privateSubnetIds" })),
  );
  const missing = listed.filter(({ id }) => seen.get(id) === undefined);
  const found = listed.flatMap(({ id, path, isPrivate }) => {
    const subnet = seen.get(id);
    return subnet ? [{ ...subnet, path, isPrivate }] : [];
  });
  const vpcId = home?.vpcId ?? found[0]?.vpcId;
  const ours = found.filter(({ isPrivate }) => isPrivate);
  const zones = [...new Set(ours.map(({ availabilityZone }) => availabilityZone))].sort();
  const faults = [
    ...missing.map(
      ({ id, path }) => `${path}: found "${id}"; expected a subnet that exists in this account and region`,
    ),
    ...found.flatMap(({ id, path, vpcId: own }) =>
      own === vpcId
        ? []
        : [
            `${path}: found ${id} in ${own}; expected a subnet of ${vpcId}, ${home ? "where the cluster is" : "as the first one"}`,
          ],
    ),
    ...ours.flatMap(({ id, path, availabilityZoneId, outpostArn, availableIpAddressCount: free }) => {
      if (WITHOUT_CONTROL_PLANES.includes(availabilityZoneId))
        return [
          `${path}: found ${id} in ${availabilityZoneId}; expected another zone, since EKS has no control planes there`,
        ];
      if (outpostArn !== "") return [`${path}: found ${id} on an Outpost; expected a subnet in the region`];
      return free < ADDRESSES.least
        ? [
            `${path}: found ${id} with ${free} free addresses; expected at least ${ADDRESSES.least}, which EKS needs in each subnet for its network interfaces`,
          ]
        : [];
    }),
    ...(missing.length === 0 ? zoneFaults(zones, home) : []),
  ];
  const few = ours.filter(({ availableIpAddressCount: free }) => free >= ADDRESSES.least && free < ADDRESSES.enough);
  const warnings = few.map(
    ({ id, path, availableIpAddressCount: free }) =>
      `${path}: ${id} has ${free} free addresses; EKS recommends ${ADDRESSES.enough} for itself, and nodes and pods need more`,
  );
  return { faults, warnings };
}

/** EKS keeps the zones of a cluster. Source: the EKS user guide, "VPC requirements and considerations". */
function zoneFaults(zones: readonly string[], home: Home | undefined): string[] {
  const path = "stackyard:cluster.network.existing.privateSubnetIds";
  if (home !== undefined) {
    const before = [...new Set(home.zones)].sort();
    return before.join() === zones.join()
      ? []
      : [
          `${path}: found subnets in ${zones.join(", ")}; expected ${before.join(", ")}: EKS keeps the zones of a cluster. For others, create a new stack next to this one and move to it`,
        ];
  }
  return zones.length > 1
    ? []
    : [`${path}: found subnets in one zone, ${zones.join()}; expected at least two zones, which EKS requires`];
}

/**
 * Looks at the subnets of an existing VPC before a cluster is created in them or moves to others. Throws if EKS would
 * reject them. Who may not describe subnets is warned.
 */
export async function checkSubnets(
  { network: { existing } }: Pick<EksConfig, "network">,
  resources: readonly StateResource[],
  provider: Provider,
): Promise<void> {
  if (existing === undefined) return;
  const cluster = resources.find(({ type }) => type === CLUSTER);
  const { subnetIds: before = [] } = (cluster?.outputs["vpcConfig"] ?? {}) as { subnetIds?: string[] };
  const isSame = [...before].sort().join() === [...existing.privateSubnetIds].sort().join();
  if (cluster && isSame) return;
  const wanted = [...existing.privateSubnetIds, ...existing.publicSubnetIds];
  try {
    const ids = [...new Set([...wanted, ...before])];
    const all = new Map(await Promise.all(ids.map(async (id) => [id, await look(id, provider)] as const)));
    const old = before.flatMap((id) => all.get(id) ?? []);
    const [first] = old;
    const home = first && { vpcId: first.vpcId, zones: old.map(({ availabilityZone }) => availabilityZone) };
    const { faults, warnings } = judgeSubnets(existing, all, home);
    for (const warning of warnings) await pulumi.log.warn(warning);
    if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
  } catch (error) {
    if (error instanceof pulumi.RunError) throw error;
    await pulumi.log.warn(`Whether the subnets suit EKS is not known: AWS does not describe them: ${messageOf(error)}`);
  }
}

async function look(id: string, provider: Provider): Promise<SeenSubnet | undefined> {
  try {
    return await getSubnet({ id }, { provider });
  } catch (error) {
    if (NOT_FOUND.test(messageOf(error))) return undefined;
    throw error;
  }
}
