import { setNameOf } from "../../../../foundation/pulumi/setName";
import type { StateResource } from "../../../resources/ownState";
import { MANIFEST_SET } from "../../../resources/tokens";
import { ChoiceError } from "../../choiceError";
import { moveCommand, restoreId } from "../../moveCommand";
import { textIn, type Present } from "../../record/present";
import type { Manifest } from "../../templates/render";
import type { Placed } from "../../planBase";
import type { KubernetesPlan } from "./plan";

export interface KubernetesPlace {
  readonly type: "kubernetes";
  /** Address of its cluster. */
  readonly cluster: string;
  readonly namespace: string;
  /** Name of its set: `runtime-<provision id>`. */
  readonly set: string;
  /** Its objects as applied. */
  readonly objects: readonly Manifest[];
  readonly claimsWhenDeleted?: string;
}

/** Ignores other sets of the stack, such as those with Secrets for the runtime. */
export function kubernetesPlaceIn(urn: string, { type, outputs }: StateResource): KubernetesPlace | undefined {
  if (type !== MANIFEST_SET || !urn.includes("KubernetesRuntime$")) return undefined;
  return {
    type: "kubernetes",
    cluster: textIn(outputs, "cluster") ?? "",
    namespace: textIn(outputs, "namespace") ?? "",
    set: textIn({ name: setNameOf(outputs) }, "name") ?? "",
    objects: (Array.isArray(outputs["objects"]) ? outputs["objects"] : []) as Manifest[],
    claimsWhenDeleted: textIn(outputs, "claimsWhenDeleted"),
  };
}

export const isSamePlace = (plan: KubernetesPlan, place: KubernetesPlace): boolean =>
  place.cluster === plan.spec.cluster && isSameSet(plan, place);

const isSameSet = (plan: KubernetesPlan, place: KubernetesPlace): boolean =>
  place.namespace === plan.namespace && place.set === setOf(plan);

const setOf = ({ provisionId }: KubernetesPlan): string => `runtime-${provisionId}`;

export const kubernetesTarget = ({ namespace, spec }: KubernetesPlan): string =>
  `namespace ${namespace} of ${spec.cluster}`;

export const describeKubernetes = ({ namespace, cluster }: KubernetesPlace): string =>
  `namespace ${namespace} of ${cluster}`;

/** A runtime stays in its namespace, even if its provisioner now has another one. */
export function keepInNamespace(
  plan: KubernetesPlan,
  { place, name, record }: Present<KubernetesPlace>,
): Placed<KubernetesPlan> {
  if (place.set !== setOf(plan)) {
    throw new ChoiceError(
      `deployment "${plan.deployment.id}": the runtime of this stack is ${place.set}, and with this id it would be ${setOf(plan)}; ` +
        `the objects of a runtime are named by its id, which can't change. ${restoreId(record?.deployment.id)}`,
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

/** What happens to the disk at the former location. */
export function dataAfterMove(place: KubernetesPlace, plan: KubernetesPlan | undefined, hibernated: boolean): string {
  const stays =
    plan !== undefined && isSameSet(plan, place)
      ? ". If both addresses reach the same cluster, the runtime and its disk stay"
      : "";
  return `; ${diskFate(place, hibernated)}${stays}`;
}

const disksAt = ({ objects, claimsWhenDeleted, set }: KubernetesPlace) =>
  objects.flatMap((object) => disksOf(object, claimsWhenDeleted, set));

/** Whether a disk is deleted with the runtime. */
export const losesDisk = (place: KubernetesPlace): boolean => disksAt(place).some(({ kept }) => !kept);

export function diskFate(place: KubernetesPlace, hibernated: boolean): string {
  const disks = disksAt(place);
  if (disks.length === 0) return "it has no disk";
  const deleted = `deleted once the new runtime ${hibernated ? "is awake and ready" : "is ready"}`;
  return disks.map(({ claim, kept }) => `disk ${place.namespace}/${claim} is ${kept ? "kept" : deleted}`).join(", ");
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
