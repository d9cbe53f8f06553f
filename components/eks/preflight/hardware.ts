import { getInstanceType, getSubnet } from "@pulumi/aws/ec2";
import { getAvailabilityZones } from "@pulumi/aws/getAvailabilityZones";
import type { Provider } from "@pulumi/aws/provider";
import * as pulumi from "@pulumi/pulumi";
import type { NetworkCards } from "../../cluster/nodePool/launch";
import { nodeGroups } from "../../cluster/nodePool/pools";
import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { ZONES_QUERY } from "../network/plan";

/** What only AWS knows of the zones and devices of node pools. */
export interface PoolHardware {
  /** Zones of the private subnets, in their order. Empty if no pool chooses zones. */
  readonly zones: readonly string[];
  /** Network cards by pool, of pools with adapters. */
  readonly cards: Readonly<Record<string, NetworkCards>>;
}

type Pools = Pick<EksConfig, "nodes" | "nodePools" | "network">;

/** Asks AWS about pools with zones, subnets, adapters and local disks. Throws if AWS would reject them. */
export async function hardwareOf(config: Pools, provider: Provider): Promise<PoolHardware> {
  const pools = Object.entries(config.nodePools);
  const subnets = new Map<string, ReturnType<typeof getSubnet>>();
  const look = (id: string): ReturnType<typeof getSubnet> => {
    const asked = subnets.get(id) ?? getSubnet({ id }, { provider });
    subnets.set(id, asked);
    return asked;
  };
  const zones = pools.some(([, pool]) => pool.zones) ? await zonesOf(config, look, provider) : [];
  const faults = pools.flatMap(([name, pool]) =>
    (pool.zones ?? []).flatMap((zone, index) =>
      zones.includes(zone)
        ? []
        : [`${at(name)}.zones[${index}]: found "${zone}"; expected one of ${[...new Set(zones)].join(", ")}`],
    ),
  );
  faults.push(...(await subnetFaults(config, look)), ...(await diskFaults(config, provider)));
  const cards: Record<string, NetworkCards> = {};
  for (const [name, { efa, instanceTypes }] of Object.entries(nodeGroups(config))) {
    const [instanceType = ""] = instanceTypes;
    if (!efa) continue;
    const found = await getInstanceType({ instanceType }, { provider });
    if (found.efaSupported) cards[name] = { cards: found.maximumNetworkCards, adapters: found.efaMaximumInterfaces };
    else
      faults.push(
        `${at(name)}.efa: found true, and ${instanceType} has no Elastic Fabric Adapter; expected a type with one`,
      );
  }
  if (faults.length > 0) throw new pulumi.RunError(`${faults.join("\n")}\nNothing was changed.`);
  return { zones, cards };
}

const at = (pool: string): string => `stackyard:cluster.nodePools.${pool}`;

type Look = (id: string) => ReturnType<typeof getSubnet>;

async function zonesOf({ network: { existing, make } }: Pools, look: Look, provider: Provider): Promise<string[]> {
  if (existing) return Promise.all(existing.privateSubnetIds.map(async (id) => (await look(id)).availabilityZone));
  const { names } = await getAvailabilityZones(ZONES_QUERY, { provider });
  return names.slice(0, make?.zones);
}

/** Faults of subnets of pools that are not in the VPC of the cluster. */
async function subnetFaults({ nodePools, network: { existing } }: Pools, look: Look): Promise<string[]> {
  const [first] = existing?.privateSubnetIds ?? [];
  if (first === undefined || Object.values(nodePools).every(({ subnetIds }) => subnetIds === undefined)) return [];
  const { vpcId } = await look(first);
  const all = Object.entries(nodePools).flatMap(([name, { subnetIds = [] }]) =>
    subnetIds.map(async (id, index): Promise<string[]> => {
      const found = await look(id);
      return found.vpcId === vpcId
        ? []
        : [
            `${at(name)}.subnetIds[${index}]: found ${id} in ${found.vpcId}; expected a subnet of ${vpcId}, where the cluster is`,
          ];
    }),
  );
  return (await Promise.all(all)).flat();
}

/** Faults of instance types without the local disks that their pool uses. */
async function diskFaults({ nodePools }: Pools, provider: Provider): Promise<string[]> {
  const all = Object.entries(nodePools).flatMap(([name, { localStorage, instanceTypes }]) =>
    (localStorage ? instanceTypes : []).map(async (instanceType, index): Promise<string[]> => {
      const { instanceStorageSupported } = await getInstanceType({ instanceType }, { provider });
      return instanceStorageSupported
        ? []
        : [
            `${at(name)}.instanceTypes[${index}]: found "${instanceType}"; expected a type with local disks, as localStorage says`,
          ];
    }),
  );
  return (await Promise.all(all)).flat();
}
