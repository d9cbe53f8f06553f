/** Pods of a job, with the parts of their spec that affect scheduling. Pure. */

import { at, listAt, textAt } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { bytesOf } from "../../../../kubernetes/objects/bytes";
import type { Json } from "../../../../foundation/json/isObject";

/** Pods of one kind: the execution controller or the workers. */
export interface PodKind {
  /** For messages: `a worker`, `the execution controller`. */
  readonly who: string;
  readonly count: number;
  readonly spec: Json;
}

/** CPUs and bytes of memory. */
interface Room {
  readonly cpu: number;
  readonly memory: number;
}

export function podKinds(footprint: readonly KubeObject[]): PodKind[] {
  return footprint.flatMap((object) => {
    const spec = at(object, "spec", "template", "spec");
    if (typeof spec !== "object" || spec === null) return [];
    const isWorker = object.kind === "Deployment";
    const count = isWorker ? Number(at(object, "spec", "replicas") ?? 1) : 1;
    return [{ who: isWorker ? "a worker" : "the execution controller", count, spec: spec as Json }];
  });
}

/** Converts a quantity such as `500m` or `2` to CPUs. */
export function cpuOf(quantity: unknown): number {
  if (typeof quantity !== "string") return typeof quantity === "number" ? quantity : 0;
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}

/** Converts a quantity such as `4Gi` to bytes. */
export const memoryOf = (quantity: unknown): number => bytesOf(quantity) ?? 0;

/**
 * Returns the sum of the containers' resources; `kind` is `requests` or `limits`. A limit alone also counts as a
 * request.
 */
export function asked({ spec }: PodKind, kind: "requests" | "limits"): Room {
  const containers = listAt(spec, "containers");
  const sum = (resource: string, read: (quantity: unknown) => number): number =>
    containers.reduce((total, container) => {
      const limit = at(container, "resources", "limits", resource);
      const own = kind === "limits" ? limit : (at(container, "resources", "requests", resource) ?? limit);
      return total + (own === undefined ? 0 : read(own));
    }, 0);
  return { cpu: sum("cpu", cpuOf), memory: sum("memory", memoryOf) };
}

/** Returns the names of claims, pull secrets and the priority class that a pod needs. */
export function needs({ spec }: PodKind): { claims: string[]; secrets: string[]; priorityClass?: string } {
  return {
    claims: listAt(spec, "volumes").flatMap((one) => textAt(one, "persistentVolumeClaim", "claimName") ?? []),
    secrets: listAt(spec, "imagePullSecrets").flatMap((one) => textAt(one, "name") ?? []),
    priorityClass: textAt(spec, "priorityClassName"),
  };
}
