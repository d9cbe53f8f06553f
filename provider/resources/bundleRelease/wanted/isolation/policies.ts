/**
 * NetworkPolicies for the workloads of a bundle that has none itself, derived from its objects. Ingress only: what pods
 * connect to shows in no manifest, and network plugins differ in what an address in a rule covers.
 */

import { labelWithHash } from "../../../../../foundation/text/legalName";
import { isObject, type Json } from "../../../../../foundation/json/isObject";
import { at, groupOf, listAt, type KubeObject } from "../../../../../kubernetes/client/objects";
import { selects } from "../../../../../kubernetes/client/selector";
import type { BundleObject } from "../../../../../bundles/format/format";
import { declaredPorts, distinct, maySelect, servedPorts, type Port, type Template } from "./ports";

/** Where each kind has the template of its pods. A Pod is its own. */
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
const kindOf = ({ apiVersion, kind }: KubeObject): string => `${groupOf(apiVersion)}/${kind}`;
/** They come to an end and serve nobody by themselves: what they declare counts for policies that select them. */
const isTask = (object: KubeObject): boolean => groupOf(object.apiVersion) === "batch";

interface Workload {
  readonly source: BundleObject;
  readonly template: Template;
  /** Undefined for tasks, and for what would select every pod. */
  readonly selector: Json | undefined;
}

/**
 * For each workload that declares a port: everything from its own namespace, and these ports from anywhere. Webhooks,
 * load balancers, ingress controllers and Prometheus come from addresses that nobody can know here.
 */
export function isolationOf(objects: readonly BundleObject[], release: string, namespace: string): BundleObject[] {
  // What is of the whole cluster names no namespace, so its policies are among these too.
  const here = objects.filter(({ object }) => (object.metadata.namespace ?? namespace) === namespace);
  // Policies add up: one more would open what the bundle's own close, those of Cilium and Calico included.
  if (here.some(({ object: { kind } }) => kind.endsWith("NetworkPolicy"))) return [];
  const workloads = here.flatMap(workloadOf);
  const services = here.map(({ object }) => object).filter(({ kind }) => kind === "Service");
  return workloads.flatMap(({ source, selector, template }) => {
    if (selector === undefined || template.spec["hostNetwork"] === true) return [];
    const selected = workloads.filter((other) => selects(selector, other.template.labels));
    const ports = selected.map((other) => portsOf(other, services));
    if (selected.length === 0 || ports.some((some) => some === undefined)) return [];
    return [policyFor(source, selector, distinct(ports.flatMap((some) => some ?? [])), release, namespace)];
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

/** Undefined if any port may be meant: then nothing may be closed. */
function portsOf({ source, template }: Workload, services: readonly KubeObject[]): Port[] | undefined {
  const served = services.filter((one) => maySelect(one, template)).map((one) => servedPorts(one, template));
  if (served.some((some) => some === undefined)) return undefined;
  const ports = [...declaredPorts(template), ...served.flatMap((some) => some ?? [])];
  return ports.length === 0 && !isTask(source.object) ? undefined : ports;
}

const LONGEST = 63;

function policyFor(
  { object, ...source }: BundleObject,
  podSelector: Json,
  ports: readonly Port[],
  release: string,
  namespace: string,
): BundleObject {
  const text = `${release}-${object.metadata.name}`;
  // The release is in it, so that a workload that moves to another one gets a policy of its own there.
  const whole = JSON.stringify([release, kindOf(object), object.metadata.name]);
  const name = labelWithHash({ text, whole, hashLength: 8, longest: LONGEST, empty: "workload" });
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
