/**
 * Generates NetworkPolicies for the workloads of a bundle that has none. Ingress only: manifests don't show what pods
 * connect to, and network plugins interpret addresses in rules differently.
 */

import { labelWithHash } from "../../../../../foundation/text/legalName";
import { isObject, type Json } from "../../../../../foundation/json/isObject";
import { at, groupOf, listAt, refOf, type KubeObject, type Ref } from "../../../../../kubernetes/objects/objects";
import { selects } from "../../../../../kubernetes/objects/selector";
import type { BundleObject } from "../../../../../bundles/format/format";
import { declaredPorts, distinctPorts, maySelect, servedPorts, type Port, type Template } from "./ports";

/** Path of the pod template by kind. A Pod is its own template. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["spec", "template"],
  "apps/StatefulSet": ["spec", "template"],
  "apps/DaemonSet": ["spec", "template"],
  "apps/ReplicaSet": ["spec", "template"],
  "/ReplicationController": ["spec", "template"],
  "/Pod": [],
  "batch/Job": ["spec", "template"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template"],
};
const kindOf = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): string => `${groupOf(apiVersion)}/${kind}`;
/** Tasks end and serve no clients themselves; their declared ports count for policies that select them. */
const isTask = (object: KubeObject): boolean => groupOf(object.apiVersion) === "batch";

interface Workload {
  readonly source: BundleObject;
  readonly template: Template;
  /** Undefined for tasks, and for a selector that would match every pod. */
  readonly selector: Json | undefined;
}

/**
 * For each workload that declares a port, allows all traffic from its own namespace, and traffic to these ports from
 * anywhere: webhooks, load balancers, ingress controllers and Prometheus come from unknown addresses.
 */
export function isolationOf(objects: readonly BundleObject[], release: string, namespace: string): BundleObject[] {
  // Cluster-scoped objects have no namespace, so cluster-wide policies are included here.
  const here = objects.filter(({ object }) => (object.metadata.namespace ?? namespace) === namespace);
  // Policies are additive: another one would open what the bundle's own policies close. This includes those of Cilium
  // and Calico.
  if (here.some(({ object: { kind } }) => kind.endsWith("NetworkPolicy"))) return [];
  const workloads = here.flatMap(workloadOf);
  const services = here.map(({ object }) => object).filter(({ kind }) => kind === "Service");
  return workloads.flatMap(({ source, selector, template }) => {
    if (selector === undefined || template.spec["hostNetwork"] === true) return [];
    const selected = workloads.filter((other) => selects(selector, other.template.labels));
    const ports = selected.map((other) => portsOf(other, services));
    if (selected.length === 0 || ports.some((some) => some === undefined)) return [];
    return [policyFor(source, selector, distinctPorts(ports.flatMap((some) => some ?? [])), release, namespace)];
  });
}

function workloadOf(source: BundleObject): Workload[] {
  const { object } = source;
  const place = TEMPLATES[kindOf(object)];
  const pod = place && at(object, ...place);
  if (!isObject(pod)) return [];
  const field = (...path: string[]): Json => {
    const value = at(pod, ...path);
    return isObject(value) ? value : {};
  };
  const labels = field("metadata", "labels");
  const template = { labels, annotations: field("metadata", "annotations"), spec: field("spec") };
  return [{ source, template, selector: isTask(object) ? undefined : selectorOf(object, labels) }];
}

function selectorOf(object: KubeObject, labels: Json): Json | undefined {
  const given = at(object, "spec", "selector");
  const bare = object.kind === "Pod" || object.kind === "ReplicationController";
  const chosen = object.kind !== "Pod" && isObject(given) ? given : labels;
  const selector = bare ? { matchLabels: chosen } : given;
  if (!isObject(selector)) return undefined;
  const { matchLabels } = selector;
  const selectsSome = isObject(matchLabels) && Object.keys(matchLabels).length > 0;
  return selectsSome || listAt(selector, "matchExpressions").length > 0 ? selector : undefined;
}

/** Undefined if any port may be used: then no policy is generated. */
function portsOf({ source, template }: Workload, services: readonly KubeObject[]): Port[] | undefined {
  const served = services.filter((one) => maySelect(one, template)).map((one) => servedPorts(one, template));
  if (served.some((some) => some === undefined)) return undefined;
  const ports = [...declaredPorts(template), ...served.flatMap((some) => some ?? [])];
  return ports.length === 0 && !isTask(source.object) ? undefined : ports;
}

const LONGEST = 63;

/** The release is a part of it, so that a workload that moves to another release gets a new policy there. */
export function policyName(release: string, workload: Ref): string {
  const text = `${release}-${workload.name}`;
  const whole = JSON.stringify([release, kindOf(workload), workload.name]);
  return labelWithHash({ text, whole, hashLength: 8, longest: LONGEST, empty: "workload" });
}

function policyFor(
  { object, ...source }: BundleObject,
  podSelector: Json,
  ports: readonly Port[],
  release: string,
  namespace: string,
): BundleObject {
  const name = policyName(release, refOf(object));
  const { file, wave, upgradeWave, upgradesOnly } = source;
  return {
    ...{ file, wave, upgradeWave, upgradesOnly },
    isGenerated: true,
    object: {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name, namespace },
      spec: { podSelector, policyTypes: ["Ingress"], ingress: [{ from: [{ podSelector: {} }] }, { ports }] },
    },
  };
}
