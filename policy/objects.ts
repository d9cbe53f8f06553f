import { loadAll, YAMLException } from "js-yaml";
import { at, recordsOf, textOr } from "../foundation/json/parts";
import type { Asked } from "./rule";
import { isObject } from "../foundation/json/isObject";

/** A Kubernetes object. */
export type KubeObject = Readonly<Record<string, unknown>>;

/** The Kubernetes objects that a resource declares: itself, or all objects of a set or list. */
export function objectsOf({ type, props }: Asked): readonly KubeObject[] {
  if (type === "stackyard:index:ManifestSet") return recordsOf(props["objects"]).flatMap(unpacked);
  if (/^kubernetes:yaml(\/v2)?:Config(Group|File)$/.test(type))
    return recordsOf([...listed(props["yaml"]).flatMap(objectsIn), ...listed(props["objs"])]).flatMap(unpacked);
  const [, kind] = /^kubernetes:(?!helm|yaml|kustomize)[^:]+:(\w+?)(?:Patch)?$/.exec(type) ?? [];
  return kind === undefined ? [] : unpacked({ ...props, kind });
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** The objects of a YAML text. The provider rejects a text that can't be parsed. */
function objectsIn(text: unknown): unknown[] {
  try {
    return typeof text === "string" ? loadAll(text) : [];
  } catch (error) {
    if (error instanceof YAMLException) return [];
    throw error;
  }
}

/** The items of a list; any other object itself. */
const unpacked = (object: KubeObject): readonly KubeObject[] =>
  /List$/.test(textOr(object["kind"], "")) && Array.isArray(object["items"])
    ? recordsOf(object["items"]).flatMap((item) =>
        unpacked({ kind: textOr(object["kind"], "").replace(/List$/, ""), ...item }),
      )
    : [object];

/** Names an object for messages: `Deployment ray/head`. */
export function objectName(object: KubeObject): string {
  const place = [at(object, "metadata", "namespace"), at(object, "metadata", "name")].filter(
    (part) => typeof part === "string",
  );
  return [textOr(object["kind"], "?"), place.join("/")].filter((part) => part !== "").join(" ");
}

/** A pod spec that an object contains. */
export interface Pod {
  readonly object: string;
  readonly spec: KubeObject;
  readonly containers: readonly KubeObject[];
  /** Whether the spec is a patch, which contains only changes. */
  readonly isPatch: boolean;
}

const CONTAINERS = ["initContainers", "containers", "ephemeralContainers"];

/** The pod specs that a resource declares, in any kind of object. */
export function podsOf(asked: Asked): Pod[] {
  const isPatch = /^kubernetes:.*Patch$/.test(asked.type);
  return objectsOf(asked).flatMap((object) =>
    specsIn(object).map((spec) => ({
      object: objectName(object),
      spec,
      containers: CONTAINERS.flatMap((key) => recordsOf(spec[key])),
      isPatch,
    })),
  );
}

/**
 * Finds pod specs at any depth, because custom resources have them anywhere. A pod spec has a list of named containers.
 */
function specsIn(value: unknown): KubeObject[] {
  if (Array.isArray(value)) return value.flatMap(specsIn);
  // The schema of a custom resource describes containers but declares none.
  if (!isObject(value) || value["kind"] === "CustomResourceDefinition") return [];
  const containers = CONTAINERS.flatMap((key) => recordsOf(value[key]));
  if (containers.some(({ name }) => typeof name === "string")) return [value];
  return Object.values(value).flatMap(specsIn);
}

/** Runs a check on each container of each pod. */
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
