import { RESERVED_CONTAINERS, RESERVED_ENV, RESERVED_LABELS, RESERVED_MOUNTS, RESERVED_VOLUMES } from "../clusters";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import type { PodExtras } from "./schema";

/** Additional pod fields and their path. */
interface PodExtrasInput {
  readonly path: Path;
  readonly extras: PodExtras;
  /** Fields of all pods of the cluster. Not set if `extras` are those. */
  readonly common?: PodExtras;
}

/** Checks that additional fields do not conflict with those of the chart or the operator, or with each other. */
export function podFaults({ path, extras, common }: PodExtrasInput, place: FaultContext): Fault[] {
  const faults: Fault[] = [];
  const fault = (own: Path, expected: string, hint?: string): void => {
    faults.push(mismatch([...path, ...own], foundAt(place, [...path, ...own]), expected, hint));
  };
  for (const variable of Object.keys(extras.env).filter((key) => RESERVED_ENV.has(key))) {
    fault(["env", variable], "no such variable, because it follows from auth, tls, gcsFaultTolerance or mode");
  }
  for (const label of Object.keys(extras.labels).filter((key) => RESERVED_LABELS.test(key))) {
    fault(["labels", label], "another label, because this one is the chart's or the operator's");
  }
  const taken = new Set<string>(common?.volumes.map(({ name }) => name));
  extras.volumes.forEach(({ name }, index) => {
    if (RESERVED_VOLUMES.has(name))
      fault(["volumes", index, "name"], "another name, because the chart has such a volume");
    else if (taken.has(name)) fault(["volumes", index, "name"], "another name, because two volumes have this one");
    taken.add(name);
  });
  const mounted = new Set<string>(common?.volumeMounts.map(({ mountPath }) => mountPath));
  extras.volumeMounts.forEach(({ name, mountPath }, index) => {
    if (!taken.has(name)) {
      const volumes = [...taken].join(", ");
      fault(
        ["volumeMounts", index, "name"],
        volumes === "" ? "a volume of this name" : `one of the volumes ${volumes}`,
      );
    }
    if (mounted.has(mountPath))
      fault(["volumeMounts", index, "mountPath"], "another path, because two mounts have this one");
    mounted.add(mountPath);
    if (RESERVED_MOUNTS.some((reserved) => `${mountPath}/`.startsWith(`${reserved}/`))) {
      fault(["volumeMounts", index, "mountPath"], `a path outside of ${RESERVED_MOUNTS.join(", ")}, which Ray uses`);
    }
  });
  const named = new Set<string>(common && [...common.initContainers, ...common.containers].map(({ name }) => name));
  for (const key of ["initContainers", "containers"] as const) {
    extras[key].forEach(({ name }, index) => {
      if (RESERVED_CONTAINERS.has(name))
        fault([key, index, "name"], "another name, because Ray's pods have such a one");
      else if (named.has(name)) fault([key, index, "name"], "another name, because two containers have this one");
      named.add(name);
    });
  }
  return faults;
}
