/** Plans the disks of a StatefulSet that is created where claims of its names exist already. Pure. */

import { originOn } from "../identity/origin";
import { describe, numberAt, textAt, type KubeObject, refOf } from "../objects/objects";
import { templateNames } from "../claims/claims";
import { asideName, isAside, isKept, reusedFrom } from "./kept";

export interface DiskPlan {
  /** Kept disks whose change of name may have been interrupted. */
  readonly renamed: readonly KubeObject[];
  /** Kept disks to rename, because the new set creates claims of their names. */
  readonly aside: readonly KubeObject[];
  /** Kept disks of such names that are being deleted, and must be gone first. */
  readonly going: readonly KubeObject[];
  /** The kept disk that the new set uses, and the name that it expects. */
  readonly reuse?: { readonly claim: KubeObject; readonly name: string };
}

export interface PlannedDisks {
  readonly disks: DiskPlan;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
}

interface Request {
  /** The claim that the user chose, as `claim` or `namespace/claim`. */
  readonly disk?: string;
  /** Whether unmarked claims are an error, because they may be of another deployment. */
  readonly isStrict: boolean;
}

/** `there`: kept disks of the namespace, and claims with the labels of the set. */
export function planDisks(set: KubeObject, there: readonly KubeObject[], { disk, isStrict }: Request): PlannedDisks {
  const expected = new Set(claimNames(set));
  const [live = [], ending = []] = [false, true].map((isEnding) =>
    there.filter(({ metadata }) => (metadata.deletionTimestamp !== undefined) === isEnding),
  );
  const going = ending.filter((claim) => isKept(claim) && expected.has(claim.metadata.name));
  const kept = live.find((claim) => isKept(claim) && isNamed(disk, claim, claim.metadata.name));
  // An interrupted update may have begun to use it.
  const begun = live.find(
    (claim) => expected.has(claim.metadata.name) && !isKept(claim) && isNamed(disk, claim, reusedFrom(claim)),
  );
  const chosen = kept ?? begun;
  const others = live.filter((claim) => expected.has(claim.metadata.name) && claim !== chosen && claim !== begun);
  const aside = others.filter(isKept);
  const foreign = isStrict ? others.filter((claim) => !isKept(claim)) : [];
  const name = begun?.metadata.name ?? (kept && nameFor(kept, [...expected]));
  const place = set.metadata.namespace ?? "";
  const owner = chosen && originOn(chosen).deployment;
  const { deployment } = originOn(set);
  const isOthers = owner !== undefined && deployment !== undefined && owner !== deployment;
  const faults = [
    ...(isOthers ? [`disk: found "${disk}", which is of deployment "${owner}"; expected one of "${deployment}"`] : []),
    ...(disk !== undefined && chosen === undefined ? [notKept(disk, place)] : []),
    ...(chosen && name === undefined ? [`${describe(refOf(chosen))} fits no claim of ${describe(refOf(set))}`] : []),
    ...foreign.map(unknownClaim),
  ];
  const notes = aside.map(
    (claim) =>
      `${describe(refOf(claim))} is kept as ${asideName(claim)}, and a new disk is created. To use the kept one instead, ` +
      `create the runtime with --disk ${claim.metadata.name}; later, destroy it first and name ${asideName(claim)}`,
  );
  const reuse = chosen && !isOthers && name !== undefined && { reuse: { claim: chosen, name } };
  return { disks: { renamed: live.filter(isAside), aside, going, ...reuse }, faults, notes };
}

const isNamed = (
  disk: string | undefined,
  { metadata: { namespace } }: KubeObject,
  name: string | undefined,
): boolean => disk !== undefined && name !== undefined && [name, `${namespace}/${name}`].includes(disk);

/** Why a StatefulSet that exists can't use the kept disk, unless it is the one that it was created with. */
export function diskUnused(disk: string | undefined, live: KubeObject, claims: readonly KubeObject[]): string[] {
  if (disk === undefined || claims.some((claim) => isNamed(disk, claim, reusedFrom(claim)))) return [];
  return [
    `disk: found "${disk}", and ${describe(refOf(live))} exists with a disk of its own. Only a new runtime uses a kept ` +
      "disk: destroy this one first, or remove --disk",
  ];
}

/** At most this many names: of larger sets, the first claims matter. */
const MOST_REPLICAS = 100;

/** Names of the claims that a set creates. */
export function claimNames(set: KubeObject): string[] {
  const first = numberAt(set, "spec", "ordinals", "start") ?? 0;
  const replicas = Math.max(1, Math.min(numberAt(set, "spec", "replicas") ?? 1, MOST_REPLICAS));
  return templateNames(set).flatMap((template) =>
    Array.from({ length: replicas }, (_, index) => `${template}-${set.metadata.name}-${first + index}`),
  );
}

/** Its own name, the one that it had before it was renamed, or the only one. */
function nameFor({ metadata: { name } }: KubeObject, expected: readonly string[]): string | undefined {
  const former = /^kept-[0-9a-f]{8}-(.*)$/.exec(name)?.[1];
  if (expected.includes(name)) return name;
  if (former !== undefined && expected.includes(former)) return former;
  return expected.length === 1 ? expected[0] : undefined;
}

const notKept = (disk: string, namespace: string): string =>
  `disk: found "${disk}", which is no kept disk of namespace ${namespace}; expected one that "stackyard runtime disks" lists`;

function unknownClaim(claim: KubeObject): string {
  const { name, namespace } = claim.metadata;
  const volume = textAt(claim, "spec", "volumeName");
  return (
    `${describe(refOf(claim))}${volume === undefined ? "" : ` (volume ${volume})`} exists already, and it is not known whose data it has. ` +
    `Delete it; or keep it as a disk of its own, which --disk ${name} can use: ` +
    `kubectl label -n ${namespace} pvc ${name} stackyard.dev/kept-disk=true`
  );
}
