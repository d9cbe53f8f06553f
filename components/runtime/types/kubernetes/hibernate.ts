import type { Present } from "../../request/present";
import type { Manifest } from "../../templates/render";
import { requestDigest } from "../../request/requestDigest";
import type { KubernetesPlace } from "./place";
import type { KubernetesPlan } from "./plan";

/** What is scaled, and so stops when a runtime hibernates. */
const SCALED = new Set(["StatefulSet", "Deployment"]);

/**
 * The objects of a runtime that is to hibernate and to change in nothing else: those that exist, scaled to zero.
 * Neither templates nor sizes that have changed since then can stand in the way of stopping it. Undefined when more than
 * that is requested.
 */
export function hibernatedObjects(plan: KubernetesPlan, present: Present<unknown> | undefined): Manifest[] | undefined {
  const { record, place, name } = present ?? {};
  if (!isKubernetes(place) || record === undefined || name !== plan.name) return undefined;
  const { deployment, provisioner } = plan;
  if (deployment.state !== "hibernated" || record.deployment.state !== "running") return undefined;
  const stopped = { ...record, deployment: { ...record.deployment, state: "hibernated" as const } };
  if (requestDigest(stopped) !== requestDigest({ ...record, deployment, provisioner })) return undefined;
  return place.objects.map(scaledToZero);
}

export function scaledToZero(object: Manifest): Manifest {
  if (!SCALED.has(String(object["kind"]))) return object;
  return { ...object, spec: { ...(object["spec"] as object | undefined), replicas: 0 } };
}

const isKubernetes = (place: unknown): place is KubernetesPlace =>
  (place as { readonly type?: unknown } | undefined)?.type === "kubernetes";
