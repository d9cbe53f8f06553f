/** Applies the members of a release, phase by phase. */

import { ApiError, isFieldConflict, isForbidden } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { describe, identity, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import { applyWithRetries, applyWhenAvailable } from "../../../../kubernetes/apply/apply";
import { untilGone } from "../../../../kubernetes/work/gone";
import { forAll } from "../../../../kubernetes/client/pool";
import { untilRolledOut, type Awaited } from "../../../../kubernetes/ready/wait";
import type { Rollout } from "../../../../kubernetes/rollout/state";
import { until, type Work } from "../../../../kubernetes/work/work";
import { explain, FaultsError } from "../../../../kubernetes/work/faults";
import { NOT_APPROVED } from "../../../../bundles/approvals/confine/policies";
import type { Rules } from "../../../../bundles/rules/rule";
import { revertingManualChanges } from "../live/byHand";
import { selectorOf, type ReleaseKey } from "../applySet";
import type { Member } from "../wanted/member";
import type { Phase } from "../wanted/order";
import { memberRef } from "../live/live";
import { readiness } from "./readiness";
import { changeRefused, isFailedJob, mindsChange, replace } from "./replace";
import { isInvalid } from "../live/revised";
import type { ReleaseProgress } from "../state";

/** A member with what is known of its live object. */
export interface Task extends Member {
  /** Take over fields from any manager. */
  readonly force: boolean;
  /** A refresh found drift: revert fields that were changed manually. */
  readonly restore: boolean;
  /** The object may be deleted and recreated if it can't be updated. */
  readonly replace: boolean;
  /** The same update changes the definition of its kind. */
  readonly revised: boolean;
  readonly there: boolean;
  /** The live object by which its owner was judged; undefined if there was none. */
  readonly seen: KubeObject | undefined;
  /** Why the release must not change a live version of it. */
  readonly foreign: (live: KubeObject) => string | undefined;
  /** An object with this name is being deleted and must be gone before the creation. */
  readonly leaving: KubeObject | undefined;
  /** Custom rules for readiness and failure, if it has any. */
  readonly rules: Rules | undefined;
}

/** After this number of rejected objects in a phase, the rest is skipped. */
const MOST_FAULTS = 20;

/** The API server's codes for an object that it does not create. */
const REFUSALS = new Set([400, 403, 404, 413, 422]);

/** Applies a phase and waits until all its objects are ready. */
export async function applyPhase(
  work: Work,
  owner: ReleaseKey,
  phase: Phase<Task>,
  progress: ReleaseProgress,
): Promise<void> {
  const { items, wave, step } = phase;
  if (items.length === 0) return;
  const where = wave === undefined ? step : `wave ${wave}, ${step}`;
  if (items.length > 1) work.log("status", `applies ${items.length} objects (${where})`);
  const faults: string[] = [];
  const waiting: Awaited[] = [];
  await work.requireOwner?.();
  await forAll(items, async (task) => {
    if (faults.length >= MOST_FAULTS) return;
    progress.begin(task);
    try {
      const live = await applyOne(work, task);
      if (!readiness(live, task.rules).done) waiting.push({ ...task.ref, applied: live });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!task.there && REFUSALS.has(error.code)) progress.refused(task);
      faults.push(`${task.place}: ${await applyRefusal(work.client, error, task)}`);
    }
  });
  if (faults.length > 0) throw new FaultsError("the cluster refused", faults);
  const rules = new Map(items.map((item) => [identity(item.ref), item.rules]));
  const judge = (live: KubeObject): Rollout => readiness(live, rules.get(identity(memberRef(live))));
  await untilRolledOut(work, waiting, judge, selectorOf(owner));
  progress.settle(items);
}

/**
 * Adds the faults that a dry run finds in later phases to those of a phase, so that all are reported at once. Without
 * what may only follow from objects that do not exist yet: missing namespaces, kinds and accounts of pods.
 */
