/** Objects that affect others by name or label: disruption budgets, autoscalers, Services and pods of Services. */

import { at, groupOf, isCore, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { isStatefulSet } from "../../kubernetes/claims/claims";
import { podSpecsIn } from "./pods";
import { isObject, type Json } from "../../foundation/json/isObject";

interface Aim {
  readonly namespaceOf: (object: KubeObject) => string | undefined;
  /** Services of others in the cluster. */
  readonly services: readonly KubeObject[];
}

/**
 * Whether a NetworkPolicy selects pods of the bundle by their labels. `policies`: those of others, which may isolate the
 * same pods.
 */
export function opensOwnPods(
  policy: KubeObject,
  objects: readonly KubeObject[],
  { namespaceOf, policies }: Pick<Aim, "namespaceOf"> & { readonly policies: readonly KubeObject[] },
): boolean {
  const selector = at(policy, "spec", "podSelector");
  const wanted = at(selector, "matchLabels");
  if (!isObject(wanted) || listAt(selector, "matchExpressions").length > 0) return false;
  const place = namespaceOf(policy);
  const pods = objects
    .filter((one) => podSpecsIn(one).length > 0)
    .map((one) => [namespaceOf(one), labelsOf(one)] as const);
  if (!isOwnPods(wanted, pods, place)) return false;
  return !policies.some((other) => {
    const labels = at(other, "spec", "podSelector", "matchLabels");
    const isApart = isObject(labels) && Object.entries(labels).some(([key, value]) => (wanted[key] ?? value) !== value);
    return other.metadata.namespace === place && !isApart;
  });
}

/** Texts, each with its object. What an operator creates later is unknown here. */
export function aimsAtOthers(
  objects: readonly KubeObject[],
  { namespaceOf, services }: Aim,
): (readonly [KubeObject, string])[] {
  const own = new Set(
    objects.map((one) => keyOf(groupOf(one.apiVersion), one.kind, namespaceOf(one), one.metadata.name)),
  );
  const workloads = objects.filter((one) => podSpecsIn(one).length > 0);
  const pods = workloads.map((one) => [namespaceOf(one), labelsOf(one)] as const);
  const joins = workloads.flatMap((object, index) =>
    services
      .filter((service) => selectsSome(pods.slice(index, index + 1), service))
      .map(
        ({ metadata: { namespace = "", name } }) =>
          [object, `receives requests to Service ${namespace}/${name}`] as const,
      ),
  );
  const aims = objects.flatMap((object): (readonly [KubeObject, string])[] => {
    const place = namespaceOf(object);
    const group = groupOf(object.apiVersion);
    if (group === "policy" && object.kind === "PodDisruptionBudget") {
      const wanted = at(object, "spec", "selector", "matchLabels");
      const isOwn = isOwnPods(isObject(wanted) ? wanted : {}, pods, place);
      return isOwn ? [] : [[object, "keeps pods of others from being evicted"]];
    }
    const selector = isCore(object, "Service") ? at(object, "spec", "selector") : undefined;
    if (isObject(selector) && !isOwnPods(selector, pods, place)) {
      return [[object, "sends requests to pods that are not in the bundle"]];
    }
    const target = targetOf(object);
    if (!target || own.has(keyOf(groupOf(target.apiVersion), target.kind, place, target.name))) return [];
    return [[object, `changes the size of ${target.kind} ${place ?? ""}/${target.name}`]];
  });
  return [...joins, ...aims];
}

type Pods = readonly (readonly [place: string | undefined, labels: Json])[];

const selectsSome = (pods: Pods, { metadata, spec }: KubeObject): boolean => {
  const selector = at(spec, "selector");
  return isObject(selector) && isOwnPods(selector, pods, metadata.namespace);
};

/** Whether labels select pods of the bundle. Those of others may have them too. */
const isOwnPods = (wanted: Json, pods: Pods, place: string | undefined): boolean => {
  const labels = Object.entries(wanted);
  return pods.some(
    ([where, found]) =>
      where === place &&
      labels.length > 0 &&
      labels.every(([key, value]) => found[key] === (key === POD_NAME ? setOf(value) : value)),
  );
};

const keyOf = (group: string, kind: string, place: string | undefined, name: string): string =>
  [group, kind, place ?? "", name].join("/");

/** The controller of StatefulSets adds it to each pod: `db-0`. Here its value is the name of the set. */
const POD_NAME = "statefulset.kubernetes.io/pod-name";
const setOf = (pod: unknown): string => String(pod).replace(/-\d+$/, "");

function labelsOf(object: KubeObject): Json {
  const labels = at(object, "spec", "template", "metadata", "labels") ?? object.metadata.labels;
  return {
    ...(isObject(labels) ? labels : {}),
    ...(isStatefulSet(object) ? { [POD_NAME]: object.metadata.name } : {}),
  };
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
