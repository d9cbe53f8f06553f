import { ChoiceError } from "./choice";
import type { KubernetesPlan, RuntimePlan } from "./plan";
import type { KubernetesPlace, Present } from "./request/present";

/** A plan at the place where the runtime is to be. */
export interface Placed {
  readonly plan: RuntimePlan;
  /** What a person has to know before it is carried out. */
  readonly notes: readonly string[];
}

/**
 * Keeps a runtime where it is, whatever became of its provisioner, unless its user allows the move. Pure.
 * Throws a {@link ChoiceError} where its provisioner can't serve it at its place any more.
 */
export function settlePlace(plan: RuntimePlan, present: Present | undefined, moving: boolean): Placed {
  if (present === undefined) return { plan, notes: [] };
  if (moving) return { plan: movedPlan(plan, present), notes: moveNotes(plan, present) };
  const { place, name } = present;
  const id = plan.deployment.id;
  if (plan.type === "static" || place.type === "static") {
    const pool = plan.type === "static" ? `pool "${plan.pool}"` : "Kubernetes";
    const same = plan.type === "static" && place.type === "static" && plan.pool === place.pool;
    if (same) return { plan: { ...plan, name }, notes: [] };
    throw new ChoiceError(
      `deployment "${id}" is at ${describePlace(present)}; its provisioner "${plan.provisioner}" is ${pool} now. ` +
        `Restore the provisioner, or move the deployment with: ${moveCommand(plan)}`,
    );
  }
  if (place.set !== setOf(plan)) {
    throw new ChoiceError(
      `deployment "${id}": the runtime of this stack is ${place.set}, and with this id it would be ${setOf(plan)}; ` +
        "the objects of a runtime are named by its id, which can't change. Restore deployment.id, or use another stack",
    );
  }
  const notes =
    place.namespace === plan.namespace
      ? []
      : [
          `provisioner "${plan.provisioner}" has namespace ${plan.namespace} now; the runtime stays in ${place.namespace}. ` +
            `Move it with: ${moveCommand(plan)}`,
        ];
  return { plan: { ...plan, name, namespace: place.namespace }, notes };
}

/** The same place keeps its name, so that the move is a change in place. */
function movedPlan(plan: RuntimePlan, { place, name }: Present): RuntimePlan {
  const same =
    plan.type === "static"
      ? place.type === "static" && place.pool === plan.pool
      : place.type === "kubernetes" && isSamePlace(plan, place);
  return same ? { ...plan, name } : plan;
}

const isSamePlace = (plan: KubernetesPlan, place: KubernetesPlace): boolean =>
  place.cluster === plan.spec.cluster && place.namespace === plan.namespace && place.set === setOf(plan);

function moveNotes(plan: RuntimePlan, present: Present): string[] {
  const { place } = present;
  if (place.type === "static") {
    if (plan.type === "static" && plan.pool === place.pool) return [];
    return [`moves from ${describePlace(present)} to ${target(plan)}. Its data is not copied`];
  }
  if (plan.type === "kubernetes" && isSamePlace(plan, place)) return [];
  const unless =
    plan.type === "kubernetes" && place.namespace === plan.namespace && place.set === setOf(plan)
      ? ". If both addresses reach the same cluster, the runtime and its disk stay"
      : "";
  return [
    `moves from ${describePlace(present)} to ${target(plan)}. Its data is not copied; ${diskFate(place)}${unless}`,
  ];
}

/** What becomes of the disk at the place that is left. */
function diskFate({ objects, claimsWhenDeleted, namespace, set }: KubernetesPlace): string {
  const disks = objects.flatMap((object) => disksOf(object, claimsWhenDeleted, set));
  if (disks.length === 0) return "it has no disk";
  const words = disks.map(({ claim, kept }) => `disk ${namespace}/${claim} is ${kept ? "kept" : "deleted"}`);
  return `${words.join(", ")} once the new runtime is ready`;
}

interface Spec {
  readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string };
  readonly volumeClaimTemplates?: readonly { readonly metadata?: { readonly name?: string } }[];
}

function disksOf(object: Record<string, unknown>, policy: string | undefined, set: string) {
  const { name = set } = (object["metadata"] ?? {}) as { name?: string };
  if (object["kind"] === "PersistentVolumeClaim") return [{ claim: name, kept: policy === "Retain" }];
  const spec = (object["spec"] ?? {}) as Spec;
  const kept = (policy ?? spec.persistentVolumeClaimRetentionPolicy?.whenDeleted) !== "Delete";
  return (spec.volumeClaimTemplates ?? []).map(({ metadata }) => ({ claim: `${metadata?.name}-${name}-0`, kept }));
}

const setOf = ({ provisionId }: KubernetesPlan): string => `runtime-${provisionId}`;

function describePlace({ place }: Present): string {
  if (place.type === "static") return `host ${place.host ?? "(not known yet)"} of pool "${place.pool}"`;
  return `namespace ${place.namespace} of ${place.cluster}`;
}

function target(plan: RuntimePlan): string {
  return plan.type === "static" ? `pool "${plan.pool}"` : `namespace ${plan.namespace} of ${plan.spec.cluster}`;
}

const moveCommand = ({ deployment: { id }, provisioner }: RuntimePlan): string =>
  `stackyard runtime up ${id} --provisioner ${provisioner} --move`;
