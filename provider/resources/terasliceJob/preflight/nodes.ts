/** Checks whether a node accepts a pod: labels, tolerations, and size. Pure. */

import { at, listAt, textAt } from "../../../../kubernetes/objects/objects";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { asked, cpuOf, memoryOf } from "./pods";
import type { PodKind } from "./pods";
import type { Json } from "../../../../foundation/json/isObject";

const GB = 1_000_000_000;

/** Returns why no node of `nodes` accepts the pod; undefined if one does. */
export function nodeFault(pod: PodKind, nodes: readonly KubeObject[]): string | undefined {
  const up = nodes.filter(isUp);
  if (up.length === 0) return `no node is ready for ${pod.who}`;
  const fitting = up.filter((node) => matches(pod.spec, node));
  if (fitting.length === 0) return `no node has what ${pod.who} requires: ${requirement(pod.spec)}`;
  const open = fitting.filter((node) => repelling(pod.spec, node) === undefined);
  if (open.length === 0) {
    const taint = repelling(pod.spec, fitting[0]!);
    return `${pod.who} does not tolerate the taint ${taint} of the nodes that it could run on; a target of the kind "accepted" does`;
  }
  const { cpu, memory } = asked(pod, "requests");
  const roomy = open.filter((node) => {
    const room = allocatable(node);
    return room.cpu >= cpu && room.memory >= memory;
  });
  if (roomy.length > 0) return undefined;
  const rooms = open.map(allocatable);
  const [mostCpu, mostMemory] = [
    Math.max(...rooms.map((room) => room.cpu)),
    Math.max(...rooms.map((room) => room.memory)),
  ];
  return (
    `${pod.who} asks for ${cpu} CPUs and ${gb(memory)} of memory; the nodes that it could run on have ` +
    `at most ${mostCpu} CPUs and ${gb(mostMemory)}`
  );
}

const gb = (bytes: number): string => `${Math.round((bytes / GB) * 10) / 10} GB`;

function isUp(node: KubeObject): boolean {
  const ready = listAt(node, "status", "conditions").find(({ type }) => type === "Ready");
  return at(node, "spec", "unschedulable") !== true && ready?.["status"] === "True";
}

const allocatable = (node: KubeObject) => ({
  cpu: cpuOf(at(node, "status", "allocatable", "cpu")),
  memory: memoryOf(at(node, "status", "allocatable", "memory")),
});

const terms = (spec: Json): Json[] =>
  listAt(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");

function matches(spec: Json, node: KubeObject): boolean {
  const labels = node.metadata.labels ?? {};
  const selector = Object.entries((at(spec, "nodeSelector") ?? {}) as Record<string, string>);
  if (!selector.every(([key, value]) => labels[key] === value)) return false;
  const all = terms(spec);
  return (
    all.length === 0 || all.some((term) => listAt(term, "matchExpressions").every((one) => satisfied(one, labels)))
  );
}

function satisfied(expression: Json, labels: Readonly<Record<string, string>>): boolean {
  const key = textAt(expression, "key") ?? "";
  const values = (at(expression, "values") ?? []) as readonly string[];
  const value = labels[key];
  switch (textAt(expression, "operator") ?? "") {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return Number(value) > Number(values[0]);
    case "Lt":
      return Number(value) < Number(values[0]);
    default:
      return true; // An operator of a later Kubernetes version, which is left to the scheduler.
  }
}

function requirement(spec: Json): string {
  const selector = Object.entries((at(spec, "nodeSelector") ?? {}) as Record<string, string>);
  const expressions = terms(spec).map((term) =>
    listAt(term, "matchExpressions")
      .map(({ key, operator, values }) =>
        `${String(key)} ${String(operator)} ${((values ?? []) as string[]).join(", ")}`.trim(),
      )
      .join(" and "),
  );
  return [...selector.map(([key, value]) => `${key}=${value}`), expressions.join(" or ")]
    .filter((text) => text !== "")
    .join(" and ");
}

/** Returns the first taint that repels the pod, in kubectl's notation. */
function repelling(spec: Json, node: KubeObject): string | undefined {
  const tolerations = listAt(spec, "tolerations");
  const taint = listAt(node, "spec", "taints").find(
    (one) => one["effect"] !== "PreferNoSchedule" && !tolerations.some((toleration) => tolerates(toleration, one)),
  );
  return taint && `${String(taint["key"])}=${textAt(taint, "value") ?? ""}:${String(taint["effect"])}`;
}

function tolerates(toleration: Json, taint: Json): boolean {
  if (toleration["effect"] !== undefined && toleration["effect"] !== taint["effect"]) return false;
  if (toleration["key"] === undefined) return toleration["operator"] === "Exists";
  if (toleration["key"] !== taint["key"]) return false;
  return toleration["operator"] === "Exists" || (toleration["value"] ?? "") === (taint["value"] ?? "");
}
