/** What objects do by themselves, beyond what their pods, roles, webhooks and aims show. Pure. */

import { groupOf, isCore, isList, without, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { shortHash } from "../../../foundation/digest";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { isDescriptive } from "./labels";
import { DELIVERY } from "./delivery";
import { KUBERNETES } from "./kubernetes";
import type { KindRule, Reference } from "./rule";
import { SECURITY } from "./security";
import { TRAFFIC } from "./traffic";
import { WORKLOADS } from "./workloads";

const RULES: readonly KindRule[] = [...KUBERNETES, ...DELIVERY, ...SECURITY, ...TRAFFIC, ...WORKLOADS];

type Kind = Pick<Ref, "apiVersion" | "kind">;

const found = new Map<string, readonly KindRule[]>();

/** Rules that name a kind, else those of its group; empty for an unknown kind. */
function rulesFor({ apiVersion, kind }: Kind): readonly KindRule[] {
  const group = groupOf(apiVersion);
  const key = `${group}/${kind}`;
  const rules = found.get(key) ?? rulesOf(group, kind);
  found.set(key, rules);
  return rules;
}

function rulesOf(group: string, kind: string): readonly KindRule[] {
  const exact = RULES.filter((rule) => rule.group === group);
  const ofGroup =
    exact.length > 0
      ? exact
      : RULES.filter((rule) => rule.group.startsWith("*.") && group.endsWith(rule.group.slice(1)));
  const named = ofGroup.filter(({ kinds }) => kinds?.includes(kind));
  return named.length > 0 ? named : ofGroup.filter(({ kinds }) => kinds === undefined);
}

export const isKnown = (kind: Kind): boolean => rulesFor(kind).length > 0;

/** Whether objects of the kind restrict others, so that removing one is a request. */
export const restricts = (kind: Kind): boolean => rulesFor(kind).some((rule) => rule.restricts);

/** As sentence parts. Each is requested again when the object's content changes. */
export const actsOf = (object: KubeObject): string[] =>
  rulesFor(object).flatMap(({ acts, where, shows = [] }) => {
    if (acts === undefined || (where !== undefined && !valuesAt(object, where).some(Boolean))) return [];
    const shown = shows.flatMap((field) => valuesAt(object, field)).filter((value) => typeof value === "string");
    return [shown.length === 0 ? acts : `${acts} (${[...new Set(shown)].join(", ")})`];
  });

/** Objects that it names, by the rules of its kind. */
export const referencesOf = (object: KubeObject): (Omit<Reference, "field"> & { readonly name: string })[] =>
  rulesFor(object).flatMap(({ refers = [] }) =>
    refers.flatMap(({ field, ...one }) =>
      valuesAt(object, field).flatMap((name) => (typeof name === "string" ? [{ ...one, name }] : [])),
    ),
  );

/** Namespaces of Kubernetes itself, whose ConfigMaps and Secrets decide about the cluster. */
const SYSTEM = /^kube-(system|public|node-lease)$/;

const JOIN = "bootstrap.kubernetes.io/token";
const JOINS = "gives everybody who knows it access to the cluster (bootstrap token)";

/** Who reads a ConfigMap or Secret as configuration. */
export function readersOf(object: KubeObject, place: string | undefined): string[] {
  if (!isCore(object, "ConfigMap") && !isCore(object, "Secret")) return [];
  const { labels = {}, annotations = {} } = object.metadata;
  return [
    ...(SYSTEM.test(place ?? "")
      ? [object["type"] === JOIN ? JOINS : "may be read as configuration of the cluster"]
      : []),
    ...(labels["argocd.argoproj.io/secret-type"] === undefined
      ? []
      : ["is read by Argo CD as a cluster or repository"]),
    ...(labels["app.kubernetes.io/part-of"] === "argocd" ? ["is read by Argo CD as its settings"] : []),
    ...(annotations["control-plane.alpha.kubernetes.io/leader"] === undefined
      ? []
      : ["is read as the claim of a leader"]),
    ...(object["type"] === "helm.sh/release.v1" || labels["owner"] === "helm" ? ["is read by Helm as a release"] : []),
  ];
}

/** Distinguishes contents of an object. What only describes it does not count, such as the version of its chart. */
export function contentHash(object: KubeObject): string {
  const { annotations = {}, labels = {} } = object.metadata;
  const own = (all: object): Json => Object.fromEntries(Object.entries(all).filter(([key]) => !isDescriptive(key)));
  const content = {
    ...without(object, "metadata", "status"),
    annotations: own(annotations),
    // By these, policies select a namespace.
    ...(isCore(object, "Namespace") && { labels: own(labels) }),
  };
  return shortHash(canonicalJson(content));
}

/** Values of a field as in {@link Reference.field}. */
function valuesAt(object: KubeObject, field: string): unknown[] {
  return field.split(".").reduce<unknown[]>(
    (values, step) => {
      const inner = values.map((value) => (isObject(value) ? value[step.replace("[]", "")] : undefined));
      return step.endsWith("[]") ? inner.flatMap((value) => (isList(value) ? value : [])) : inner;
    },
    [object],
  );
}
