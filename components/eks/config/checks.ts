/** Checks across the parts of an EKS cluster's config. */

import { isWithin, overlap, parseCidr } from "../../../foundation/net/cidr";
import { instanceType } from "../../cluster/nodePool/instanceType";
import { AUTOSCALER_TAINT, autoscalingTags, isAutoscalers } from "../../cluster/nodePool/plan";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { partitionFaults } from "../../cluster/onEks/arns";
import { accessFaults, endpointFaults, routeFaults } from "./access";
import { addonFaults } from "./addons";
import { labelFaults, tagFaults } from "./labels";
import { AUTOSCALER, resolvePool } from "./resolve";
import type { NodePoolInput } from "./nodePoolSchema";
import { DEFAULT_CIDR } from "./networkSchema";
import { hardwareFaults } from "./hardware";
import { nodesFaults } from "./nodes";
import { pulumiEksFaults } from "./pulumiEks";
import type { EksInput } from "./schema";

const DEVICES = { gpu: "GPUs", neuron: "Neuron devices", none: "no accelerators" } as const;
/** Maximum number of tags of an Auto Scaling group. */
const MOST_TAGS = 50;

/** Faults of a cluster of type `eks`. `used`: pools in which components of the platform run pods. */
export function eksFaults(cluster: EksInput, base: Path, used: ReadonlySet<string> = new Set()): Fault[] {
  const pools = Object.entries(cluster.nodePools);
  const open = pools.filter(([, { taints }]) => taints.every(({ effect }) => effect === "PreferNoSchedule"));
  return [
    ...networkFaults(cluster, base),
    ...routeFaults(cluster, [...base, "network", "routes"]),
    ...keyFaults(cluster, base),
    ...cluster.logs.flatMap((log, index) =>
      cluster.logs.indexOf(log) < index ? [mismatch([...base, "logs", index], `"${log}"`, "each log once")] : [],
    ),
    ...tagFaults(cluster.tags, [...base, "tags"]),
    ...accessFaults(cluster, [...base, "access"]),
    // What principals must be is checked with the access.
    ...partitionFaults({ ...cluster, access: {} }, cluster.region, base),
    ...endpointFaults(cluster, [...base, "endpoint"]),
    ...addonFaults(cluster, [...base, "addons"]),
    ...pools.flatMap(([name, pool]) => poolFaults(name, pool, cluster, used, [...base, "nodePools", name])),
    ...openFaults(open, cluster, [...base, "nodePools"]),
    ...nodesFaults(cluster, base),
    ...hardwareFaults(cluster, [...base, "nodePools"]),
    ...pulumiEksFaults(cluster, base),
  ];
}

/**
 * Fault if no untainted pool has nodes: the first update waits for coredns, and no autoscaler runs yet that could add
 * nodes.
 */
function openFaults(open: readonly [string, NodePoolInput][], { nodes }: EksInput, base: Path): Fault[] {
  // Karpenter's own node group has no taints.
  if (nodes === "karpenter") return [];
  const purpose = "since coredns and metrics-server run there";
  if (open.length === 0) return [mismatch(base, "no pool without taints", `at least one, ${purpose}`)];
  if (nodes === "auto" || open.some(([, { min, desired = min }]) => Math.max(min, desired) > 0)) return [];
  const [name = ""] = open[0] ?? [];
  return [mismatch([...base, name, "min"], "0", `at least 1 in a pool without taints, ${purpose}`)];
}

/** Faults for KMS keys of another region, which the cluster can't use. */
function keyFaults({ region, kmsKey, volumeKey, nodePools }: EksInput, base: Path): Fault[] {
  const keys: [Path, string | undefined][] = [
    [[...base, "kmsKey"], kmsKey],
    [[...base, "volumeKey"], volumeKey],
    ...Object.entries(nodePools).map(([name, { diskKey }]): [Path, string | undefined] => [
      [...base, "nodePools", name, "diskKey"],
      diskKey,
    ]),
  ];
  return keys.flatMap(([path, key]) =>
    key === undefined || key.split(":")[3] === region ? [] : [mismatch(path, `"${key}"`, `a key in ${region}`)],
  );
}

/** Where EKS has ranges of services. Source: the API reference of EKS, KubernetesNetworkConfigRequest. */
const PRIVATE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];
/** Source: the Amazon VPC user guide, "VPC CIDR blocks". */
const NO_VPC = ["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"];

