/** Discovers the kinds of a cluster, their URLs and whether they are namespaced. */

import { nearest, nearestFirst } from "../../foundation/text/nearest";
import { ApiError, isNotFound } from "./apiError";
import { listAt, textAt, type Ref } from "../objects/objects";
import type { Json } from "../../foundation/json/isObject";

interface Resource {
  /** Plural as in URLs: `statefulsets`. */
  readonly plural: string;
  readonly namespaced: boolean;
  readonly listable: boolean;
}

/** A kind in one version. */
type Listed = Resource & { readonly apiVersion: string; readonly kind: string };

interface Listing {
  readonly kinds: readonly Listed[];
  /** Versions whose aggregated API server does not respond. */
  readonly silent: readonly string[];
}

/** The cluster does not have this kind. */
export class UnknownKindError extends Error {
  constructor(
    message: string,
    readonly apiVersion: string,
    readonly kind: string,
  ) {
    super(message);
    this.name = "UnknownKindError";
  }
}

type Kinds = ReadonlyMap<string, Resource>;

/** Kinds of most runtimes that every cluster has, so that it need not be asked for them. */
const EVERYWHERE: ReadonlyMap<string, Pick<Resource, "plural" | "namespaced">> = new Map(
  Object.entries({
    "v1/ConfigMap": "configmaps",
    "v1/PersistentVolumeClaim": "persistentvolumeclaims",
    "v1/Pod": "pods",
    "v1/Secret": "secrets",
    "v1/Service": "services",
    "apps/v1/StatefulSet": "statefulsets",
    "networking.k8s.io/v1/Ingress": "ingresses",
  }).map(([kind, plural]) => [kind, { plural, namespaced: true }]),
);

/** Discovered kinds by apiVersion, and the Discovery that requested them. */
export type KnownKinds = Map<string, { readonly kinds: Promise<Kinds>; readonly by: Discovery }>;

export class Discovery {
  /** `known` may be shared by all clients of one cluster. */
  constructor(
    private readonly ask: (path: string) => Promise<Json>,
    readonly known: KnownKinds = new Map(),
  ) {}

  /** Finds a kind. Throws {@link UnknownKindError} with the nearest known kind. */
  async resource(apiVersion: string, kind: string): Promise<Resource> {
    const found = await this.#find(apiVersion, kind);
    if (found) return found;
    const message = await this.#unknown(apiVersion, kind, await this.#kinds(apiVersion));
    throw new UnknownKindError(message, apiVersion, kind);
  }

  /** An apiVersion in which the cluster has the kind, in its order of preference; undefined if there is none. */
  async version(group: string, kind: string): Promise<string | undefined> {
    const versions = group === "" ? ["v1"] : await this.#versionsOf(group);
    for (const version of versions) {
      if (await this.#find(version, kind)) return version;
    }
    return undefined;
  }

  /** All kinds, each in its preferred version. */
  async all(): Promise<Listing> {
    const groups = listAt(await this.ask("/apis"), "groups");
    return this.#listed(["v1", ...groups.flatMap((group) => textAt(group, "preferredVersion", "groupVersion") ?? [])]);
  }

  /** All kinds in all versions. */
  async everything(): Promise<Listing> {
    return this.#listed(await this.#versions());
  }

  async #listed(versions: readonly string[]): Promise<Listing> {
    const silent: string[] = [];
    const lists = await Promise.all(
      versions.map(async (apiVersion) => {
        try {
          return [...(await this.#kinds(apiVersion))].map(([kind, resource]) => ({ apiVersion, kind, ...resource }));
        } catch (error) {
          if (!(error instanceof ApiError) || error.code < 500) throw error;
          silent.push(apiVersion);
          return [];
        }
      }),
    );
    return { kinds: lists.flat(), silent };
  }

  /** URL path of an object, or of its collection if the name is empty. */
  async path({ apiVersion, kind, namespace, name }: Ref): Promise<string> {
    const { plural, namespaced } = EVERYWHERE.get(`${apiVersion}/${kind}`) ?? (await this.resource(apiVersion, kind));
    const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${rootOf(apiVersion)}${place}/${plural}${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
  }

  async #find(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const wasKnown = this.known.has(apiVersion);
    const found = (await this.#kinds(apiVersion)).get(kind);
    if (found || !wasKnown) return found;
    // The kind may have been added after the list was read.
    this.known.delete(apiVersion);
    return (await this.#kinds(apiVersion)).get(kind);
  }

  async #kinds(apiVersion: string): Promise<Kinds> {
    const found = this.known.get(apiVersion) ?? this.#begin(apiVersion);
    try {
      return await found.kinds;
    } catch (error) {
      // Errors are not cached. An error of another Discovery is retried at once, because that one may have been
      // canceled.
      if (this.known.get(apiVersion) === found) this.known.delete(apiVersion);
      if (found.by === this) throw error;
      return this.#kinds(apiVersion);
    }
  }

  #begin(apiVersion: string): { readonly kinds: Promise<Kinds>; readonly by: Discovery } {
    const kinds = this.ask(rootOf(apiVersion)).then(kindsOf, (error: unknown) => {
      if (isNotFound(error)) return new Map<string, Resource>();
      throw error;
    });
    const begun = { kinds, by: this as Discovery };
    this.known.set(apiVersion, begun);
    return begun;
  }

  async #unknown(apiVersion: string, kind: string, kinds: Kinds): Promise<string> {
    const what = `the cluster has no kind ${kind} in ${apiVersion}`;
    // The same kind in another group or version is the best suggestion.
    const elsewhere = await this.#homeOf(apiVersion, kind);
    if (kinds.size > 0) {
      const meant = elsewhere === undefined ? nearest(kind, [...kinds.keys()]) : `${kind} in ${elsewhere}`;
      return meant === undefined ? what : `${what}; did you mean ${meant}?`;
    }
    const near = elsewhere ?? nearest(apiVersion, await this.#versions());
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    return `${what}: it has no ${apiVersion} at all${hint || "; is the operator that defines it (its CRDs) installed?"}`;
  }

  /** The apiVersion with this kind whose name is nearest. */
  async #homeOf(apiVersion: string, kind: string): Promise<string | undefined> {
    const { kinds } = await this.all();
    const homes = kinds.filter((one) => one.kind === kind).map((one) => one.apiVersion);
    return homes.sort(nearestFirst(apiVersion))[0];
  }

  async #versionsOf(group: string): Promise<string[]> {
    try {
      const found = await this.ask(`/apis/${group}`);
      const preferred = textAt(found, "preferredVersion", "groupVersion");
      const all = listAt(found, "versions").map((one) => textAt(one, "groupVersion"));
      return [...new Set([preferred, ...all])].filter((version) => version !== undefined);
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  async #versions(): Promise<string[]> {
    const groups = listAt(await this.ask("/apis"), "groups");
    const versions = groups.flatMap((group) => listAt(group, "versions").map((one) => textAt(one, "groupVersion")));
    return ["v1", ...versions.filter((version) => version !== undefined)];
  }
}

const rootOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

const isListable = ({ verbs }: Json): boolean => Array.isArray(verbs) && verbs.includes("list");

function kindsOf(list: Json): Kinds {
  const kinds = new Map<string, Resource>();
  for (const resource of listAt(list, "resources")) {
    const plural = textAt(resource, "name");
    const kind = textAt(resource, "kind");
    // `statefulsets/scale` and the like are subresources.
    if (plural === undefined || kind === undefined || plural.includes("/")) continue;
    kinds.set(kind, { plural, namespaced: resource["namespaced"] === true, listable: isListable(resource) });
  }
  return kinds;
}
