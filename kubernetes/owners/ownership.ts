/** Ownership of objects, recorded in labels, so that two sets never manage the same object. */

import { OWNER_ANNOTATION, ownerIdOn } from "../identity/ownerId";
import { describe, identity, type KubeObject, type Ref } from "../objects/objects";
import { RECORD_LABEL } from "./annotations";

/** Name of the set that owns the object. */
export const SET_LABEL = "stackyard.dev/set";
/** Namespace of that set. Set names are unique only within a namespace. */
export const SET_NAMESPACE_LABEL = "stackyard.dev/set-namespace";
/** Name of the bundle whose release owns the object. */
export const BUNDLE_LABEL = "stackyard.dev/bundle";
/** Namespace of that release. */
export const BUNDLE_NAMESPACE_LABEL = "stackyard.dev/bundle-namespace";
/** On the parent of an apply set, which is the note of a release: id of the set. */
export const APPLY_SET_LABEL = "applyset.kubernetes.io/id";
/** On a live object: `<namespace>.<set>`, the set that may take it over. */
export const ADOPT_ANNOTATION = "stackyard.dev/adopt";

/** The set that owns an object. */
export interface SetOwner {
  readonly set: string;
  readonly namespace: string;
  /** Id of the set's instance; undefined in the preview of a new one. */
  readonly id?: string;
  /** Ids of other instances whose objects it takes over: what it replaces or adopts. */
  readonly takes?: readonly string[];
  /** Identities of objects that are its own even without marks, because the record of the owner names the instance. */
  readonly holds?: ReadonlySet<string>;
  /** Whether objects of another owner of the same set stay as they are, instead of being an error. */
  readonly shares?: boolean;
  /** The command that takes the set over from another owner, for messages. */
  readonly adopt?: string;
}

export const ownerLabels = ({ set, namespace }: SetOwner): Record<string, string> => ({
  [SET_LABEL]: set,
  [SET_NAMESPACE_LABEL]: namespace,
});

/** Whether a live object belongs to the set. */
export function isOwned({ metadata: { labels = {} } }: KubeObject, owner: SetOwner): boolean {
  return labels[SET_LABEL] === owner.set && labels[SET_NAMESPACE_LABEL] === owner.namespace;
}

/**
 * Whether the instance may change a live object. Its id proves that, also if the labels were removed. An object without
 * an id predates ids, or its marks were removed.
 */
export function isOwn(live: KubeObject, ref: Ref, owner: SetOwner): boolean {
  const id = ownerIdOn(live);
  if (id === undefined) return isOwned(live, owner) || (hasNoSet(live) && owner.holds?.has(identity(ref)) === true);
  if (id === owner.id) return isOwned(live, owner) || hasNoSet(live);
  return isOwned(live, owner) && owner.takes?.includes(id) === true;
}

const hasNoSet = ({ metadata: { labels = {} } }: KubeObject): boolean => labels[SET_LABEL] === undefined;

/**
 * Whether a live object belongs to another instance: one that replaced this one, or one of another stack. An instance
 * never deletes what another instance has taken over.
 */
export function isOfAnother(live: KubeObject, owner: SetOwner): boolean {
  const id = ownerIdOn(live);
  if (id !== undefined && id === owner.id && hasNoSet(live)) return false;
  return !isOwned(live, owner) || (id !== undefined && id !== owner.id && owner.takes?.includes(id) !== true);
}

/** Why such an object belongs to another owner, for a message. */
export const otherOwner = (live: KubeObject, owner: SetOwner): string =>
  isOwned(live, owner)
    ? `its annotation ${OWNER_ANNOTATION} names another owner of set ${owner.namespace}/${owner.set}`
    : `its labels do not name set ${owner.namespace}/${owner.set} any more`;

/** What an object records the owner of: a set, a release or another apply set. Undefined if it is no such record. */
export function recordedIn({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  const { name, namespace, labels = {} } = metadata;
  const { [APPLY_SET_LABEL]: applySet, [BUNDLE_LABEL]: bundle, [BUNDLE_NAMESPACE_LABEL]: place } = labels;
  if (applySet !== undefined) return bundle === undefined ? `apply set ${applySet}` : `bundle ${place}/${bundle}`;
  return labels[RECORD_LABEL] === undefined ? undefined : `set ${namespace}/${name.replace(/\.owner$/, "")}`;
}

/** Why such a record is never taken over, whatever permits it. */
export const recordConflict = (ref: Ref, thing: string, by: string): string =>
  `${describe(ref)} records who owns ${thing}, and nothing takes such a record over. Give the object of ${by} another name`;

/** Why the set must not change a live object; undefined if it may. */
export function ownershipConflict(live: KubeObject, ref: Ref, owner: SetOwner): string | undefined {
  const recorded = recordedIn(live);
  if (recorded !== undefined) return recordConflict(ref, recorded, `set ${owner.namespace}/${owner.set}`);
  if (isOwn(live, ref, owner)) return undefined;
  const permission = `${owner.namespace}.${owner.set}`;
  if (live.metadata.annotations?.[ADOPT_ANNOTATION] === permission) return undefined;
  if (isOwned(live, owner)) {
    return (
      `${describe(ref)} belongs to another owner of set ${owner.namespace}/${owner.set}: its owner id is ` +
      `${ownerIdOn(live)}. That is another stack, or this one before its state was lost` +
      (owner.adopt === undefined ? "" : `. To take it over on purpose: ${owner.adopt}`)
    );
  }
  const whose = holderOf(live.metadata.labels ?? {});
  const place = ref.namespace === undefined ? "" : ` -n ${ref.namespace}`;
  const resource = `${ref.kind.toLowerCase()} ${ref.name}`;
  return (
    `${describe(ref)} ${whose}; set ${owner.namespace}/${owner.set} does not take it over without permission. ` +
    `Choose another name, delete it, or allow it: kubectl annotate${place} ${resource} ${ADOPT_ANNOTATION}=${permission}`
  );
}

function holderOf(labels: Readonly<Record<string, string>>): string {
  const { [SET_LABEL]: set, [SET_NAMESPACE_LABEL]: namespace } = labels;
  const { [BUNDLE_LABEL]: bundle, [BUNDLE_NAMESPACE_LABEL]: place } = labels;
  if (set !== undefined) return `belongs to the set ${namespace === undefined ? "" : `${namespace}/`}${set}`;
  return bundle === undefined ? "exists already and belongs to no set" : `belongs to bundle ${place}/${bundle}`;
}
