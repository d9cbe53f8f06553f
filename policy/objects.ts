import { at, isRecord, recordsOf, told, type Asked } from "./rule";

/** A Kubernetes object. */
export type KubeObject = Readonly<Record<string, unknown>>;

/** The Kubernetes objects that a resource asks for: itself, or all of a set. */
export function objectsOf({ type, props }: Asked): readonly KubeObject[] {
  if (type === "stackyard:index:ManifestSet") return recordsOf(props["objects"]);
  const [, kind] = /^kubernetes:(?!helm|yaml|kustomize)[^:]+:(\w+?)(?:Patch|List)?$/.exec(type) ?? [];
  return kind === undefined ? [] : [{ ...props, kind }];
}

/** `Deployment ray/head`, as people name it. */
export function nameOf(object: KubeObject): string {
  const place = [at(object, "metadata", "namespace"), at(object, "metadata", "name")].filter(
    (part) => typeof part === "string",
  );
  return [told(object["kind"], "?"), place.join("/")].filter((part) => part !== "").join(" ");
}

/** A pod that an object asks for. */
export interface Pod {
  readonly object: string;
  readonly spec: KubeObject;
  readonly containers: readonly KubeObject[];
}

/** The pods that a resource asks for, whatever makes them. */
export function podsOf(asked: Asked): Pod[] {
  return objectsOf(asked).flatMap((object) => {
    const name = nameOf(object);
    return specsOf(object)
      .filter(isRecord)
      .map((spec) => ({
        object: name,
        spec,
        containers: ["initContainers", "containers", "ephemeralContainers"].flatMap((key) => recordsOf(spec[key])),
      }));
  });
}

function specsOf(object: KubeObject): readonly unknown[] {
  switch (object["kind"]) {
    case "Pod":
      return [at(object, "spec")];
    case "CronJob":
      return [at(object, "spec", "jobTemplate", "spec", "template", "spec")];
    case "RayCluster": {
      const groups = [at(object, "spec", "headGroupSpec"), ...recordsOf(at(object, "spec", "workerGroupSpecs"))];
      return groups.map((group) => at(group, "template", "spec"));
    }
    default:
      return [at(object, "spec", "template", "spec")];
  }
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
