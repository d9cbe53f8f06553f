/**
 * Implements a release as an apply set, with the labels and annotations of kubectl (KEP-3659): a parent object lists
 * the kinds and namespaces of the set, and every member has the set's id. So members can be found without a state.
 */

import { createHash } from "node:crypto";
import { groupOf, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { APPLY_SET_LABEL, BUNDLE_LABEL, BUNDLE_NAMESPACE_LABEL } from "../../../kubernetes/owners/ownership";
import { recordOn } from "../../../kubernetes/owners/annotations";
import { formerOwners } from "../../../kubernetes/owners/store";
import { version } from "../../version";
import type { ReleaseInputs } from "./inputs";

/** On members: id of their set. */
export const PART_OF = "applyset.kubernetes.io/part-of";
const TOOLING = "applyset.kubernetes.io/tooling";
/**
 * As `<tool>/<version>`. kubectl accepts only sets whose tool is kubectl, so we use its name and add ours as build
 * metadata. Labels identify our sets, because kubectl writes its own version here when it prunes one.
 */
const OURS = `kubectl/v1.36.0+stackyard-${version}`;
const KINDS = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES = "applyset.kubernetes.io/additional-namespaces";

/** On members and the parent, for users. */
export { BUNDLE_LABEL, BUNDLE_NAMESPACE_LABEL };

/** Identifies a release. */
export type ReleaseKey = Pick<ReleaseInputs, "name" | "namespace">;

export const parentRef = ({ name, namespace }: ReleaseKey): Required<Ref> => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  namespace,
  name: `bundle-${name}`,
});

export function setId(owner: ReleaseKey): string {
  const { kind, namespace, name } = parentRef(owner);
  const hash = createHash("sha256").update(`${name}.${namespace}.${kind}.`).digest("base64url");
  return `applyset-${hash}-v1`;
}

export const memberLabels = (owner: ReleaseKey): Record<string, string> => ({
  [PART_OF]: setId(owner),
  [BUNDLE_LABEL]: owner.name,
  [BUNDLE_NAMESPACE_LABEL]: owner.namespace,
});

/** Selector of all members of a release. */
export const selectorOf = (owner: ReleaseKey): string => `${PART_OF}=${setId(owner)}`;

/** The kinds of a set, as `Kind.group`, and its namespaces besides its own. */
export interface Extent {
  readonly kinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

export const groupKind = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): string =>
  groupOf(apiVersion) === "" ? kind : `${kind}.${groupOf(apiVersion)}`;

export const extentOf = (owner: ReleaseKey, refs: readonly Ref[]): Extent => ({
  kinds: new Set(refs.map(groupKind)),
  namespaces: new Set(refs.flatMap(({ namespace }) => (namespace && namespace !== owner.namespace ? [namespace] : []))),
});

export const union = (a: Extent, b: Extent): Extent => ({
  kinds: new Set([...a.kinds, ...b.kinds]),
  namespaces: new Set([...a.namespaces, ...b.namespaces]),
});

/** The current content of a set, and during an update the new one. */
interface SetStatus {
  readonly digest: string;
  readonly toward?: string;
}

/** The instances of a release that its members belong to. */
export interface Tenure {
  readonly owner: string;
  /** Instances whose members were taken over and may not be cleaned up yet. */
  readonly former: readonly string[];
}

/**
 * Tenure of an instance that owns the release, or becomes its owner: it replaces the previous one in the same stack,
 * continues a creation that was killed, or takes the release over on request.
 */
export const tenureAfter = (parent: KubeObject | undefined, owner: string): Tenure => ({
  owner,
  former: formerOwners(parent, owner),
});

/** Builds the parent object, without the record of its owner. */
export function parentOf(owner: ReleaseKey, { kinds, namespaces }: Extent, status: SetStatus): KubeObject {
  const { apiVersion, kind, namespace, name } = parentRef(owner);
  const list = (items: ReadonlySet<string>): string => [...items].sort().join(",");
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      labels: {
        [APPLY_SET_LABEL]: setId(owner),
        [BUNDLE_LABEL]: owner.name,
        [BUNDLE_NAMESPACE_LABEL]: owner.namespace,
      },
      annotations: { [TOOLING]: OURS, [KINDS]: list(kinds), [NAMESPACES]: list(namespaces) },
    },
    data: { ...status },
  };
}

/** Returns a new version of a live parent. Labels and annotations of others stay. */
export function overParent(live: KubeObject | undefined, parent: KubeObject): KubeObject {
  const { labels, annotations, resourceVersion } = live?.metadata ?? { name: "" };
  return {
    ...parent,
    metadata: {
      ...parent.metadata,
      resourceVersion,
      labels: { ...labels, ...parent.metadata.labels },
      annotations: { ...annotations, ...parent.metadata.annotations },
    },
  };
}

/** Reads the content from a live parent. */
export function setStatus(parent: KubeObject | undefined): SetStatus {
  const { digest = "", toward } = (parent?.["data"] ?? {}) as Partial<SetStatus>;
  return { digest, ...(toward === undefined ? {} : { toward }) };
}

/**
 * Reads the extent from a live parent. Throws if we did not create it: it has neither our labels nor the record of an
 * owner. Labels that were removed by hand come back with the next change.
 */
export function extentFrom(parent: KubeObject, owner: ReleaseKey): Extent {
  const { labels = {}, annotations = {}, namespace, name } = parent.metadata;
  const tooling = annotations[TOOLING] ?? "";
  const isOurs = labels[BUNDLE_LABEL] === owner.name && labels[BUNDLE_NAMESPACE_LABEL] === owner.namespace;
  if ((labels[APPLY_SET_LABEL] !== setId(owner) || !isOurs) && recordOn(parent) === undefined) {
    const whose = tooling === "" ? "" : `, and belongs to ${tooling}`;
    throw new Error(
      `ConfigMap ${namespace}/${name} is where bundle ${owner.namespace}/${owner.name} notes what is its own; ` +
        `it exists already${whose}. Give the bundle another name, or delete it`,
    );
  }
  const items = (key: string): Set<string> => new Set((annotations[key] ?? "").split(",").filter((one) => one !== ""));
  return { kinds: items(KINDS), namespaces: items(NAMESPACES) };
}

/** Whether an object carries the labels of the release. */
export const isMember = ({ metadata }: Pick<KubeObject, "metadata">, owner: ReleaseKey): boolean =>
  metadata.labels?.[PART_OF] === setId(owner);
