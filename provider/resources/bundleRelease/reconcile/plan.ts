/** Decides what the reconciliation of a release may restore. Pure. */

import { describe, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { parentRef, setStatus, type ReleaseKey } from "../applySet";
import type { ReleaseState } from "../inputs";
import { ownedByText, type Tenancy } from "../ownership/tenancy";
import { isSpent } from "../read";
import type { Recorded } from "../state";
import type { Member } from "../wanted/member";

/** `disabled` on the release's ConfigMap or on an object: it is not reconciled. */
export const RECONCILE_ANNOTATION = "stackyard.dev/reconcile";
/** On the release's ConfigMap: when something was restored last (RFC 3339). */
export const RECONCILED_AT = "stackyard.dev/reconciled-at";

/**
 * `clean`: nothing differs. `repaired`: what differed was restored. `differs`: something differs that is not restored.
 * `busy`: an update is in progress. `paused`: an annotation disables it.
 */
export type Standing = "clean" | "repaired" | "differs" | "busy" | "paused";

/** Why a whole release is left alone. */
export interface HeldBack {
  readonly standing: Standing;
  readonly reason: string;
}

/** A state with what the provider keeps of a failed update; see framework/contained.ts. */
type Failing = ReleaseState & { readonly kept?: unknown; readonly outcome?: { readonly failure?: string } };

const UPDATE = "the next update of its stack continues it";

/** Undefined if the state describes the release in the cluster exactly, and nobody changes it. */
export function heldBack(
  { note, record, verdict }: Pick<Tenancy, "note" | "record" | "verdict">,
  owner: ReleaseKey,
  state: Failing,
): HeldBack | undefined {
  const { incomplete, interrupted, kept, outcome, generation } = state;
  const isOpen = incomplete !== undefined || interrupted !== undefined || kept !== undefined;
  if (isOpen || outcome?.failure !== undefined) return differs(`its last update failed or was interrupted; ${UPDATE}`);
  if (note === undefined || record === undefined) {
    return differs(`${describe(parentRef(owner))} does not record its owner; an update of its stack does`);
  }
  if (verdict !== "own")
    return differs(verdict === "stale" ? otherGeneration(record.generation, generation) : ownedByText(record));
  const { toward } = setStatus(note);
  if (note.metadata.deletionTimestamp !== undefined) return { standing: "busy", reason: "it is being deleted" };
  if (record.phase === "applying" || toward !== undefined) {
    return {
      standing: "busy",
      reason: `an update${toward === undefined ? "" : ` to ${toward}`} did not come to its end`,
    };
  }
  if (record.generation !== generation) return differs(otherGeneration(record.generation, generation));
  return isPaused(note) ? { standing: "paused", reason: `${RECONCILE_ANNOTATION} is disabled` } : undefined;
}

const differs = (reason: string): HeldBack => ({ standing: "differs", reason });

const otherGeneration = (recorded: number, known: number | undefined): string =>
  `the cluster has generation ${recorded} of it, and the state generation ${known ?? 0}; run pulumi refresh`;

export const isPaused = ({ metadata }: Pick<KubeObject, "metadata">): boolean =>
  metadata.annotations?.[RECONCILE_ANNOTATION] === "disabled";

/** An object of the inventory as it was found. */
export interface FoundObject {
  readonly record: Recorded;
  /** Undefined if the content does not have it any more. */
  readonly member: Member | undefined;
  readonly live: KubeObject | undefined;
  /** Whether it is certainly as it was applied. */
  readonly isAsApplied: boolean;
  /** Why it belongs to another owner. */
  readonly refused: string | undefined;
}

/** `compare`: a dry run must find out whether it differs. `managers`: field managers that set what differs. */
export type Fate =
  | "same"
  | "compare"
  | ({ readonly managers?: readonly string[] } & ({ readonly repair: string } | { readonly leave: string }));

/**
 * What a loss may have taken along: data, the objects in a namespace or of a kind. And what would run again. People
 * restore these.
 */
const NEVER_RECREATED: ReadonlySet<string> = new Set([
  ...["Namespace", "CustomResourceDefinition", "PersistentVolumeClaim", "PersistentVolume"],
  ...["Job", "Pod"],
]);

export const isRecreated = ({ kind }: Pick<Ref, "kind">): boolean => !NEVER_RECREATED.has(kind);

export const MISSING = "it was missing";

export function restorationOf({ record, member, live, isAsApplied, refused }: FoundObject): Fate {
  if (member === undefined || isAsApplied || (live !== undefined && isPaused(live))) return "same";
  if (member.once && live !== undefined) return "same";
  if (live === undefined && isSpent(member)) return "same";
  if (refused !== undefined) return { leave: refused };
  if (record.fingerprint === "")
    return { leave: "a refresh has recorded that it differs; the next update restores it" };
  if (record.fingerprint !== member.fingerprint) {
    return { leave: "its content renders differently now than when it was applied; an update applies that" };
  }
  if (live?.metadata.deletionTimestamp !== undefined) return { leave: "it is being deleted" };
  if (live !== undefined) return "compare";
  if (member.once) return { leave: "it is missing, and is created only once" };
  return isRecreated(member.ref)
    ? { repair: MISSING }
    : { leave: `it is missing, and a ${member.ref.kind} is restored by an update only` };
}
