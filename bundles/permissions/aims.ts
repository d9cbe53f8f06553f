/** Objects that affect others by name or label: disruption budgets, autoscalers. */

import { at, groupOf, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { podSpecsIn } from "./pods";
import { isObject, type Json } from "../../foundation/json/isObject";

interface Aim {
  readonly namespaceOf: (object: KubeObject) => string | undefined;
}

/** Texts, each with its object. What an operator creates later is unknown here. */
export function aimsAtOthers(objects: readonly KubeObject[], { namespaceOf }: Aim): (readonly [KubeObject, string])[] {
  const own = new Set(
    objects.map((one) => keyOf(groupOf(one.apiVersion), one.kind, namespaceOf(one), one.metadata.name)),
  );
  const pods = objects
    .filter((one) => podSpecsIn(one).length > 0)
    .map((one) => [namespaceOf(one), labelsOf(one)] as const);
  return objects.flatMap((object): (readonly [KubeObject, string])[] => {
    const place = namespaceOf(object);
    const group = groupOf(object.apiVersion);
    if (group === "policy" && object.kind === "PodDisruptionBudget") {
      const wanted = at(object, "spec", "selector", "matchLabels");
      const labels = Object.entries(isObject(wanted) ? wanted : {});
      const isOwn = pods.some(
        ([where, found]) =>
          where === place && labels.length > 0 && labels.every(([key, value]) => found[key] === value),
      );
      return isOwn ? [] : [[object, "keeps pods of others from being evicted"]];
    }
    const target = targetOf(object);
    if (!target || own.has(keyOf(groupOf(target.apiVersion), target.kind, place, target.name))) return [];
    return [[object, `changes the size of ${target.kind} ${place ?? ""}/${target.name}`]];
  });
}

const keyOf = (group: string, kind: string, place: string | undefined, name: string): string =>
  [group, kind, place ?? "", name].join("/");

function labelsOf(object: KubeObject): Json {
  const labels = at(object, "spec", "template", "metadata", "labels") ?? object.metadata.labels;
  return isObject(labels) ? labels : {};
}

/** Target of known autoscalers. */
function targetOf({
  apiVersion,
  kind,
  spec,
}: KubeObject): { apiVersion: string; kind: string; name: string } | undefined {
  const known = /^(autoscaling|autoscaling\.k8s\.io|keda\.sh)$/.test(groupOf(apiVersion));
  const ref = at(spec, kind === "VerticalPodAutoscaler" ? "targetRef" : "scaleTargetRef");
  const [name, of] = [textAt(ref, "name"), textAt(ref, "kind") ?? "Deployment"];
  return known && name !== undefined
    ? { apiVersion: textAt(ref, "apiVersion") ?? "apps/v1", kind: of, name }
    : undefined;
}