export async function withLaterFaults(work: Work, error: unknown, later: readonly Phase<Task>[]): Promise<unknown> {
  if (!(error instanceof FaultsError)) return error;
  const faults = [...error.faults];
  const tasks = later
    .flatMap(({ items }) => items)
    .filter(({ needs, ref }) => needs === undefined && ref.kind !== "Pod");
  await forAll(tasks, async (task) => {
    if (faults.length >= MOST_FAULTS) return;
    try {
      await work.client.apply(task.object, { dryRun: true, force: task.force });
    } catch (refusal) {
      if (!(refusal instanceof ApiError) || refusal.code === 404 || !REFUSALS.has(refusal.code)) return;
      if (task.there && task.replace) return;
      faults.push(`${task.place}: ${await applyRefusal(work.client, refusal, task)}`);
    }
  });
  return faults.length === error.faults.length ? error : new FaultsError("the cluster refused", faults);
}

async function applyOne(whole: Work, task: Task): Promise<KubeObject> {
  const { object, ref, leaving, foreign } = task;
  const work: Work = { ...whole, foreign };
  if (leaving) await untilGone(work, [leaving]);
  const apply = (): Promise<KubeObject> => applyOrWait(work, task);
  if (!task.there || !task.replace) return apply();
  try {
    const live = await apply();
    return isFailedJob(live) ? await replace(work, live, object, apply) : live;
  } catch (error) {
    if (!(error instanceof ApiError) || !(await mindsChange(work.client, error, object))) throw error;
    const live = await work.client.get(ref);
    return live ? replace(work, live, object, apply) : apply();
  }
}

async function applyOrWait(work: Work, task: Task): Promise<KubeObject> {
  const { object, ref, needs, revised, seen } = task;
  const tried = Date.now();
  let said: ApiError | undefined;
  return until(
    work,
    async () => {
      try {
        const apply = needs === undefined ? applyWithRetries : applyWhenAvailable;
        return await revertingManualChanges(task, ({ force }) => apply(work, object, { force, seen }));
      } catch (error) {
        // The API server needs a moment to use the new definition.
        if (revised && isInvalid(error) && Date.now() - tried < REVISION_PATIENCE_MS) return undefined;
        // Also to see a new approval.
        if (isNotApproved(error) && Date.now() - tried < APPROVAL_PATIENCE_MS) return undefined;
        if (!isWebhookAway(error) || Date.now() - tried > WEBHOOK_PATIENCE_MS) throw error;
        work.log("status", `waiting until a webhook lets ${describe(ref)} pass`);
        said = error;
        return undefined;
      }
    },
    () => Promise.resolve(said ?? new Error(`${describe(ref)} was not applied in time`)),
  );
}

const WEBHOOK_PATIENCE_MS = 60_000;
const REVISION_PATIENCE_MS = 5_000;
const APPROVAL_PATIENCE_MS = 3_000;

const isNotApproved = (error: unknown): boolean => isForbidden(error) && error.message.includes(NOT_APPROVED);

/** The webhook's pods may be among those that this bundle replaces, and answer again when they are ready. */
const isWebhookAway = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code >= 500 && /failed calling webhook/.test(error.message);

/** Returns the API server's rejection with advice. */
export async function applyRefusal(
  client: Client,
  error: ApiError,
  { object, ref, there }: Pick<Task, "object" | "ref" | "there">,
): Promise<string> {
  if (isFieldConflict(error)) return conflict(error, ref);
  if (!there || !(await mindsChange(client, error, object))) return explain(error, ref);
  return changeRefused(error, await client.get(ref), object, ref);
}

/** The managers that a field conflict names. */
export const managersIn = (error: ApiError): string[] => [...fieldsByManager(error).keys()];

function fieldsByManager({ causes }: ApiError): ReadonlyMap<string, readonly string[]> {
  const byManager = new Map<string, string[]>();
  for (const { field, message } of causes) {
    const manager = /conflict with "([^"]+)"/.exec(message)?.[1] ?? "another manager";
    byManager.set(manager, [...(byManager.get(manager) ?? []), field]);
  }
  return byManager;
}

function conflict(error: ApiError, ref: Ref): string {
  const byManager = fieldsByManager(error);
  const held = [...byManager].map(([manager, fields]) => `${fields.join(", ")} by "${manager}"`).join("; ");
  return (
    `${describe(ref)}: fields are managed by others: ${held}. Remove them from the bundle, ` +
    "let the other manager give them up, or take them over with force: true"
  );
}
