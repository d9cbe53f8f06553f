/** What differs between a live object and what its set applied: by UID, owner and field. Pure. */

import { isDeepStrictEqual } from "node:util";
import { changesBetween } from "../../foundation/pulumi/changes";
import { isOwned, type SetOwner } from "../owners/ownership";
import { project } from "./project";
import { isClaim, isStatefulSet, ordinalOf, ordinals, templateNames, templateOf } from "../claims/claims";
import { refOf, describe, textAt, type KubeObject, type Ref } from "../objects/objects";
import { withoutShrinking } from "../claims/claimPlan";
import { ownerIdOn } from "../identity/ownerId";

/** `repairable`: applying the set again restores it. */
export interface DriftFinding {
  readonly kind: "missing" | "deleting" | "replaced" | "lost" | "foreign" | "unmarked" | "changed";
  readonly repairable: boolean;
  /** `StatefulSet runtimes/runtime-acme`. */
  readonly object: string;
  /** What was found, and for what applying does not repair, what to do. */
  readonly text: string;
}

/** UIDs of claims by `<namespace>/<claim>`. */
export type ClaimUids = Readonly<Record<string, string>>;

/** Paths of changed fields in a message. */
const MOST_PATHS = 5;

/** `given`: the object as its set was given it; undefined for a leftover of an earlier update. */
export function objectFindings(
  live: KubeObject | undefined,
  ref: Ref,
  given: KubeObject | undefined,
  owner: SetOwner,
): DriftFinding[] {
  const object = describe(ref);
  if (live === undefined) return [{ kind: "missing", repairable: true, object, text: "was deleted" }];
  const { deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) {
    return [{ kind: "deleting", repairable: true, object, text: `is being deleted since ${deletionTimestamp}` }];
  }
  const id = ownerIdOn(live);
  const isAnother = id !== owner.id && owner.id !== undefined;
  if (id !== undefined && isAnother && owner.takes?.includes(id) !== true) {
    return [{ kind: "foreign", repairable: false, object, text: `has the owner id ${id}; expected ${owner.id}` }];
  }
  const isUnmarked = !isOwned(live, owner) || isAnother;
  const marks: DriftFinding[] = isUnmarked
    ? [{ kind: "unmarked", repairable: true, object, text: "lost the labels or the annotation that name its owner" }]
    : [];
  const paths = given === undefined ? [] : changedPaths(live, given);
  if (paths.length === 0) return marks;
  return [...marks, { kind: "changed", repairable: true, object, text: `differs in ${shown(paths)}` }];
}

/** The fields of an object that its live version has otherwise: `spec.replicas`. */
export function changedPaths(live: KubeObject, given: KubeObject): string[] {
  // A disk that is larger than requested is no drift.
  const expected = withoutShrinking(given, live);
  const found = project(live, expected) as KubeObject;
  if (isDeepStrictEqual(found, expected)) return [];
  return Object.keys(changesBetween(expected, found)).filter((path) => path !== "metadata.namespace");
}

const shown = (paths: readonly string[]): string =>
  [...paths.slice(0, MOST_PATHS), ...(paths.length > MOST_PATHS ? [`${paths.length - MOST_PATHS} more`] : [])].join(
    ", ",
  );

const keyOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

/** Compares claims with the recorded ones. A claim that was not recorded is new, which is no finding. */
export function claimFindings(claims: readonly KubeObject[], recorded: ClaimUids): DriftFinding[] {
  const live = new Map(claims.map((claim) => [keyOf(claim), claim]));
  const gone = Object.keys(recorded).filter((key) => !live.has(key));
  return [...gone.map(missingClaim), ...claims.flatMap((claim) => claimFinding(claim, recorded[keyOf(claim)]) ?? [])];
}

/** The recorded claims of one object: those of a StatefulSet by their names, or the claim itself. */
export function recordedFor(recorded: ClaimUids = {}, ref: Ref, given: KubeObject | undefined): ClaimUids {
  const templates = given === undefined ? [] : templateNames(given);
  const isOf = (name: string): boolean =>
    isClaim(ref) ? name === ref.name : isStatefulSet(ref) && templateOf(name, ref.name, templates) !== undefined;
  return Object.fromEntries(
    Object.entries(recorded).filter(([key]) => {
      const [namespace, name = ""] = key.split("/");
      return namespace === ref.namespace && isOf(name);
    }),
  );
}

/** The claims that a StatefulSet needs. Claims beyond its replicas may go at any time; hibernated, all matter. */
export function neededClaims(set: KubeObject, claims: readonly KubeObject[]): readonly KubeObject[] {
  if (!isStatefulSet(set)) return claims;
  const { first, end } = ordinals(set);
  return claims.filter(({ metadata }) => first === end || ordinalOf(metadata.name) < end);
}

/** The UIDs to record. */
export const uidsOf = (claims: readonly KubeObject[]): ClaimUids =>
  Object.fromEntries(
    claims.flatMap((claim) => (claim.metadata.uid === undefined ? [] : [[keyOf(claim), claim.metadata.uid]])),
  );

const missingClaim = (key: string): DriftFinding => ({
  kind: "missing",
  repairable: false,
  object: `PersistentVolumeClaim ${key}`,
  text: "was deleted with its data, unless its volume was retained: kubectl get pv. An update with --refresh creates an empty one",
});

function claimFinding(claim: KubeObject, recorded: string | undefined): DriftFinding | undefined {
  const { uid, deletionTimestamp } = claim.metadata;
  const object = describe(refOf(claim));
  const volume = textAt(claim, "spec", "volumeName");
  if (recorded !== undefined && uid !== recorded) {
    const text =
      `was replaced: its UID is ${uid}, and the one with the data had ${recorded}. Find the volume of the former one with: ` +
      "kubectl get pv; or accept the new one by an update with --refresh";
    return { kind: "replaced", repairable: false, object, text };
  }
  if (deletionTimestamp !== undefined) {
    const keep =
      volume === undefined
        ? ""
        : `. Keep its data with: kubectl patch pv ${volume} -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`;
    const text = `is being deleted since ${deletionTimestamp}, and goes when its pod ends${keep}`;
    return { kind: "deleting", repairable: false, object, text };
  }
  if (textAt(claim, "status", "phase") !== "Lost") return undefined;
  const { namespace, name } = claim.metadata;
  const text =
    `lost its volume ${volume ?? ""}, which was deleted. To continue with an empty one, delete the claim, then its pod, and run an ` +
    `update with --refresh: kubectl delete pvc ${name} --namespace ${namespace} --wait=false`;
  return { kind: "lost", repairable: false, object, text };
}

export const findingText = ({ object, text }: DriftFinding): string => `${object} ${text}`;
