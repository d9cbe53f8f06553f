/** Waits until objects are ready, and reports why they are not. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../client/client";
import { at, describe, identity, inventoryKey, textAt, type KubeObject, type Ref, groupOf } from "../objects/objects";
import { isClaim, isStatefulSet } from "../claims/claims";
import { storageClass } from "../claims/storageClass";
import { lookUp, unlessForbidden } from "../client/lookUp";
import { forAll } from "../client/pool";
import { podsOf, reasonsOf } from "../reasons/collect";
import { eventsOf, eventWith } from "../reasons/events";
import type { Work } from "../work/work";
import { isRayCluster } from "../rollout/rayCluster";
import { needsPods, rayPods } from "./rayPods";
import { hasPods, rollout, type Rollout } from "../rollout/rollout";
import { unstick } from "./unstick";

/** Jobs that Kubernetes deletes after they finish, possibly before their result was read. */
export const isExpiring = (object: KubeObject): boolean =>
  object.kind === "Job" &&
  groupOf(object.apiVersion) === "batch" &&
  at(object, "spec", "ttlSecondsAfterFinished") !== undefined;

/** Reasons of the events that report a failed Job. */
const FAILED = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "PodFailurePolicy",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
];

/** The result of a deleted Job, from its events, which may arrive a little after the deletion. */
export async function endOf(client: Client, job: KubeObject): Promise<Rollout> {
  const events = await unlessForbidden(eventsOf(client, job));
  if (events && eventWith(events, "Completed") !== undefined) return { done: true };
  const progress = "deleted during the wait";
  const why = events && eventWith(events, ...FAILED);
  if (why !== undefined) return { done: false, progress, failed: `it failed: ${why}` };
  const unknown = events ? "no event says how it ended" : "the user may not read its events, which say how it ended";
  return { done: false, progress, failed: `it was deleted during the wait, and ${unknown}`, doubtful: true };
}

/** An object to wait for, with its state when it was applied, if known. */
export interface Awaited extends Ref {
  readonly applied?: KubeObject;
}

/** An object that is polled. */
interface Pending {
  readonly ref: Ref;
  live: KubeObject | undefined;
  /** The last state seen. */
  last: KubeObject | undefined;
  rollout: Rollout;
  /** Since when it has an error that won't resolve by itself. */
  finalSince: number | undefined;
  /** Since when it reports a failure. */
  failedSince: number | undefined;
  /** Since when its controller has not reported on its present spec. */
  unseenSince: number | undefined;
  /** When it was read last. */
  readAt: number;
}

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1_000;
/** Interval at which reasons are collected. It is also the minimum wait before the first time. */
const ASK_EVERY_MS = 1_500;
/** An error that won't resolve by itself counts once it has lasted this long. */
const CONFIRM_AFTER_MS = 3_000;
/** Interval at which a CustomResourceDefinition is read before its kind is served. */
const READ_CRD_EVERY_MS = 5_000;
/** Maximum number of objects to report. */
const MAX_LISTED = 5;

/**
 * Waits until all objects are ready. Throws with reasons after the deadline, or at once on a permanent failure.
 * `label`: a selector that matches all of them.
 */
export async function untilRolledOut(
  site: Work,
  refs: readonly Awaited[],
  judge: (live: KubeObject) => Rollout = rollout,
  label?: string,
): Promise<void> {
  let pending = refs.map(({ applied, ...ref }): Pending => {
    return {
      ref,
      live: undefined,
      last: applied,
      rollout: { done: false, progress: "" },
      finalSince: undefined,
      failedSince: undefined,
      unseenSince: undefined,
      readAt: 0,
    };
  });
  const isLate = () => Date.now() >= site.deadline;
  let asked = Date.now();
  let reported = "";
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.3, LONGEST_PAUSE_MS)) {
    site.signal.throwIfAborted();
    const due: Pending[] = [];
    await forAll(pending, async (one) => {
      if (await isDue(site, one)) due.push(one);
    });
    const found = await lookUp(
      site.client,
      due.map(({ ref }) => ref),
      { label },
    );
    await forAll(due, (one) => refresh(site, one, found.get(identity(one.ref)), judge));
    pending = pending.filter(({ rollout }) => !rollout.done);
    if (pending.length === 0) return;
    if (isLate() || pending.some(hasFailed)) {
      throw await notReady(site, pending);
    }
    if (Date.now() - asked >= ASK_EVERY_MS) {
      const first = await inspect(site, pending);
      asked = Date.now();
      if (pending.some(({ finalSince = Infinity }) => asked - finalSince >= CONFIRM_AFTER_MS))
        throw await notReady(site, pending);
      if (first !== reported) site.log("status", first);
      reported = first;
    }
    await sleep(Math.max(1, Math.min(pause, site.deadline - Date.now())), undefined, { signal: site.signal });
  }
}

const hasFailed = ({ rollout, failedSince = Infinity }: Pending): boolean =>
  !rollout.done && rollout.failed !== undefined && (!rollout.doubtful || Date.now() - failedSince >= CONFIRM_AFTER_MS);

/**
 * A CustomResourceDefinition may have a megabyte, and reading it slows down the API server while that creates the kind. So it is
 * read only now and then before its kind is served.
 */
