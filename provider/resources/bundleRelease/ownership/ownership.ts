/** Determines the owner of a live object, and whether a release may take it over. */

import { type Work } from "../../../../kubernetes/work/work";
import { OWNER_ANNOTATION, ownerIdOn } from "../../../../kubernetes/identity/ownerId";

import { describe, inventoryKey, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import {
  ADOPT_ANNOTATION,
  recordConflict,
  recordedIn,
  SET_LABEL,
  SET_NAMESPACE_LABEL,
} from "../../../../kubernetes/owners/ownership";
import { shared } from "../../../../kubernetes/client/pool";
import type { OwnerRecord } from "../../../../kubernetes/owners/record";
import { requireUnchanged } from "../../../../kubernetes/owners/store";
import { makerOf, mayAdopt, mayTakeOver } from "./adopt";
import { BUNDLE_LABEL, BUNDLE_NAMESPACE_LABEL, isMember, parentRef, PART_OF } from "../applySet";
import type { ReleaseKey, Tenure } from "../applySet";

/** `adopted`: it belongs to another owner, and the release is configured to take it over. */
export type Claim = "ours" | "adopted" | { readonly refused: string };

/**
 * Whether a member belongs to another instance, so that this one must neither change nor delete it. Members without an
 * id belong to the instance that owns the release.
 */
export function isOfAnother(live: Pick<KubeObject, "metadata">, { owner, former }: Tenure): boolean {
  const id = ownerIdOn(live);
  return id !== undefined && id !== owner && !former.includes(id);
}

/** Why a live object does not belong to this instance of the release, for messages. */
export const foreignText = (owner: ReleaseKey): string =>
  `labels and annotation ${OWNER_ANNOTATION} name another owner than bundle ${owner.namespace}/${owner.name}`;

/** The value of {@link ADOPT_ANNOTATION} that lets the release take an object over. */
export const permissionFor = ({ namespace, name }: ReleaseKey): string => `${namespace}.${name}`;

/**
 * An operation that changes and deletes only what belongs to this instance, while the note has the record that it has
 * written or read.
 */
export const guarded = (work: Work, release: ReleaseKey, tenure: Tenure, record: OwnerRecord | undefined): Work => ({
  ...work,
  foreign: (live) => (isMember(live, release) && !isOfAnother(live, tenure) ? undefined : foreignText(release)),
  requireOwner: shared(() => requireUnchanged(work.client, parentRef(release), record)),
});

/** A release that claims an object. */
interface Claiming extends ReleaseKey {
  readonly tenure: Tenure;
}

export function claimOn(live: KubeObject, ref: Ref, owner: Claiming, adopt: readonly string[]): Claim {
  const { labels = {}, annotations = {} } = live.metadata;
  const release = `bundle ${owner.namespace}/${owner.name}`;
  const recorded = recordedIn(live);
  if (recorded !== undefined) return { refused: recordConflict(ref, recorded, release) };
  if (isMember(live, owner)) {
    const own = `${owner.namespace}/${owner.name}`;
    if (!isOfAnother(live, owner.tenure)) return "ours";
    if (mayTakeOver(own, ref, adopt)) return "adopted";
    return {
      refused:
        `${describe(ref)} belongs to another owner of ${release}: its owner id is ${ownerIdOn(live)}. That is another ` +
        `stack, or this one before its state was lost. To take it over on purpose: adopt: ["${inventoryKey(ref)} from bundle ${own}"]`,
    };
  }
  const other = otherOwner(labels);
  const bundle = otherBundle(labels);
  if (bundle !== undefined && mayTakeOver(bundle, ref, adopt)) return "adopted";
  if (other !== undefined) {
    const moving = bundle === undefined ? "" : `, or move it: adopt: ["${inventoryKey(ref)} from bundle ${bundle}"]`;
    return {
      refused:
        `${describe(ref)} belongs to ${other}; ${release} does not take over what another one manages. ` +
        `Remove it from one of the two${moving}`,
    };
  }
  const permission = permissionFor(owner);
  if (mayAdopt(live, ref, adopt) || annotations[ADOPT_ANNOTATION] === permission) return "adopted";
  const place = ref.namespace === undefined ? "" : ` -n ${ref.namespace}`;
  const resource = `${ref.kind.toLowerCase()} ${ref.name}`;
  const maker = makerOf(live);
  const all = maker === undefined ? "" : ` or, for all that ${maker} made, adopt: ["from ${maker}"]`;
  return {
    refused:
      `${describe(ref)} exists already and belongs to no bundle; ${release} does not take it over without permission. ` +
      `Delete it, or allow it: adopt: ["${inventoryKey(ref)}"]${all}, or kubectl annotate${place} ${resource} ${ADOPT_ANNOTATION}=${permission}`,
  };
}

type Labels = Readonly<Record<string, string>>;

/** `<namespace>/<name>` of the release that owns it. */
export function otherBundle({
  [PART_OF]: part,
  [BUNDLE_LABEL]: name,
  [BUNDLE_NAMESPACE_LABEL]: namespace,
}: Labels): string | undefined {
  return part === undefined || name === undefined ? undefined : `${namespace ?? ""}/${name}`;
}

function otherOwner(labels: Labels): string | undefined {
  const { [PART_OF]: part } = labels;
  const bundle = otherBundle(labels);
  if (part !== undefined) return bundle === undefined ? `the apply set ${part}` : `bundle ${bundle}`;
  const { [SET_LABEL]: set, [SET_NAMESPACE_LABEL]: place } = labels;
  return set === undefined ? undefined : `the set ${place === undefined ? "" : `${place}/`}${set}`;
}
