import type { Present } from "../../record/present";
import type { Manifest } from "../../templates/render";
import { scaledToZero } from "../../templates/scaledToZero";
import { requestDigest } from "../../record/requestDigest";
import type { KubernetesPlace } from "./place";
import type { KubernetesPlan } from "./plan";

/**
 * The existing objects of a runtime, scaled to zero, if hibernation is the only change. Changed templates and sizes
 * can't prevent it from stopping. Undefined if the request changes anything else.
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

const isKubernetes = (place: unknown): place is KubernetesPlace =>
  (place as { readonly type?: unknown } | undefined)?.type === "kubernetes";
