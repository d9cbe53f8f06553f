/** In which order objects are applied, and what may happen at the same time. */

import { groupOf } from "../client/objects";
import type { Ref } from "../client/objects";

/** What others need to exist before they are accepted. */
const isGround = ({ apiVersion, kind }: Ref): boolean =>
  (kind === "Namespace" && apiVersion === "v1") ||
  (kind === "CustomResourceDefinition" && groupOf(apiVersion) === "apiextensions.k8s.io");

const RUN = "run pods";
const WORKLOADS = new Set(["StatefulSet", "Deployment", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod"]);

function rank(ref: Ref): string {
  if (isGround(ref)) return ref.kind;
  // A webhook that exists before the pods that answer it would refuse them.
  if (groupOf(ref.apiVersion) === "admissionregistration.k8s.io") return "admission";
  return WORKLOADS.has(ref.kind) ? RUN : "other";
}

/**
 * Cuts a list, in its order, into stretches of the same rank. Stretches follow one another; objects within one may be
 * applied at the same time. The order is the caller's: nothing is moved.
 */
export function stretches<T>(items: readonly T[], refOf: (item: T) => Ref): T[][] {
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
