/** Which kinds a cluster has, how their URLs are spelled, and whether they live in namespaces. */

import { closest, distance } from "fastest-levenshtein";
import { isNotFound } from "./apiError";
import { listAt, textAt } from "./objects";
import type { Json, Ref } from "./objects";

export interface Resource {
  /** As in a URL: `statefulsets`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

/** The cluster has no such kind. */
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

export class Discovery {
  readonly #known = new Map<string, Promise<Kinds>>();

  constructor(private readonly ask: (path: string) => Promise<Json>) {}

  /** Throws {@link UnknownKindError} with the nearest kind that there is. */
  async resource(apiVersion: string, kind: string): Promise<Resource> {
    const found = (await this.#kinds(apiVersion)).get(kind);
    if (found) return found;
    // It may have come since we asked.
    this.#known.delete(apiVersion);
    const kinds = await this.#kinds(apiVersion);
    const late = kinds.get(kind);
    if (late) return late;
    throw new UnknownKindError(await this.#unknown(apiVersion, kind, kinds), apiVersion, kind);
  }

  /** URL path of an object; of the collection when the name is empty. */
  async path({ apiVersion, kind, namespace, name }: Ref): Promise<string> {
    const { plural, namespaced } = await this.resource(apiVersion, kind);
    const place = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : "";
    return `${rootOf(apiVersion)}${place}/${plural}${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
  }

  #kinds(apiVersion: string): Promise<Kinds> {
    let kinds = this.#known.get(apiVersion);
    if (!kinds) {
      kinds = this.ask(rootOf(apiVersion)).then(kindsOf, (error: unknown) => {
        this.#known.delete(apiVersion); // Asked again next time, whatever the trouble was.
        if (isNotFound(error)) return new Map<string, Resource>();
        throw error;
      });
      this.#known.set(apiVersion, kinds);
    }
    return kinds;
  }

  async #unknown(apiVersion: string, kind: string, kinds: Kinds): Promise<string> {
    const what = `the cluster has no kind ${kind} in ${apiVersion}`;
    if (kinds.size > 0) return `${what}; did you mean ${closest(kind, [...kinds.keys()])}?`;
    const versions = await this.#versions();
    const near = versions.filter((version) => distance(version, apiVersion) <= 4).sort(by(apiVersion));
    const hint = near[0] === undefined ? "" : `; did you mean ${near[0]}?`;
    return `${what}: it has no ${apiVersion} at all${hint || "; is the operator that brings it (its CRDs) installed?"}`;
  }

  async #versions(): Promise<string[]> {
    const groups = listAt(await this.ask("/apis"), "groups");
    const versions = groups.flatMap((group) => listAt(group, "versions").map((one) => textAt(one, "groupVersion")));
    return ["v1", ...versions.filter((version) => version !== undefined)];
  }
}

const by = (wanted: string) => (a: string, b: string) => distance(a, wanted) - distance(b, wanted);

const rootOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;

function kindsOf(list: Json): Kinds {
  const kinds = new Map<string, Resource>();
  for (const resource of listAt(list, "resources")) {
    const plural = textAt(resource, "name");
    const kind = textAt(resource, "kind");
    // `statefulsets/scale` and the like are views of other resources.
    if (plural === undefined || kind === undefined || plural.includes("/")) continue;
    kinds.set(kind, { plural, namespaced: resource["namespaced"] === true });
  }
  return kinds;
}
