/** Order in which the objects of a release are applied: by the numbers of their files, then by kind. */

import { groupOf, identity, isCrd, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";

/** Kinds that other objects need in order to be accepted. */
const FOUNDATION = new Set([
  ...["/ServiceAccount", "/Secret", "/ConfigMap", "/ResourceQuota", "/LimitRange", "/PersistentVolume"],
  ...["scheduling.k8s.io/PriorityClass", "storage.k8s.io/StorageClass", "networking.k8s.io/IngressClass"],
  ...["node.k8s.io/RuntimeClass", "networking.k8s.io/NetworkPolicy", "policy/PodDisruptionBudget"],
  // These policies have no effect by themselves; their bindings need the permissions that the policy grants.
  ...["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"].map((kind) => `admissionregistration.k8s.io/${kind}`),
  ...["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"].map((kind) => `rbac.authorization.k8s.io/${kind}`),
]);

/** Built-in groups of the API server. */
const BUILT_IN = new Set([
  ...["", "apps", "batch", "autoscaling", "policy"],
  ...["admissionregistration", "apiextensions", "certificates", "coordination", "discovery", "events", "networking"]
    .concat(["node", "resource", "scheduling", "storage", "storagemigration"])
    .map((name) => `${name}.k8s.io`),
  ...["apiregistration.k8s.io", "rbac.authorization.k8s.io", "flowcontrol.apiserver.k8s.io"],
]);

export const isNamespace = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): boolean =>
  kind === "Namespace" && apiVersion === "v1";
/** True for kinds of a CustomResourceDefinition or an aggregated API server. */
export const isCustom = ({ apiVersion }: Pick<Ref, "apiVersion">): boolean => !BUILT_IN.has(groupOf(apiVersion));

/**
 * Steps of a wave. Custom resources are applied with the workloads: an operator among these must run before the
 * resources become ready, and other workloads may wait for what the resources create. Webhooks come last, when their
 * pods can answer.
 */
export const STEPS = ["namespaces", "kinds", "foundations", "workloads", "webhooks"] as const;
type ApplyStep = (typeof STEPS)[number];

function stepOf(ref: Pick<Ref, "apiVersion" | "kind">): ApplyStep {
  if (isNamespace(ref)) return "namespaces";
  if (isCrd(ref)) return "kinds";
  const group = groupOf(ref.apiVersion);
  if (group === "apiregistration.k8s.io") return "webhooks";
  if (group === "admissionregistration.k8s.io" && ref.kind.endsWith("WebhookConfiguration")) return "webhooks";
  return FOUNDATION.has(`${group}/${ref.kind}`) ? "foundations" : "workloads";
}

interface Ordered {
  readonly ref: Ref;
  readonly object: KubeObject;
  /** From the file name; undefined sorts last. */
  readonly wave: number | undefined;
}

/** A group of objects that may be applied at the same time, in order. */
export interface Phase<T> {
  readonly wave: number | undefined;
  readonly step: ApplyStep;
  readonly items: readonly T[];
}

/** Keeps the order of items within a phase, but puts custom resources last, so that they are deleted first. */
export function phasesOf<T extends Ordered>(items: readonly T[]): Phase<T>[] {
  const waves = forward(items);
  const phases = new Map<string, { wave: number; step: ApplyStep; items: T[] }>();
  for (const item of items) {
    const wave = waves.get(item) ?? Infinity;
    const step = stepOf(item.ref);
    const key = `${wave} ${step}`;
    const phase = phases.get(key) ?? { wave, step, items: [] };
    phases.set(key, phase);
    phase.items.push(item);
  }
  return [...phases.values()]
    .sort((a, b) => (a.wave === b.wave ? STEPS.indexOf(a.step) - STEPS.indexOf(b.step) : a.wave - b.wave))
    .map(({ wave, step, items: own }) => ({
      wave: wave === Infinity ? undefined : wave,
      step,
      items: [...own.filter(({ ref }) => !isCustom(ref)), ...own.filter(({ ref }) => isCustom(ref))],
    }));
}

/**
 * Adjusts waves so that no object comes before its namespace or its kind, whatever the file names say: it could not be
 * applied.
 */
function forward<T extends Ordered>(items: readonly T[]): Map<T, number> {
  const own = ({ wave }: T): number => wave ?? Infinity;
  const first = new Map<string, number>();
  const need = (key: string, wave: number): void => void first.set(key, Math.min(first.get(key) ?? Infinity, wave));
  for (const item of items) {
    const { ref } = item;
    if (ref.namespace !== undefined) need(`Namespace ${ref.namespace}`, own(item));
    if (isCustom(ref)) need(`Kind ${groupOf(ref.apiVersion)}/${ref.kind}`, own(item));
  }
  return new Map(
    items.map((item) => {
      const { ref, object } = item;
      const key = isNamespace(ref) ? `Namespace ${ref.name}` : isCrd(ref) ? `Kind ${kindOf(object)}` : "";
      return [item, Math.min(own(item), first.get(key) ?? Infinity)];
    }),
  );
}

/** The kind that a CustomResourceDefinition defines. */
function kindOf(crd: KubeObject): string {
  const spec = crd["spec"] as { group?: unknown; names?: { kind?: unknown } } | undefined;
  return `${String(spec?.group)}/${String(spec?.names?.kind)}`;
}

/** Neighbors in an inventory with the same rank may be deleted at the same time. */
export const removalRank = (ref: Ref): string => (isCustom(ref) ? "custom" : stepOf(ref));

/** Merges objects that are only known from the cluster into an ordered inventory, by kind. */
export function inventoryInOrder(known: readonly Ref[], found: readonly Ref[]): Ref[] {
  const seen = new Set(known.map(identity));
  const more = found.filter((ref) => !seen.has(identity(ref)));
  const is = (step: ApplyStep) => more.filter((ref) => stepOf(ref) === step);
  const custom = is("workloads").filter(isCustom);
  const plain = is("workloads").filter((ref) => !isCustom(ref));
  return [...is("namespaces"), ...is("kinds"), ...is("foundations"), ...known, ...plain, ...custom, ...is("webhooks")];
}
