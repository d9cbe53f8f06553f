/** The order in which objects are applied, and what may be applied in parallel. */

import { groupOf, type Ref } from "../objects/objects";

/** Kinds that other objects need before the API server accepts them. */
const isPrerequisite = ({ apiVersion, kind }: Ref): boolean =>
  (kind === "Namespace" && apiVersion === "v1") ||
  (kind === "CustomResourceDefinition" && groupOf(apiVersion) === "apiextensions.k8s.io");

const RUN = "run pods";
const WORKLOADS = new Set(["StatefulSet", "Deployment", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod"]);

function rank(ref: Ref): string {
  if (isPrerequisite(ref)) return ref.kind;
  // An admission webhook that exists before its pods would reject them.
  if (groupOf(ref.apiVersion) === "admissionregistration.k8s.io") return "admission";
  return WORKLOADS.has(ref.kind) ? RUN : "other";
}

/**
 * Splits a list into consecutive runs of the same rank. The runs are applied one after another; the objects within one
 * in parallel. Never reorders objects: the caller decides the order.
 */
export function batchesOf<T>(items: readonly T[], refOf: (item: T) => Ref): T[][] {
  const result: T[][] = [];
  let current = "";
  for (const item of items) {
    const next = rank(refOf(item));
    if (next !== current) result.push([]);
    current = next;
    result.at(-1)?.push(item);
  }
  return result;
}
