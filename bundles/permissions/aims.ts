/** Objects that affect others by name or label: disruption budgets, autoscalers, Services, policies and pods. */

import { at, groupOf, isCore, listAt, objectAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { selects, selectorText } from "../../kubernetes/objects/selector";
import { isStatefulSet } from "../../kubernetes/claims/claims";
import type { OpenedPods } from "./network";
import { podSpecsIn } from "./pods";
import { isObject, type Json } from "../../foundation/json/isObject";

type NamespaceOf = (object: KubeObject) => string | undefined;

interface Aim {
  readonly namespaceOf: NamespaceOf;
  /** Services, NetworkPolicies and workloads of others in the cluster. */
  readonly services: readonly KubeObject[];
  readonly policies: readonly KubeObject[];
  readonly workloads: readonly KubeObject[];
}

type Pods = readonly (readonly [place: string | undefined, labels: Json])[];

/** Labels of the pods of each workload. */
const podsOf = (workloads: readonly KubeObject[], namespaceOf: NamespaceOf): Pods =>
  workloads.filter((one) => podSpecsIn(one).length > 0).map((one) => [namespaceOf(one), labelsOf(one)]);

const ofCluster: NamespaceOf = ({ metadata }) => metadata.namespace;

/** `policies`: those of others, which may isolate the same pods. */
export function openedPods(
  policy: KubeObject,
  objects: readonly KubeObject[],
  { namespaceOf, policies, workloads }: Omit<Aim, "services">,
): OpenedPods {
  const selector = at(policy, "spec", "podSelector");
  const place = namespaceOf(policy);
  if (!selectsPods(selector, podsOf(objects, namespaceOf), place)) return "others";
  if (selectsPods(selector, podsOf(workloads, ofCluster), place)) return "others";
  const wanted = objectAt(selector, "matchLabels");
  const isShared = policies.some((other) => {
    const labels = at(other, "spec", "podSelector", "matchLabels");
    const isApart = isObject(labels) && Object.entries(labels).some(([key, value]) => (wanted[key] ?? value) !== value);
    return other.metadata.namespace === place && !isApart;
  });
  return isShared ? "shared" : "own";
}

/** Texts, each with its object. What an operator creates later is unknown here. */
export function aimsAtOthers(objects: readonly KubeObject[], aim: Aim): (readonly [KubeObject, string])[] {
  const { namespaceOf, workloads } = aim;
  const own = new Set(
    objects.map((one) => keyOf(groupOf(one.apiVersion), one.kind, namespaceOf(one), one.metadata.name)),
  );
  const [pods, others] = [podsOf(objects, namespaceOf), podsOf(workloads, ofCluster)];
  return objects.flatMap((object) => {
    const place = namespaceOf(object);
    const aims = [...joinedBy(object, aim), ...selectedBy(object, place, pods, others)];
    const target = targetOf(object);
    if (target && !own.has(keyOf(groupOf(target.apiVersion), target.kind, place, target.name)))
      aims.push(`changes the size of ${target.kind} ${place ?? ""}/${target.name}`);
    return aims.map((what) => [object, what] as const);
  });
}

/** What others do with pods of a workload, because of their labels. */
function joinedBy(object: KubeObject, { namespaceOf, services, policies, workloads }: Aim): string[] {
  const pods = podsOf([object], namespaceOf);
  const place = namespaceOf(object);
  const isBare = isCore(object, "Pod") || object.kind === "ReplicaSet";
  const title = ({ kind, metadata: { namespace = "", name } }: KubeObject): string => `${kind} ${namespace}/${name}`;
  if (pods.length === 0) return [];
  return [
    ...services
      .filter((one) => selectsPods(selectorOf(one), pods, one.metadata.namespace))
      .map((one) => `receives requests to ${title(one)}`),
    ...policies
      .filter((one) => one.metadata.namespace === place && peersOf(one).some((peer) => selectsPods(peer, pods, place)))
      .map((one) => `may reach pods that ${title(one)} isolates`),
    ...workloads
      .filter((one) => isBare && selectsPods(at(one, "spec", "selector"), pods, one.metadata.namespace))
      .map((one) => `becomes a part of ${title(one)} by its labels`),
  ];
}

/** Selectors of the pods of its namespace that a NetworkPolicy lets through. */
const peersOf = (policy: KubeObject): unknown[] =>
  listAt(policy, "spec", "ingress")
    .flatMap((rule) => listAt(rule, "from"))
    .flatMap(({ podSelector, namespaceSelector }) => (namespaceSelector === undefined ? [podSelector] : []));

/** What a Service or a budget does with pods of others. */
function selectedBy(object: KubeObject, place: string | undefined, pods: Pods, others: Pods): string[] {
  const isBudget = groupOf(object.apiVersion) === "policy" && object.kind === "PodDisruptionBudget";
  const selector = selectorOf(object);
  if (!isBudget && !(isCore(object, "Service") && selector !== undefined)) return [];
  const isOwn = selectsPods(selector, pods, place);
  if (isOwn && !selectsPods(selector, others, place)) return [];
  const [chosen, too] = [selectorText(selector) || "all", isOwn ? " too" : ""];
  return [
    isBudget
      ? `keeps pods of others from being evicted${too} (${chosen})`
      : `sends requests to pods that are not in the bundle${too} (${chosen})`,
  ];
}

/** As Kubernetes' label selectors; undefined for a Service without one. */
function selectorOf(object: KubeObject): Json | undefined {
  const { selector } = objectAt(object, "spec");
  if (!isCore(object, "Service")) return isObject(selector) ? selector : {};
  return isObject(selector) && Object.keys(selector).length > 0 ? { matchLabels: selector } : undefined;
}

/** Whether a selector selects pods by what they have. Those of others may have it too. */
function selectsPods(selector: unknown, pods: Pods, place: string | undefined): boolean {
  const { [POD_NAME]: pod, ...labels } = objectAt(selector, "matchLabels");
  const isNarrow =
    pod !== undefined ||
    Object.keys(labels).length > 0 ||
    listAt(selector, "matchExpressions").some(({ operator }) => operator === "In");
  const ofSets = { ...labels, ...(pod !== undefined && { [POD_NAME]: setOf(pod) }) };
  const wanted = { ...(isObject(selector) ? selector : {}), matchLabels: ofSets };
  return isNarrow && pods.some(([where, found]) => where === place && selects(wanted, found));
}

const keyOf = (group: string, kind: string, place: string | undefined, name: string): string =>
  [group, kind, place ?? "", name].join("/");

/** The controller of StatefulSets adds it to each pod: `db-0`. Here its value is the name of the set. */
const POD_NAME = "statefulset.kubernetes.io/pod-name";
const setOf = (pod: unknown): string => String(pod).replace(/-\d+$/, "");

function labelsOf(object: KubeObject): Json {
  const job = at(object, "spec", "jobTemplate") ?? object;
  const labels = at(job, "spec", "template", "metadata", "labels") ?? object.metadata.labels;
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