async function isDue({ client }: Work, one: Pending): Promise<boolean> {
  const { ref, last } = one;
  const isEarly = Date.now() - one.readAt < READ_CRD_EVERY_MS;
  if (isEarly && last && ref.kind === "CustomResourceDefinition") {
    const kind = textAt(last, "spec", "names", "kind") ?? "";
    if ((await client.discovery.version(textAt(last, "spec", "group") ?? "", kind)) === undefined) return false;
  }
  one.readAt = Date.now();
  return true;
}

async function refresh(
  site: Work,
  one: Pending,
  seen: KubeObject | undefined,
  judge: (live: KubeObject) => Rollout,
): Promise<void> {
  const live = seen ?? (await site.client.get(one.ref));
  one.live = live;
  if (!live) {
    const { last } = one;
    one.rollout =
      last && isExpiring(last)
        ? await endOf(site.client, last)
        : { done: false, progress: "deleted during the wait", failed: "it was deleted during the wait" };
    one.failedSince ??= Date.now();
    return;
  }
  one.last = live;
  one.rollout = judge(live);
  if (isRayCluster(live)) one.rollout = await withPods(site, one, live);
  const failed = !one.rollout.done && one.rollout.failed !== undefined;
  one.failedSince = failed ? (one.failedSince ?? Date.now()) : undefined;
  if (isClaim(live) && !one.rollout.done && (await needsNoWaiting(site, live))) one.rollout = { done: true };
  // The controller no longer counts terminating pods, but they may still use the disk. A StatefulSet of generation 1
  // never had pods to terminate.
  if (one.rollout.done && hasPods(live) && at(live, "spec", "replicas") === 0 && live.metadata.generation !== 1) {
    const pods = await visiblePods(site, live);
    if (pods.length > 0) one.rollout = { done: false, progress: `${pods.length} pods still to go` };
  }
}

/** The pods must be ready too, if the user may list them. */
async function withPods({ client }: Work, one: Pending, live: KubeObject): Promise<Rollout> {
  const { rollout: said } = one;
  one.unseenSince = !said.done && said.unseen === true ? (one.unseenSince ?? Date.now()) : undefined;
  if (!needsPods(live, said, Date.now() - (one.unseenSince ?? Date.now()))) return said;
  const found = await unlessForbidden(podsOf(client, live));
  return found ? rayPods(live, said, found.pods) : said;
}

/** Empty if the user may not list pods, which are not objects of the set. */
async function visiblePods({ client }: Work, workload: KubeObject): Promise<readonly KubeObject[]> {
  return (await unlessForbidden(podsOf(client, workload)))?.pods ?? [];
}

/** A claim with `WaitForFirstConsumer` is bound when its first pod starts, so it is awaited with that pod. */
async function needsNoWaiting({ client }: Work, claim: KubeObject): Promise<boolean> {
  const name = textAt(claim, "spec", "storageClassName");
  if (name === undefined) return false;
  const found = await storageClass(client, name);
  if (found !== "hidden") return textAt(found, "volumeBindingMode") === "WaitForFirstConsumer";
  const events = await unlessForbidden(eventsOf(client, claim));
  return eventWith(events ?? [], "WaitForFirstConsumer") !== undefined;
}

/** Unblocks rollouts, notes permanent errors, and returns the progress in one line. */
async function inspect(site: Work, pending: readonly Pending[]): Promise<string> {
  let line = "";
  for (const one of pending.slice(0, MAX_LISTED)) {
    if (!one.live || one.rollout.done) continue;
    if (isStatefulSet(one.ref)) await unstick(site, one.live, await visiblePods(site, one.live));
    const reasons = await reasonsOf(site.client, one.live);
    one.finalSince = reasons.some(({ final }) => final) ? (one.finalSince ?? Date.now()) : undefined;
    const why = reasons[0] ? `: ${reasons[0].text}` : "";
    if (line === "") line = `waiting for ${describe(one.ref)}: ${one.rollout.progress}${why}`;
  }
  return pending.length > 1 ? `${line} (and ${pending.length - 1} more)` : line;
}

/** An error that lists what is not ready, and why. */
async function notReady(site: Work, pending: readonly Pending[]): Promise<Error> {
  const failed = pending.some(hasFailed);
  const lines: string[] = [];
  for (const { ref, live, rollout } of pending.slice(0, MAX_LISTED)) {
    if (rollout.done) continue;
    lines.push(`- ${describe(ref)}: ${rollout.failed ?? rollout.progress}`);
    const reasons = live ? await reasonsOf(site.client, live) : [];
    lines.push(...reasons.map(({ text }) => `  - ${text}`));
  }
  if (pending.length > MAX_LISTED)
    lines.push(
      `- and ${pending.length - MAX_LISTED} more: ${pending
        .slice(MAX_LISTED, 20)
        .map(({ ref }) => inventoryKey(ref))
        .join(", ")}`,
    );
  const late = !failed && Date.now() >= site.deadline;
  const when = late ? `is not ready after ${site.timeoutSeconds} seconds` : "cannot become ready";
  return new Error(`${site.title} ${when}:\n${lines.join("\n")}`);
}
