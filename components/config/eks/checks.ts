/** What the parts of an EKS cluster's config have to do with each other. */

import { overlap, parseCidr } from "../../cluster/network/cidr";
import { instanceType } from "../../cluster/nodePool/instanceType";
import { autoscalingTags, isAutoscalers } from "../../cluster/nodePool/plan";
import { mismatch, type Fault, type Path } from "../faults";
import { resolvePool } from "./resolve";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

/** Tags that an Auto Scaling group can have. */
const MOST_TAGS = 50;

/** `used`: the pools that components of the platform put pods into. */
export function eksFaults(cluster: EksInput, base: Path, used: ReadonlySet<string> = new Set()): Fault[] {
  const pools = Object.entries(cluster.nodePools);
  const open = pools.filter(([, { taints }]) => taints.every(({ effect }) => effect === "PreferNoSchedule"));
  return [
    ...networkFaults(cluster, base),
    ...accessFaults(cluster, [...base, "access"]),
    ...endpointFaults(cluster, [...base, "endpoint"]),
    ...pools.flatMap(([name, pool]) => poolFaults(name, pool, cluster, used, [...base, "nodePools", name])),
    ...(open.length > 0
      ? []
      : [
          mismatch(
            [...base, "nodePools"],
            "no pool without taints",
            "at least one, since coredns and metrics-server run there",
          ),
        ]),
  ];
}

function networkFaults({ network }: EksInput, base: Path): Fault[] {
  const at = (key: string): Path => [...base, "network", key];
  const faults: Fault[] = [];
  const ranges: [Path, string][] = [[at("serviceCidr"), network.serviceCidr]];
  if (network.existing) {
    for (const key of ["cidr", "zones", "nat"] as const) {
      if (network[key] === undefined) continue;
      faults.push(mismatch(at(key), JSON.stringify(network[key]), "nothing, because the VPC is there already"));
    }
  } else {
    const cidr = network.cidr ?? "10.0.0.0/16";
    const { bits } = parseCidr(cidr) ?? { bits: 0 };
    if (bits < 16 || bits > 24)
      faults.push(mismatch(at("cidr"), `"${cidr}"`, "a range of /16 to /24, as AWS allows and the subnets need"));
    ranges.unshift([at("cidr"), cidr]);
  }
  const service = parseCidr(network.serviceCidr)?.bits ?? 0;
  if (service < 12 || service > 24)
    faults.push(mismatch(at("serviceCidr"), `"${network.serviceCidr}"`, "a range of /12 to /24"));
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

/** EKS keeps one entry for a principal. */
function accessFaults({ access }: EksInput, base: Path): Fault[] {
  const owners = new Map<string, string>();
  return (["admins", "readers"] as const).flatMap((kind) =>
    Object.entries(access[kind]).flatMap(([name, arn]) => {
      const owner = owners.get(arn);
      owners.set(arn, `${kind}.${name}`);
      return owner === undefined
        ? []
        : [mismatch([...base, kind, name], `"${arn}"`, `each principal once; it is ${owner}`)];
    }),
  );
}

function endpointFaults({ endpoint }: EksInput, base: Path): Fault[] {
  const world = endpoint.publicCidrs.indexOf("0.0.0.0/0");
  return [
    ...(endpoint.private || endpoint.publicCidrs.length > 0
      ? []
      : [
          mismatch(
            [...base, "private"],
            "false, and no publicCidrs",
            "a way to the API server: true, or ranges in publicCidrs",
          ),
        ]),
    ...(world < 0
      ? []
      : [
          mismatch(
            [...base, "publicCidrs", world],
            '"0.0.0.0/0"',
            "ranges of your own, since that is the whole internet",
          ),
        ]),
  ];
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
    if (!first || !found) return;
    if (found.architecture !== first.architecture) {
      faults.push(
        mismatch(
          [...at("instanceTypes"), index],
          `"${type}" (${found.architecture})`,
          `${first.architecture}, as ${instanceTypes[0]} is: a pool has one image`,
        ),
      );
    } else if (found.gpu !== first.gpu) {
      faults.push(
        mismatch(
          [...at("instanceTypes"), index],
          `"${type}"`,
          `types ${first.gpu ? "with" : "without"} GPUs, as ${instanceTypes[0]}: a pool has one image`,
        ),
      );
    }
  });
  faults.push(...taintFaults(pool, used.has(name), at("taints")), ...versionFaults(pool, cluster, at("version")));
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

/** Nodes are never newer than the control plane, and here at most one minor older: EKS upgrades go one at a time. */
function versionFaults({ version }: NodePoolInput, cluster: EksInput, path: Path): Fault[] {
  if (version === undefined) return [];
  const skew = Number(cluster.version.slice(2)) - Number(version.slice(2));
  return skew < 0 || skew > 1
    ? [mismatch(path, `"${version}"`, `${cluster.version} as the cluster, or one minor less`)]
    : [];
}
