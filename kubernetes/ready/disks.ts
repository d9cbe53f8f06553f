/** Waits until the set's claims have their requested size, and sums up their actual sizes. */

import { at, describe, refOf, type KubeObject, type Ref } from "../objects/objects";
import { neededClaims, uidsOf, type ClaimUids } from "../drift/truth";
import {
  CLAIM,
  claimsOf,
  isClaim,
  isStatefulSet,
  ordinalOf,
  ordinals,
  templateNames,
  templateOf,
} from "../claims/claims";
import { forAll } from "../client/pool";
import { reasonsOf } from "../reasons/collect";
import { until } from "../work/work";
import type { Site } from "../apply/site";
import type { WantedObject } from "../apply/wanted";
import { awaitsPod, hasPods, resized } from "../rollout/rollout";

/** All claims of a set: those of its StatefulSets, and those among its objects. */
export async function allClaims(site: Site, wanted: readonly WantedObject[]): Promise<KubeObject[]> {
  const found = await forAll(
    wanted.filter(({ ref }) => isStatefulSet(ref) || isClaim(ref)),
    async ({ ref, object }) => {
      if (isStatefulSet(ref)) {
        const live = await site.client.get(ref);
        return claimsOf(site.client, live ? [live, object] : [object]);
      }
      const claim = await site.client.get(ref);
      return claim ? [claim] : [];
    },
  );
  return found.flat();
}

/** UIDs of the claims that a set needs, among those that were read. */
export const uidsAmong = (wanted: readonly WantedObject[], all: readonly KubeObject[]): ClaimUids =>
  uidsOf(
    wanted.flatMap(({ ref, object }) =>
      neededClaims(
        object,
        all.filter((claim) => isOf(claim, ref, object)),
      ),
    ),
  );

/** Recorded claims that still exist, as those of a StatefulSet that was deleted and kept them. */
export async function stillThere({ client }: Site, recorded: ClaimUids = {}): Promise<ClaimUids> {
  const live = await forAll(Object.keys(recorded), (key) => {
    const [namespace, name = ""] = key.split("/");
    return client.get({ ...CLAIM, namespace, name }, { metadataOnly: true });
  });
  return uidsOf(live.filter((claim) => claim !== undefined));
}

function isOf({ metadata }: KubeObject, ref: Ref, object: KubeObject): boolean {
  if (metadata.namespace !== ref.namespace) return false;
  if (isClaim(ref)) return metadata.name === ref.name;
  return isStatefulSet(ref) && templateOf(metadata.name, ref.name, templateNames(object)) !== undefined;
}

export const wantsClaims = (wanted: readonly WantedObject[]): boolean =>
  wanted.some(({ ref, object }) => isClaim(ref) || (isStatefulSet(ref) && templateNames(object).length > 0));

/** Waits until no claim of a set is growing. Returns the claims; undefined if the set has none. */
export async function untilGrown(site: Site, wanted: readonly WantedObject[]): Promise<KubeObject[] | undefined> {
  if (!wantsClaims(wanted)) return undefined;
  const asleep = awaitingPod(wanted);
  let growing: KubeObject[] = [];
  return until(
    site,
    async () => {
      const all = await allClaims(site, wanted);
      // Unbound claims are awaited with their pods, or don't exist yet.
      growing = all.filter(
        (claim) => at(claim, "status", "phase") === "Bound" && !resized(claim).done && !asleep(claim),
      );
      return growing.length === 0 ? all : undefined;
    },
    async () => {
      const reasons = await Promise.all(growing.map((claim) => reasonsOf(site.client, claim)));
      const lines = reasons.flat().map(({ text }) => `- ${text}`);
      return new Error(
        `set ${site.owner.namespace}/${site.owner.set} runs, but after ${site.timeoutSeconds} seconds disks have not grown: ` +
          `${growing.map((claim) => describe(refOf(claim))).join(", ")}\n${lines.join("\n")}`,
      );
    },
  );
}

/** Claims without a pod that could resize their file system. They grow when the pod starts. */
function awaitingPod(wanted: readonly WantedObject[]): (claim: KubeObject) => boolean {
  const workloads = wanted.filter(({ ref }) => hasPods(ref));
  const allAsleep = workloads.every(({ object }) => at(object, "spec", "replicas") === 0);
  return (claim) => awaitsPod(claim) && (allAsleep || workloads.some(({ object }) => isBeyond(object, claim)));
}

/** Whether a claim belongs to a pod beyond the replicas. */
function isBeyond(set: KubeObject, { metadata: { name } }: KubeObject): boolean {
  const { first, end } = ordinals(set);
  const ordinal = ordinalOf(name);
  const isItsOwn = templateOf(name, set.metadata.name, templateNames(set)) !== undefined;
  return isItsOwn && (ordinal < first || ordinal >= end);
}
