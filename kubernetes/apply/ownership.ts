/** Ownership of objects, recorded in labels, so that two sets never manage the same object. */

import { OWNER_ANNOTATION, ownerIdOn } from "../identity/ownerId";
import { describe } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";

/** Name of the set that owns the object. */
export const SET_LABEL = "stackyard.dev/set";
/** Namespace of that set. Set names are unique only within a namespace. */
export const SET_NAMESPACE_LABEL = "stackyard.dev/set-namespace";
/** Name of the bundle whose release owns the object. */
export const BUNDLE_LABEL = "stackyard.dev/bundle";
/** On a live object: `<namespace>.<set>`, the set that may take it over. */
export const ADOPT_ANNOTATION = "stackyard.dev/adopt";

/** The set that owns an object. */
export interface Owner {
  readonly set: string;
  readonly namespace: string;
  /** Id of the set's instance; undefined in the preview of a new one. */
  readonly id?: string;
}

export const ownerLabels = ({ set, namespace }: Owner): Record<string, string> => ({
  [SET_LABEL]: set,
  [SET_NAMESPACE_LABEL]: namespace,
});

/** Whether a live object belongs to the set. */
export function isOwned({ metadata: { labels = {} } }: KubeObject, owner: Owner): boolean {
  return labels[SET_LABEL] === owner.set && labels[SET_NAMESPACE_LABEL] === owner.namespace;
}

/**
 * Whether a live object belongs to another instance: one that replaced this one, or one of another stack. An instance
 * takes over objects with its labels, but never deletes what another instance took over. An object without an id
 * predates ids.
 */
export function isOfAnother(live: KubeObject, owner: Owner): boolean {
  const id = ownerIdOn(live);
  return !isOwned(live, owner) || (id !== undefined && id !== owner.id);
}

/** Why such an object belongs to another owner, for a message. */
export const otherOwner = (live: KubeObject, owner: Owner): string =>
  isOwned(live, owner)
    ? `its annotation ${OWNER_ANNOTATION} names another owner of set ${owner.namespace}/${owner.set}`
    : `its labels do not name set ${owner.namespace}/${owner.set} any more`;

/** Why the set must not change a live object; undefined if it may. */
export function ownershipConflict(live: KubeObject, ref: Ref, owner: Owner): string | undefined {
  if (isOwned(live, owner)) return undefined;
  const permission = `${owner.namespace}.${owner.set}`;
  if (live.metadata.annotations?.[ADOPT_ANNOTATION] === permission) return undefined;
  const { [SET_LABEL]: set, [SET_NAMESPACE_LABEL]: namespace } = live.metadata.labels ?? {};
  const whose =
    set === undefined
      ? "exists already and belongs to no set"
      : `belongs to the set ${namespace === undefined ? "" : `${namespace}/`}${set}`;
  const place = ref.namespace === undefined ? "" : ` -n ${ref.namespace}`;
  const resource = `${ref.kind.toLowerCase()} ${ref.name}`;
  return (
    `${describe(ref)} ${whose}; set ${owner.namespace}/${owner.set} does not take it over without permission. ` +
    `Choose another name, delete it, or allow it: kubectl annotate${place} ${resource} ${ADOPT_ANNOTATION}=${permission}`
  );
}
