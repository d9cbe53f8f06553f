/** Removes members of a release and waits until they are deleted. */

import { type Work } from "../../../../kubernetes/work/work";
import { isCrd, describe, groupOf, identity, namesOf } from "../../../../kubernetes/objects/objects";
import type { KubeObject, Ref } from "../../../../kubernetes/objects/objects";
import { OWNER_ANNOTATION } from "../../../../kubernetes/identity/ownerId";
import { untilGone } from "../../../../kubernetes/work/gone";
import { lookUp } from "../../../../kubernetes/client/lookUp";
import { forAll } from "../../../../kubernetes/client/pool";
import { hasPods } from "../../../../kubernetes/rollout/rollout";
import { ADOPT_ANNOTATION } from "../../../../kubernetes/owners/ownership";

import { markOwn, removeOwn, type Outcome } from "../../../../kubernetes/owners/whileOwn";
import { BUNDLE_LABEL, BUNDLE_NAMESPACE_LABEL, PART_OF, selectorOf, type ReleaseKey, type Tenure } from "../applySet";
import type { ReleaseInputs } from "../inputs";
import { lookAtOwn, memberRef } from "../live/live";
import { contentOf } from "../ownership/occupied";
import { isNamespace, removalRank } from "../wanted/order";
import { foreignText, permissionFor } from "../ownership/ownership";

/** On a member: `disabled` keeps it in the cluster when it leaves the bundle or the release is deleted. */
export const PRUNE_ANNOTATION = "stackyard.dev/prune";

export interface Removal extends ReleaseKey, Pick<ReleaseInputs, "allowDeletion"> {
  readonly tenure: Tenure;
}

/**
 * Deletes in reverse order of the inventory, then CustomResourceDefinitions, then namespaces. `gone` is called with the
 * objects that no longer belong to the release, deleted or released.
 */
export async function removeMembers(
  work: Work,
  release: Removal,
  refs: readonly Ref[],
  gone: (refs: readonly Ref[]) => void = () => undefined,
): Promise<void> {
  const content = refs.filter((ref) => !isCrd(ref) && !isNamespace(ref));
  for (const batch of batchesOf(content.reverse())) {
    await removeBatch(work, release, batch);
    gone(batch);
  }
  for (const isGuarded of [isCrd, isNamespace]) {
    const guarded = refs.filter(isGuarded);
    await removeBatch(work, release, guarded);
    gone(guarded);
  }
}

function batchesOf(refs: readonly Ref[]): Ref[][] {
  const result: Ref[][] = [];
  let current: string | undefined;
  for (const ref of refs) {
    const rank = removalRank(ref);
    if (rank !== current) result.push([]);
    current = rank;
    result.at(-1)?.push(ref);
  }
  return result;
}

async function removeBatch(work: Work, release: Removal, refs: readonly Ref[]): Promise<void> {
  if (refs.length === 0) return;
  const { client } = work;
  const found = await lookAtOwn(client, refs, release);
  const removed = await forAll([...found.values()], async (live) => {
    const ref = memberRef(live);
    const reason = await whyKept(work, release, ref, live);
    const propagationPolicy = hasPods(ref) && ref.kind !== "Pod" ? "Foreground" : "Background";
    const outcome = await (reason === undefined
      ? removeOwn(work, live, propagationPolicy)
      : disown(work, release, live));
    if (outcome === "own" && reason) work.log(reason.severity, `${describe(ref)} stays: ${reason.text}`);
    return { live, outcome, stays: reason !== undefined };
  });
  const others = removed.flatMap(({ live, outcome }) => (outcome === "own" ? [] : [memberRef(live)]));
  const going = removed.flatMap(({ live, outcome, stays }) => (outcome === "own" && !stays ? [live] : []));
  if (others.length > 0) work.log("info", `left ${namesOf(others)} alone: ${foreignText(release)}`);
  if (going.length > 0)
    work.log(
      "status",
      `removes ${going.length === 1 ? describe(memberRef(going[0] as KubeObject)) : `${going.length} objects`}`,
    );
  await untilGone(work, going, async (objects) => {
    const now = await lookUp(client, objects.map(memberRef), { metadataOnly: true, label: selectorOf(release) });
    return objects.map((object) => now.get(identity(memberRef(object))));
  });
}

interface Reason {
  readonly severity: "info" | "warning";
  readonly text: string;
}

async function whyKept(work: Work, release: Removal, ref: Ref, live: KubeObject): Promise<Reason | undefined> {
  if (live.metadata.annotations?.[PRUNE_ANNOTATION] === "disabled") {
    return { severity: "info", text: `its annotation ${PRUNE_ANNOTATION} says so` };
  }
  if (!isCrd(ref) && !isNamespace(ref)) return undefined;
  if (release.allowDeletion.includes(ref.kind)) return undefined;
  const content = await contentOf(work.client, ref, release);
  if (content.length === 0) return undefined;
  const shown = content.slice(0, 3).join(", ");
  return {
    severity: "warning",
    text:
      `it holds what is not the bundle's: ${shown}${content.length > 3 ? " and more" : ""}. To remove it with that: ` +
      `allowDeletion: ["${ref.kind}"], or kubectl delete ${groupOf(ref.apiVersion) === "" ? "namespace" : "crd"} ${ref.name}`,
  };
}

/** Leaves the members of a release in the cluster, without an owner. */
export async function releaseMembers(work: Work, release: ReleaseKey, refs: readonly Ref[]): Promise<void> {
  const found = await lookAtOwn(work.client, refs, release);
  const outcomes = await forAll(
    [...found.values()],
    async (live) => [live, await disown(work, release, live)] as const,
  );
  const kept = outcomes.flatMap(([live, outcome]) => (outcome === "own" ? [memberRef(live)] : []));
  if (kept.length > 0) work.log("info", `kept ${namesOf(kept)}, without an owner`);
}

/** Releases an object: it stays without an owner, and the next instance of the bundle may take it over. */
function disown(work: Work, release: ReleaseKey, live: KubeObject): Promise<Outcome> {
  const labels = { [PART_OF]: null, [BUNDLE_LABEL]: null, [BUNDLE_NAMESPACE_LABEL]: null };
  const annotations = { [OWNER_ANNOTATION]: null, [ADOPT_ANNOTATION]: permissionFor(release) };
  return markOwn(work, live, { labels, annotations });
}
