import { at, recordsOf, textOr } from "../foundation/json/parts";
import type { Asked } from "./rule";
import { isObject } from "../foundation/json/isObject";

/** A Kubernetes object. */
export type KubeObject = Readonly<Record<string, unknown>>;

/** The Kubernetes objects that a resource asks for: itself, or all of a set or a list. */
export function objectsOf({ type, props }: Asked): readonly KubeObject[] {
  if (type === "stackyard:index:ManifestSet") return recordsOf(props["objects"]).flatMap(unpacked);
  if (type === "kubernetes:yaml/v2:ConfigGroup") return recordsOf(props["objs"]).flatMap(unpacked);
  const [, kind] = /^kubernetes:(?!helm|yaml|kustomize)[^:]+:(\w+?)(?:Patch)?$/.exec(type) ?? [];
  return kind === undefined ? [] : unpacked({ ...props, kind });
}

/** The objects of a list; of anything else the object itself. */
const unpacked = (object: KubeObject): readonly KubeObject[] =>
  /List$/.test(textOr(object["kind"], "")) && Array.isArray(object["items"])
    ? recordsOf(object["items"]).flatMap((item) =>
        unpacked({ kind: textOr(object["kind"], "").replace(/List$/, ""), ...item }),
      )
    : [object];

/** `Deployment ray/head`, as people name it. */
export function nameOf(object: KubeObject): string {
  const place = [at(object, "metadata", "namespace"), at(object, "metadata", "name")].filter(
    (part) => typeof part === "string",
  );
  return [textOr(object["kind"], "?"), place.join("/")].filter((part) => part !== "").join(" ");
}

/** A pod that an object asks for. */
export interface Pod {
  readonly object: string;
  readonly spec: KubeObject;
  readonly containers: readonly KubeObject[];
  /** Whether it says only what it changes of a pod. */
  readonly isPatch: boolean;
}

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];

/** The pods that a resource asks for, whatever makes them. */
export function podsOf(asked: Asked): Pod[] {
  const isPatch = /^kubernetes:.*Patch$/.test(asked.type);
  return objectsOf(asked).flatMap((object) =>
    specsIn(object).map((spec) => ({
      object: nameOf(object),
      spec,
      containers: CONTAINERS.flatMap((key) => recordsOf(spec[key])),
      isPatch,
    })),
  );
}

/** Pods are what has a list of containers, however deep it lies: custom resources have it where they like. */
function specsIn(value: unknown): KubeObject[] {
  if (Array.isArray(value)) return value.flatMap(specsIn);
  // The schema of a custom resource has containers too, and they are none.
  if (!isObject(value) || value["kind"] === "CustomResourceDefinition") return [];
  const containers = CONTAINERS.flatMap((key) => recordsOf(value[key]));
  if (containers.some(({ name }) => typeof name === "string")) return [value];
  return Object.values(value).flatMap(specsIn);
}

/** Something about each container of each pod. */
export const perContainer = (
  asked: Asked,
  check: (container: KubeObject, pod: Pod) => string | undefined,
): { part: string; message: string }[] =>
  podsOf(asked).flatMap((pod) =>
    pod.containers.flatMap((container) => {
      const message = check(container, pod);
      const name = typeof container["name"] === "string" ? container["name"] : "?";
      return message === undefined ? [] : [{ part: pod.object, message: `container ${name}: ${message}` }];
    }),
  );