function networkFaults({ network }: EksInput, base: Path): Fault[] {
  const at = (key: string): Path => [...base, "network", key];
  const faults: Fault[] = [];
  const ranges: [Path, string][] = [[at("serviceCidr"), network.serviceCidr]];
  if (network.existing) {
    const { privateSubnetIds, publicSubnetIds } = network.existing;
    const seen = new Set<string>();
    for (const [key, ids] of Object.entries({ privateSubnetIds, publicSubnetIds })) {
      ids.forEach((id, index) => {
        if (seen.has(id)) faults.push(mismatch([...at("existing"), key, index], `"${id}"`, "each subnet once"));
        seen.add(id);
      });
    }
    for (const key of ["cidr", "zones", "nat"] as const) {
      if (network[key] === undefined) continue;
      faults.push(mismatch(at(key), JSON.stringify(network[key]), "nothing, because the VPC exists already"));
    }
  } else {
    const cidr = network.cidr ?? DEFAULT_CIDR;
    const range = parseCidr(cidr);
    const { bits } = range ?? { bits: 0 };
    if (bits < 16 || bits > 22)
      faults.push(mismatch(at("cidr"), `"${cidr}"`, "a range of /16 to /22, as AWS allows and the subnets need"));
    const reserved = range && NO_VPC.find((other) => overlap(range, parseCidr(other)!));
    if (reserved !== undefined)
      faults.push(mismatch(at("cidr"), `"${cidr}"`, `a range outside of ${reserved}, where AWS has no VPCs`));
    ranges.unshift([at("cidr"), cidr]);
  }
  const service = parseCidr(network.serviceCidr);
  const { bits } = service ?? { bits: 0 };
  if (bits < 12 || bits > 24)
    faults.push(mismatch(at("serviceCidr"), `"${network.serviceCidr}"`, "a range of /12 to /24"));
  if (!service || !PRIVATE.some((range) => isWithin(service, parseCidr(range)!)))
    faults.push(
      mismatch(
        at("serviceCidr"),
        `"${network.serviceCidr}"`,
        `a range in ${PRIVATE.join(", ")}, since EKS takes no other`,
      ),
    );
  network.reserved.forEach((cidr, index) => ranges.push([[...at("reserved"), index], cidr]));
  ranges.forEach(([path, cidr], index) => {
    for (const [other, against] of ranges.slice(0, index)) {
      const [a, b] = [parseCidr(cidr), parseCidr(against)];
      if (!a || !b || !overlap(a, b)) continue;
      faults.push(mismatch(path, `"${cidr}"`, `a range that does not overlap ${against} (${String(other.at(-1))})`));
    }
  });
  return faults;
}

function poolFaults(
  name: string,
  pool: NodePoolInput,
  cluster: EksInput,
  used: ReadonlySet<string>,
  base: Path,
): Fault[] {
  const at = (key: string): Path => [...base, key];
  const { min, max, desired, instanceTypes } = pool;
  const faults: Fault[] = [];
  if (min > max) faults.push(mismatch(at("min"), String(min), `at most max, which is ${max}`));
  if (desired !== undefined && (desired < min || desired > max)) {
    faults.push(mismatch(at("desired"), String(desired), `a number from min to max, ${min} to ${max}`));
  }
  const first = instanceType(instanceTypes[0] ?? "");
  instanceTypes.forEach((type, index) => {
    const found = instanceType(type);
    if (instanceTypes.indexOf(type) < index)
      faults.push(mismatch([...at("instanceTypes"), index], `"${type}"`, "each type once"));
    if (!first || !found) return;
    if (found.architecture !== first.architecture) {
      faults.push(
        mismatch(
          [...at("instanceTypes"), index],
          `"${type}" (${found.architecture})`,
          `${first.architecture}, as ${instanceTypes[0]} is: a pool has one image`,
        ),
      );
    } else if (found.accelerator !== first.accelerator) {
      faults.push(
        mismatch(
          [...at("instanceTypes"), index],
          `"${type}"`,
          `types with ${DEVICES[first.accelerator ?? "none"]}, as ${instanceTypes[0]}: a pool has one image`,
        ),
      );
    }
  });
  faults.push(...taintFaults(pool, used.has(name), at("taints")), ...versionFaults(pool, cluster, at("version")));
  faults.push(...labelFaults(pool, base));
  if (cluster.nodes === "managed" && name === AUTOSCALER && !pool.taints.some(isAutoscalers)) {
    const expected = `another name, or the taint ${AUTOSCALER_TAINT.key}=${AUTOSCALER_TAINT.value}:NoSchedule: the autoscaler runs in the pool of this name`;
    faults.push(mismatch(base, "a pool without the autoscaler's taint", expected));
  }
  const tags = Object.keys(autoscalingTags(cluster.name, name, resolvePool(pool))).length;
  if (tags > MOST_TAGS)
    faults.push(
      mismatch(
        at("labels"),
        `${tags} tags for labels and taints`,
        `at most ${MOST_TAGS}, which an Auto Scaling group can have`,
      ),
    );
  return faults;
}

function taintFaults({ taints, toleratedBy, capacity, min }: NodePoolInput, isUsed: boolean, base: Path): Fault[] {
  const faults: Fault[] = [];
  taints.forEach(({ key }, index) => {
    if (taints.findIndex((other) => other.key === key) === index) return;
    faults.push(
      mismatch([...base, index, "key"], JSON.stringify(key), "each key once, as the autoscaler's tags have it"),
    );
  });
  const repelling = taints.filter(({ effect }) => effect !== "PreferNoSchedule");
  if (repelling.some(isAutoscalers)) {
    const pool = base.slice(0, -1);
    if (capacity === "spot")
      faults.push(mismatch([...pool, "capacity"], '"spot"', "onDemand, because the autoscaler runs here"));
    if (min < 1) faults.push(mismatch([...pool, "min"], String(min), "at least 1, because the autoscaler runs here"));
    return faults;
  }
  if (repelling.length > 0 && toleratedBy === undefined && !isUsed) {
    faults.push(
      mismatch(
        base,
        repelling.map(({ key, value = "" }) => `${key}=${value}`).join(", "),
        "taints that something tolerates; no component of the platform does, so say in toleratedBy who",
      ),
    );
  }
  return faults;
}

/**
 * Fault for the version of a pool: not newer than the control plane, and at most one minor version older, because EKS
 * upgrades one at a time.
 */
function versionFaults({ version }: NodePoolInput, cluster: EksInput, path: Path): Fault[] {
  if (version === undefined) return [];
  const skew = Number(cluster.version.slice(2)) - Number(version.slice(2));
  return skew < 0 || skew > 1
    ? [mismatch(path, `"${version}"`, `${cluster.version} as the cluster, or one minor less`)]
    : [];
}
