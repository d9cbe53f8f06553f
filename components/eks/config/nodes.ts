/** Checks for settings that conflict with the mode of the nodes. */

import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { IN_AUTO_MODE, OWN_CLASS } from "../autoMode/autoMode";
import { vcpusOf } from "../../cluster/nodePool/instanceType";
import { isAutoscalers } from "../../cluster/nodePool/plan";
import { KARPENTER_POOL } from "../../cluster/nodePool/pools";
import type { NodePoolInput } from "./nodePoolSchema";
import type { EksInput } from "./schema";

const NEEDS = "nodes come with the pods that need them";
const shown = (value: unknown): string => JSON.stringify(value);

export function nodesFaults(cluster: EksInput, base: Path): Fault[] {
  const { nodes, karpenter, nodePools } = cluster;
  const faults: Fault[] = [];
  if (karpenter !== undefined && nodes !== "karpenter") {
    faults.push(mismatch([...base, "karpenter"], "settings", `nothing, because nodes is ${nodes}`));
  }
  if (nodes === "managed") return faults;
  for (const [name, pool] of Object.entries(nodePools)) {
    const at = [...base, "nodePools", name];
    if (nodes === "karpenter" && name === KARPENTER_POOL) faults.push(...groupFaults(pool, at));
    else faults.push(...claimedFaults(pool, nodes, at));
  }
  return nodes === "auto" ? [...faults, ...autoFaults(cluster, base)] : faults;
}

/** Checks the node group that Karpenter itself runs on. */
function groupFaults({ taints, capacity, min }: NodePoolInput, base: Path): Fault[] {
  const faults: Fault[] = [];
  const why = "because Karpenter runs in the pool of this name";
  if (taints.some(({ effect }) => effect !== "PreferNoSchedule"))
    faults.push(mismatch([...base, "taints"], "taints", `none, ${why}, and add-ons that it waits for`));
  if (capacity === "spot") faults.push(mismatch([...base, "capacity"], '"spot"', `onDemand, ${why}`));
  if (min < 1) faults.push(mismatch([...base, "min"], String(min), `at least 1, ${why}`));
  return faults;
}

/** Checks a pool of Karpenter, which has no fixed number of nodes and uses the cluster's Kubernetes version. */
function claimedFaults(pool: NodePoolInput, nodes: "karpenter" | "auto", base: Path): Fault[] {
  const { min, desired, version, scaleDown, labels, taints, userData, ami } = pool;
  const faults: Fault[] = [];
  const none = (path: Path, found: unknown, why: string): void => {
    if (found !== undefined) faults.push(mismatch([...base, ...path], shown(found), `nothing, because ${why}`));
  };
  if (min > 0) faults.push(mismatch([...base, "min"], String(min), `0, because ${NEEDS}`));
  none(["desired"], desired, NEEDS);
  none(["version"], version, "nodes have the cluster's minor");
  for (const key of ["utilizationThreshold", "gpuUtilizationThreshold", "unreadyFor"] as const) {
    none(["scaleDown", key], scaleDown[key], "Karpenter compares prices; of scaleDown it takes unneededFor");
  }
  for (const key of Object.keys(labels)) {
    if (/^([^/]+\.)?karpenter\.(sh|k8s\.aws)\//.test(key))
      faults.push(mismatch([...base, "labels", key], shown(key), "another key: these are Karpenter's own"));
  }
  if (taints.some(isAutoscalers))
    faults.push(
      mismatch([...base, "taints"], "the taint of the cluster-autoscaler's pool", `none, since nodes is ${nodes}`),
    );
  if (nodes === "auto") {
    none(["userData"], userData, "EKS Auto Mode starts nodes by itself");
    none(["ami"], ami, "EKS Auto Mode chooses images");
  }
  return faults;
}

/** Checks for settings that EKS Auto Mode manages itself. */
function autoFaults({ ami, cniRights, addonVersions, addonValues, nodePools }: EksInput, base: Path): Fault[] {
  const faults: Fault[] = [];
  if (ami !== undefined)
    faults.push(mismatch([...base, "ami"], shown(ami), "nothing, because EKS Auto Mode chooses images"));
  if (cniRights === "podIdentity")
    faults.push(mismatch([...base, "cniRights"], shown(cniRights), "nothing, because Auto Mode has its own network"));
  for (const [key, of] of Object.entries({ addonVersions, addonValues })) {
    for (const name of Object.keys(of).filter((each) => IN_AUTO_MODE.includes(each)))
      faults.push(mismatch([...base, key, name], "an add-on", "nothing, because it is part of EKS Auto Mode"));
  }
  for (const [name, { instanceTypes }] of Object.entries(nodePools)) {
    const at = [...base, "nodePools", name];
    if (name === OWN_CLASS)
      faults.push(mismatch(at, "a pool", "another name, because EKS has a NodeClass of this one"));
    for (const [index, type] of instanceTypes.entries()) {
      if (!isTooSmall(type)) continue;
      const expected =
        "a type of at least two CPUs and of size medium or larger, because EKS Auto Mode starts no others";
      faults.push(mismatch([...at, "instanceTypes", index], shown(type), expected));
    }
  }
  const disks = Object.entries(nodePools).filter(([, { diskGb }]) => diskGb < LEAST_AUTO_DISK);
  for (const [name, { diskGb }] of disks)
    faults.push(mismatch([...base, "nodePools", name, "diskGb"], String(diskGb), `at least ${LEAST_AUTO_DISK}`));
  return faults;
}

const isTooSmall = (type: string): boolean => /\.(nano|micro|small)$/.test(type) || (vcpusOf(type) ?? Infinity) < 2;

/** Minimum in GiB. The disk includes the system image. */
const LEAST_AUTO_DISK = 30;
