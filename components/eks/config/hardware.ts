/** Checks the zones, image, capacity and devices of node pools. Sources: the user guides of EKS and EC2. */

import { instanceType } from "../../cluster/nodePool/instanceType";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { isNodeGroup } from "../../cluster/nodePool/pools";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

/** Maximum number of instances of a spread placement group in a zone. */
const MOST_SPREAD = 7;
/** Where EKS Auto Mode has images with FIPS modules. */
const FIPS_IN_AUTO = /^(us|ca)-/;

interface Place {
  readonly cluster: EksInput;
  readonly pool: NodePoolInput;
  /** Whether the pool is a node group. */
  readonly isGroup: boolean;
  readonly at: (...keys: readonly (string | number)[]) => Path;
}

export function hardwareFaults(cluster: EksInput, base: Path): Fault[] {
  return Object.entries(cluster.nodePools).flatMap(([name, pool]) => {
    const isGroup = isNodeGroup(cluster.nodes, name);
    const place: Place = { cluster, pool, isGroup, at: (...keys) => [...base, name, ...keys] };
    return [zoneFaults, imageFaults, reservationFaults, placementFaults, deviceFaults].flatMap((check) => check(place));
  });
}

const shown = (value: unknown): string => JSON.stringify(value);

const isInOneZone = ({ zones, subnetIds }: NodePoolInput): boolean => (zones ?? subnetIds)?.length === 1;

function zoneFaults({ cluster: { region, network }, pool: { zones, subnetIds }, at }: Place): Fault[] {
  const twice = Object.entries({ zones: zones ?? [], subnetIds: subnetIds ?? [] }).flatMap(([key, values]) =>
    values.flatMap((value, index) =>
      values.indexOf(value) < index ? [mismatch(at(key, index), shown(value), "each once")] : [],
    ),
  );
  const elsewhere = (zones ?? []).flatMap((zone, index) =>
    zone.slice(0, -1) === region ? [] : [mismatch(at("zones", index), shown(zone), `a zone of ${region}`)],
  );
  if (subnetIds === undefined) return [...twice, ...elsewhere];
  const expected =
    network.existing === undefined
      ? "nothing, because the platform creates the subnets; choose zones"
      : zones === undefined
        ? undefined
        : "nothing, because zones chooses among the subnets of the cluster";
  return [...twice, ...elsewhere, ...(expected === undefined ? [] : [mismatch(at("subnetIds"), "subnets", expected)])];
}

function imageFaults({ cluster, pool, at }: Place): Fault[] {
  const { amiId, ami, version, fips, os } = pool;
  const faults: Fault[] = [];
  const none = (key: string, found: unknown, why: string): void => {
    if (found !== undefined) faults.push(mismatch(at(key), shown(found), `nothing, because ${why}`));
  };
  if (cluster.nodes === "auto") {
    none("amiId", amiId, "EKS Auto Mode chooses images");
    if (fips && !FIPS_IN_AUTO.test(cluster.region))
      faults.push(
        mismatch(at("fips"), "true", `a region in the USA or Canada: EKS Auto Mode has no such images elsewhere`),
      );
    return faults;
  }
  if (amiId === undefined) {
    const neuron = pool.instanceTypes.find((type) => instanceType(type)?.accelerator === "neuron");
    if (neuron !== undefined && os === "bottlerocket")
      faults.push(mismatch(at("os"), `"bottlerocket" with ${neuron}`, "al2023, whose image has the Neuron driver"));
    if (fips && os !== "bottlerocket")
      faults.push(mismatch(at("fips"), `true with os ${os}`, "os: bottlerocket, for which EKS has such images"));
    return faults;
  }
  none("ami", ami, "amiId names the image");
  none("version", version, "the image of amiId has a kubelet of its own version");
  none("fips", fips, "the image of amiId has FIPS modules or not");
  return faults;
}

function reservationFaults({ cluster: { nodes }, pool, isGroup, at }: Place): Fault[] {
  const { capacity, capacityReservationIds: ids, instanceTypes, min, desired = min } = pool;
  const faults: Fault[] = [];
  if (capacity === "spot" && ids)
    faults.push(mismatch(at("capacityReservationIds"), "reservations", "nothing, because capacity is spot"));
  if (isGroup && ids && ids.length > 1)
    faults.push(
      mismatch(at("capacityReservationIds"), `${ids.length} reservations`, "one, as a launch template takes"),
    );
  if (capacity !== "capacityBlock") return faults;
  if (!ids)
    faults.push(mismatch(at("capacityReservationIds"), "nothing", "the id of the Capacity Block, as capacity says"));
  if (!isGroup) return faults;
  if (instanceTypes.length > 1)
    faults.push(mismatch(at("instanceTypes"), `${instanceTypes.length} types`, "the one of the Capacity Block"));
  if (!isInOneZone(pool)) faults.push(mismatch(at("zones"), "several zones", "the one zone of the Capacity Block"));
  // Before the block begins, and when nodes are replaced, none may be wanted.
  if (nodes === "managed" && desired > 0)
    faults.push(
      mismatch(
        at("desired"),
        String(desired),
        "0: a group is created, and updated, without nodes of its Capacity Block",
      ),
    );
  return faults;
}

function placementFaults({ cluster: { nodes, network }, pool, at }: Place): Fault[] {
  const { placement, instanceTypes, max } = pool;
  if (placement === undefined) return [];
  const faults: Fault[] = [];
  if (nodes === "auto")
    return [mismatch(at("placement"), shown(placement), "nothing, because EKS Auto Mode has no placement groups")];
  if (placement === "cluster") {
    if (!isInOneZone(pool))
      faults.push(mismatch(at("zones"), "several zones", "one: a cluster placement group is in one zone"));
    instanceTypes.forEach((type, index) => {
      if (/^t\d|^mac/.test(type))
        faults.push(mismatch(at("instanceTypes", index), shown(type), "a type that cluster placement groups take"));
    });
  }
  const zones = pool.perZone
    ? 1
    : ((pool.zones ?? pool.subnetIds)?.length ?? network.zones ?? network.existing?.privateSubnetIds.length ?? 3);
  if (placement === "spread" && max > MOST_SPREAD * zones)
    faults.push(
      mismatch(
        at("max"),
        String(max),
        `at most ${MOST_SPREAD * zones}: a spread placement group has ${MOST_SPREAD} in a zone`,
      ),
    );
  return faults;
}

function deviceFaults({ cluster: { nodes }, pool, isGroup, at }: Place): Fault[] {
  const { efa, localStorage, instanceTypes, capacity, placement } = pool;
  const faults: Fault[] = [];
  if (localStorage && nodes === "auto")
    faults.push(
      mismatch(at("localStorage"), shown(localStorage), "nothing, because EKS Auto Mode uses local disks by itself"),
    );
  if (!efa) return faults;
  if (!isGroup) {
    const who = nodes === "auto" ? "EKS Auto Mode" : "Karpenter";
    const expected = `nothing, because ${who} attaches adapters for pods that request vpc.amazonaws.com/efa`;
    return [...faults, mismatch(at("efa"), "true", expected)];
  }
  if (instanceTypes.length > 1)
    faults.push(
      mismatch(at("instanceTypes"), `${instanceTypes.length} types`, "one, since types differ in network cards"),
    );
  // Capacity Blocks are close together anyway.
  if (placement !== "cluster" && capacity !== "capacityBlock")
    faults.push(
      mismatch(at("placement"), shown(placement ?? "nothing"), "cluster: adapters talk within one placement group"),
    );
  return faults;
}
