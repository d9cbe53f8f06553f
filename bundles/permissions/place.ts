/** Maps the objects of a bundle to API resources. */

import { UnknownKindError, type Discovery } from "../../kubernetes/client/discovery";
import { groupOf, listAt, textAt, type KubeObject, isCrd } from "../../kubernetes/objects/objects";
import { isClusterKind } from "./rbac/builtIn";

export interface PlacedObject {
  readonly object: KubeObject;
  readonly group: string;
  /** Plural name, as in a URL. */
  readonly resource: string;
  /** Unset for cluster-scoped objects. */
  readonly namespace?: string;
  /** What happens to the object. Default: it is applied. */
  readonly fate?: "stays" | "leaves";
}

interface Placing {
  readonly placed: readonly PlacedObject[];
  /** Objects of kinds that neither the cluster nor the bundle defines, with the reason. */
  readonly unknown: readonly { readonly object: KubeObject; readonly why: string }[];
}

interface Kind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Looks up each kind in the cluster, then in the bundle's own CRDs. */
export async function placeObjects(
  discovery: Discovery,
  objects: readonly KubeObject[],
  namespace: string,
): Promise<Placing> {
  const own = kindsIn(objects);
  const kinds = new Map<string, Promise<Kind | string>>();
  const kindOf = async ({ apiVersion, kind }: KubeObject): Promise<Kind | string> => {
    try {
      return await discovery.resource(apiVersion, kind);
    } catch (error) {
      if (!(error instanceof UnknownKindError)) throw error;
      return own.get(`${apiVersion}/${kind}`) ?? error.message;
    }
  };
  const placed: PlacedObject[] = [];
  const unknown: Placing["unknown"][number][] = [];
  for (const object of objects) {
    const key = `${object.apiVersion}/${object.kind}`;
    let asked = kinds.get(key);
    if (!asked) kinds.set(key, (asked = kindOf(object)));
    const kind = await asked;
    if (typeof kind === "string") unknown.push({ object, why: kind });
    else placed.push(placeOne(object, kind, namespace));
  }
  return { placed, unknown };
}

function placeOne(object: KubeObject, { plural, namespaced }: Kind, namespace: string): PlacedObject {
  const group = groupOf(object.apiVersion);
  return {
    object,
    group,
    resource: plural,
    ...(namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
  };
}

/** `Widget.example.com`. Groups of Kubernetes itself are omitted. */
export function kindTitle({ apiVersion, kind }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${kind}${/^[^.]*$|\.k8s\.io$/.test(group) ? "" : `.${group}`}`;
}

/** Kinds defined by CRDs among the objects, by `group/version/Kind`. */
export function kindsIn(objects: readonly KubeObject[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const crd of objects.filter(isCrd)) {
    const group = textAt(crd, "spec", "group");
    const kind = textAt(crd, "spec", "names", "kind");
    const plural = textAt(crd, "spec", "names", "plural") ?? "";
    const namespaced = textAt(crd, "spec", "scope") !== "Cluster";
    for (const version of listAt(crd, "spec", "versions")) {
      kinds.set(`${group}/${textAt(version, "name")}/${kind}`, { plural, namespaced });
    }
  }
  return kinds;
}

/**
 * Returns the cluster-scoped objects, as far as this is known without a cluster: those of kinds that Kubernetes or the
 * bundle's CRDs define. Unknown kinds count as namespaced.
 */
export function withoutNamespace(objects: readonly KubeObject[]): KubeObject[] {
  const own = kindsIn(objects);
  return objects.filter((object) => {
    const kind = own.get(`${object.apiVersion}/${object.kind}`);
    return kind ? !kind.namespaced : isClusterKind(groupOf(object.apiVersion), object.kind);
  });
}
