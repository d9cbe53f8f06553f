import type { StackState } from "../../engine/pulumi/state/checkpoint";

type KubernetesObject = Record<string, unknown> & {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

/** The rendered objects of one runtime. */
export interface ObjectSet {
  readonly objects: readonly KubernetesObject[];
  readonly namespace: string;
  /** The workload in kubectl's notation: `statefulset/name`. */
  readonly workload: string;
}

function objectSet(objects: readonly KubernetesObject[], namespace: string): ObjectSet {
  const workload = objects.find(({ kind }) => kind === "StatefulSet" || kind === "Deployment");
  if (!workload) throw new Error("the runtime has no StatefulSet and no Deployment");
  return { objects, namespace, workload: `${workload.kind.toLowerCase()}/${workload.metadata.name}` };
}

/** Returns the objects of a runtime in Kubernetes from the state of its stack. */
export function setOf({ name, resources }: StackState): ObjectSet {
  const inputs = resources.find(({ type }) => type === "stackyard:index:ManifestSet")?.inputs;
  if (!inputs) throw new Error(`the runtime ${name} is not in Kubernetes`);
  return objectSet(inputs.objects as KubernetesObject[], String(inputs.namespace));
}

/** Returns the same objects with other names, everywhere in their content. */
export function renamed({ objects, namespace }: ObjectSet, to: string): ObjectSet {
  const own = objects.filter(({ kind }) => kind !== "Namespace");
  const names = [...new Set(own.map(({ metadata }) => metadata.name))].sort((a, b) => b.length - a.length);
  let text = JSON.stringify(own);
  names.forEach((name, index) => (text = text.replaceAll(`"${name}"`, `"${to}-${index}"`)));
  return objectSet(JSON.parse(text) as KubernetesObject[], namespace);
}
