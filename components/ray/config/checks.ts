import { RESERVED_PARAMS, reservedMemory } from "../clusters";
import type { RayPod, WorkerGroup } from "./schema";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { podFaults } from "./podChecks";
import type { RayClusterInput, RayInput } from "./schema";
import { hasTokens, versionIn } from "./versions";

/** Ray ends with a smaller object store. */
const LEAST_STORE_GB = 0.08;

/** Values of the chart that the platform sets, because other components depend on them. */
const SET_BY_PLATFORM: ReadonlySet<string> = new Set(["auth", "clusterName", "mode", "ports", "rayVersion"]);

/** Checks across the fields of each cluster. */
export function rayFaults(ray: RayInput, place: FaultContext): Fault[] {
  const faults = Object.entries(ray).flatMap(([name, input]) => clusterFaults(["ray", name], input, place));
  if (place.root["cluster"] === undefined && Object.values(ray).some(({ enabled }) => enabled)) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because Ray runs on the platform's"));
  }
  return faults;
}

function clusterFaults(base: Path, input: RayClusterInput, place: FaultContext): Fault[] {
  const { mode, rayVersion, head: headInput, workerGroups } = input;
  const fault = (path: Path, expected: string, hint?: string): Fault =>
    mismatch([...base, ...path], foundAt(place, [...base, ...path]), expected, hint);
  const faults: Fault[] = [];
  const imageIn = (path: Path, given: string | undefined) => {
    if (given === undefined) return;
    const { version, isCertain } = versionIn(given, rayVersion);
    if (!isCertain || version === rayVersion) return;
    faults.push(
      fault([...path, "image"], `an image of Ray ${rayVersion}, whose tag begins with it`, "or change rayVersion"),
    );
  };
  imageIn([], input.image);
  const pods: [Path, RayPod][] = [[["head"], headInput]];
  for (const [name, each] of Object.entries(workerGroups)) pods.push([["workerGroups", name], each]);
  for (const [path, each] of pods) {
    imageIn(path, each.image);
    if (each.cpu - input.reservedCpu < 1) {
      faults.push(
        fault([...path, "cpu"], `at least ${input.reservedCpu + 1} CPUs, because reservedCpu is ${input.reservedCpu}`),
      );
    }
    if (each.memoryGb <= reservedMemory(each.memoryGb, input.reservedMemoryGb)) {
      faults.push(
        fault([...path, "memoryGb"], `more than ${input.reservedMemoryGb} GB, because reservedMemoryGb is that`),
      );
    }
    const reserved = reservedMemory(each.memoryGb, input.reservedMemoryGb);
    const store = (each.memoryGb - reserved) * (each.objectStoreShare ?? input.objectStoreShare);
    if (store > 0 && store < LEAST_STORE_GB) {
      faults.push(fault([...path, "memoryGb"], `more, because Ray needs ${LEAST_STORE_GB} GB for its object store`));
    }
    each.ports.forEach(({ containerPort }, index) => {
      const process = Object.entries(input.ports).find(([, port]) => port === containerPort)?.[0];
      if (process === undefined) return;
      faults.push(fault([...path, "ports", index, "containerPort"], `another port than ${process} has, in ports`));
    });
    if (Object.keys(each.devices).length > 0 && "resources" in each.rayStartParams) {
      faults.push(fault([...path, "rayStartParams", "resources"], "none, because devices sets it"));
    }
    for (const flagName of Object.keys(each.rayStartParams).filter((key) => RESERVED_PARAMS.has(key))) {
      faults.push(
        fault([...path, "rayStartParams", flagName], "no such flag, because it follows from the other fields"),
      );
    }
  }
  const taken = new Map<number, string>();
  for (const [process, port] of Object.entries(input.ports)) {
    const other = taken.get(port);
    if (other !== undefined) faults.push(fault(["ports", process], `another port than ${other} has`));
    taken.set(port, process);
  }
  faults.push(...podFaults({ path: base, extras: input }, place));
  for (const [path, each] of pods) {
    faults.push(...podFaults({ path: [...base, ...path], extras: each, common: input }, place));
  }
  for (const key of Object.keys(input.values).filter((one) => SET_BY_PLATFORM.has(one))) {
    faults.push(fault(["values", key], `no ${key}, because the config has such a key, or it follows from others`));
  }
  const { enabled, secretName } = input.auth;
  if ((enabled === true || secretName !== undefined) && !hasTokens(rayVersion)) {
    faults.push(fault(["rayVersion"], "2.52.0 or newer, because older ones know no auth"));
  }
  if (enabled === false && secretName !== undefined) {
    faults.push(fault(["auth", "secretName"], "none, because auth.enabled is false"));
  }
  if (input.gcsFaultTolerance && mode !== "kuberay") {
    faults.push(fault(["gcsFaultTolerance"], `mode: kuberay for it, not ${mode}`));
  }
  if (mode === "static" && input.headServiceAccount !== undefined) {
    faults.push(
      fault(["headServiceAccount"], "mode: autoscaling or kuberay for it", "a static head uses serviceAccount"),
    );
  }
  return [...faults, ...Object.entries(workerGroups).flatMap(([name, each]) => boundsFaults(name, each, input, fault))];
}

/**
 * Checks the size of a worker group: `replicas`, or bounds if the mode is autoscaling. In mode kuberay, bounds in one
 * group require bounds in all.
 */
function boundsFaults(
  name: string,
  { replicas, minReplicas, maxReplicas }: WorkerGroup,
  { mode, workerGroups }: RayClusterInput,
  fault: (path: Path, expected: string, hint?: string) => Fault,
): Fault[] {
  const path = ["workerGroups", name];
  const scaled =
    mode === "autoscaling" ||
    (mode === "kuberay" &&
      Object.values(workerGroups).some((one) => one.minReplicas !== undefined || one.maxReplicas !== undefined));
  if (!scaled) {
    return (["minReplicas", "maxReplicas"] as const)
      .filter((key) => ({ minReplicas, maxReplicas })[key] !== undefined)
      .map((key) => fault([...path, key], "mode: autoscaling or kuberay for it", "a static group has replicas"));
  }
  const faults: Fault[] = [];
  if (replicas !== undefined)
    faults.push(fault([...path, "replicas"], "minReplicas and maxReplicas instead, because the cluster scales"));
  for (const key of ["minReplicas", "maxReplicas"] as const) {
    if ({ minReplicas, maxReplicas }[key] === undefined)
      faults.push(fault([...path, key], "a whole number from 0, because the cluster scales"));
  }
  if (minReplicas !== undefined && maxReplicas !== undefined && minReplicas > maxReplicas) {
    faults.push(fault([...path, "minReplicas"], `at most maxReplicas, ${maxReplicas}`));
  }
  return faults;
}
