/**
 * A release as an apply set, by the labels and annotations that kubectl uses for its own (KEP-3659): a parent object says
 * which kinds are in the set and where, every member has the set's id. So members are found without any state.
 */

import { createHash } from "node:crypto";
import { OWNER_ANNOTATION, ownerIdOn } from "../../../../kubernetes/identity/ownerId";
import { groupOf } from "../../../../kubernetes/client/objects";
import type { KubeObject, Ref } from "../../../../kubernetes/client/objects";
import { BUNDLE_LABEL } from "../../../../kubernetes/apply/ownership";
import { version } from "../../../version";
import type { ReleaseInputs } from "../inputs";

/** On members: id of their set. */
export const PART_OF = "applyset.kubernetes.io/part-of";
/** On the parent: id of the set. */
const ID = "applyset.kubernetes.io/id";
const TOOLING = "applyset.kubernetes.io/tooling";
/**
 * As `<tool>/<version>`. kubectl takes only sets that say kubectl, so that is whose contract ours keep, and the build says
 * who wrote it. Which sets are ours their labels say, since kubectl writes its own version here when it prunes one.
 */
const OURS = `kubectl/v1.36.0+stackyard-${version}`;
const KINDS = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES = "applyset.kubernetes.io/additional-namespaces";

/** On the parent: earlier owners whose members the present one has taken over. */
const FORMER = "stackyard.dev/former-owner-ids";

/** On members and the parent, for users. */
export { BUNDLE_LABEL };
export const BUNDLE_NAMESPACE_LABEL = "stackyard.dev/bundle-namespace";

/** What one release is called, and so what is its own. */
export type Owner = Pick<ReleaseInputs, "name" | "namespace">;

export const parentRef = ({ name, namespace }: Owner): Required<Ref> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace,
  name: `bundle-${name}`,
});

export function setId(owner: Owner): string {
  const { kind, namespace, name } = parentRef(owner);
  const hash = createHash("sha256").update(`${name}.${namespace}.${kind}.`).digest("base64url");
  return `applyset-${hash}-v1`;
}

export const memberLabels = (owner: Owner): Record<string, string> => ({
  [PART_OF]: setId(owner),
  [BUNDLE_LABEL]: owner.name,
  [BUNDLE_NAMESPACE_LABEL]: owner.namespace,
});

/** What all members of a release have. */
export const selectorOf = (owner: Owner): string => `${PART_OF}=${setId(owner)}`;

/** Which kinds a set has, as `Kind.group`, and in which namespaces besides its own. */
export interface Extent {
  readonly kinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

export const groupKind = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): string =>
  groupOf(apiVersion) === "" ? kind : `${kind}.${groupOf(apiVersion)}`;

export const extentOf = (owner: Owner, refs: readonly Ref[]): Extent => ({
  kinds: new Set(refs.map(groupKind)),
  namespaces: new Set(refs.flatMap(({ namespace }) => (namespace && namespace !== owner.namespace ? [namespace] : []))),
});

export const union = (a: Extent, b: Extent): Extent => ({
  kinds: new Set([...a.kinds, ...b.kinds]),
  namespaces: new Set([...a.namespaces, ...b.namespaces]),
});

/** The content that a set has, and while it is on its way to other content, that. */
export interface SetStatus {
  readonly digest: string;
  readonly toward?: string;
}

/** Which instances of a release its members are of. */
export interface Tenure {
  readonly owner: string;
  /** Instances whose members it has taken over, and may not have looked through yet. */
  readonly former: readonly string[];
}

/** More were never cut off one after the other. */
const MOST_FORMER = 20;

/** What a new instance finds: the one before may have been killed, or is the one that it replaces. */
export function takenOver(parent: KubeObject | undefined, owner: string): Tenure {
  const before = parent && tenureOf(parent);
  const former = before === undefined ? [] : [before.owner, ...before.former].filter((id) => id !== owner);
  return { owner, former: former.slice(0, MOST_FORMER) };
}

/** The tenure of an instance that already exists. One that another has taken over since has only its own members. */
export function continued(parent: KubeObject | undefined, owner: string): Tenure {
  const before = parent && tenureOf(parent);
  return before?.owner === owner ? before : { owner, former: [] };
}

/** Undefined on a parent of before there were ids. */
export function tenureOf(parent: KubeObject): Tenure | undefined {
  const owner = ownerIdOn(parent);
  const former = parent.metadata.annotations?.[FORMER] ?? "";
  return owner === undefined ? undefined : { owner, former: former.split(",").filter((id) => id !== "") };
}

/** The parent as it is to be. */
export function parentOf(owner: Owner, { kinds, namespaces }: Extent, status: SetStatus, tenure?: Tenure): KubeObject {
  const { apiVersion, kind, namespace, name } = parentRef(owner);
  const list = (items: ReadonlySet<string>): string => [...items].sort().join(",");
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      labels: { [ID]: setId(owner), [BUNDLE_LABEL]: owner.name, [BUNDLE_NAMESPACE_LABEL]: owner.namespace },
      annotations: {
        ...{ [TOOLING]: OURS, [KINDS]: list(kinds), [NAMESPACES]: list(namespaces) },
        ...(tenure === undefined ? {} : { [OWNER_ANNOTATION]: tenure.owner }),
        ...(tenure === undefined || tenure.former.length === 0 ? {} : { [FORMER]: tenure.former.join(",") }),
      },
    },
    data: { ...status },
  };
}

/** What a live parent says of the content. */
export function setStatus(parent: KubeObject | undefined): SetStatus {
  const { digest = "", toward } = (parent?.["data"] ?? {}) as Partial<SetStatus>;
  return { digest, ...(toward === undefined ? {} : { toward }) };
}

/** What a live parent says of its members. Throws when it is none of ours. */
export function extentFrom(parent: KubeObject, owner: Owner): Extent {
  const { labels = {}, annotations = {}, namespace, name } = parent.metadata;
  const tooling = annotations[TOOLING] ?? "";
  const isOurs = labels[BUNDLE_LABEL] === owner.name && labels[BUNDLE_NAMESPACE_LABEL] === owner.namespace;
  if (labels[ID] !== setId(owner) || !isOurs) {
    const whose = tooling === "" ? "" : `, and belongs to ${tooling}`;
    throw new Error(
      `ConfigMap ${namespace}/${name} is where bundle ${owner.namespace}/${owner.name} notes what is its own; ` +
        `it exists already${whose}. Give the bundle another name, or delete it`,
    );
  }
  const items = (key: string): Set<string> => new Set((annotations[key] ?? "").split(",").filter((one) => one !== ""));
  return { kinds: items(KINDS), namespaces: items(NAMESPACES) };
}
