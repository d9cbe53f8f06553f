/** Applies the objects of a set in order. */

import { type Work, until } from "../work/work";
import { refOf, at, describe, inventoryKey, isCore, listAt, NONE, textAt, versionOf } from "../objects/objects";
import { ApiError, isConflict, isFieldConflict, isNotFound } from "../client/apiError";
import { UnknownKindError } from "../client/discovery";
import type { KubeObject, Ref } from "../objects/objects";
import { recreateStatefulSet } from "../disks/recreate";
import { isStatefulSet } from "../claims/claims";
import { OwnerError } from "../owners/judge";
import { isOwned } from "../owners/ownership";
import { growClaims } from "../disks/grow";
import { reuseDisk, setAside } from "../disks/kept";
import { completeRename } from "../disks/rename";
import type { DiskPlan } from "../disks/newSet";
import { untilGone } from "../work/gone";
import { batchesOf } from "./order";
import { forAll } from "../client/pool";
import { isRayCluster } from "../rollout/rayCluster";
import { withLiveReplicas } from "./replicas";

import type { Site } from "./site";
import { ownershipFault, type Task } from "./survey";
import { explain } from "../work/faults";

/** Called for each object, so that a failure later on still knows what was applied. */
export type OnApply = (key: string) => void;

export async function applyAll(site: Site, tasks: readonly Task[], onApply: OnApply): Promise<void> {
  for (const batch of batchesOf(tasks, ({ ref }) => ref)) {
    await site.requireOwner?.();
    await forAll(batch, async (task) => {
      // Called before the request: if the response is lost, the object may exist anyway.
      onApply(inventoryKey(task.ref));
      await applyOne(site, task);
    });
    await forAll(batch, ({ ref }) => untilUsable(site, ref));
  }
}

async function applyOne(whole: Site, task: Task): Promise<void> {
  const { ref, object, growths, live, recreate, terminating, disks } = task;
  if (task.stays) return;
  // As in the survey: what another instance has left may be taken over.
  const site: Site = { ...whole, foreign: (now) => ownershipFault(whole, now, ref) };
  try {
    if (terminating) await untilGone(site, [terminating]);
    // Grows only claims of StatefulSets. A claim in the set itself grows when it is applied.
    if (isStatefulSet(ref)) await growClaims(site, growths);
    if (disks) await prepareDisks(site, disks);
    if (live && recreate) await recreateStatefulSet(site, live, object);
    else if (task.needs !== undefined) await applyWhenAvailable(site, object);
    else await applyJudged(site, task);
  } catch (error) {
    if (error instanceof ApiError) throw new Error(explain(error, ref), { cause: error });
    if (!(error instanceof OwnerError) || !(await isShared(site, ref))) throw error;
  }
}

/** Whether another resource has the same set, which created the object meanwhile. As in the survey, it stays as it is. */
async function isShared({ client, owner }: Site, ref: Ref): Promise<boolean> {
  const live = owner.shares ? await client.get(ref, { metadataOnly: true }) : undefined;
  return live !== undefined && isOwned(live, owner);
}

/** Applies the object to the version that the survey has judged. */
async function applyJudged(site: Site, { ref, object, seen }: Task): Promise<void> {
  const over = isRayCluster(ref) ? withLiveReplicas : undefined;
  try {
    await applyWithRetries(site, object, { seen, over });
  } catch (error) {
    const ports = isCore(ref, "Service") ? at(object, "spec", "ports") : undefined;
    if (!(error instanceof ApiError) || error.code !== 422 || ports === undefined) throw error;
    // An apply leaves ports of other managers in a Service, beside ours. If one of them was ours and was changed by
    // hand, both would have the same name, which is invalid: then the ports are replaced.
    await site.client.merge(refOf(object), { metadata: versionOf(seen), spec: { ports } });
    await applyWithRetries(site, object);
  }
}

/** Before a new StatefulSet takes the names of claims. */
async function prepareDisks(site: Site, { renamed, aside, going, reuse }: DiskPlan): Promise<void> {
  await forAll(renamed, (claim) => completeRename(site, claim));
  await untilGone(site, going);
  await setAside(site, aside);
  if (reuse) await reuseDisk(site, reuse.claim, reuse.name);
}

/** Controllers write the status of an object at any time. */
const CONFLICT_TRIES = 10;

interface ApplyOptions {
  readonly force?: boolean;
  /** The object as it was judged; undefined if it did not exist, or was not looked at. Then only an apply that creates it succeeds at once. */
  readonly seen?: KubeObject;
  /** Completes what is applied by the live object. */
  readonly over?: (object: KubeObject, live: KubeObject) => KubeObject;
}

/**
 * Applies the object to the version that was seen. After a change by another process, which may have created it or taken
 * it over, the owner is asked for again.
 */
export async function applyWithRetries(
  { client, requireOwner, foreign }: Work,
  object: KubeObject,
  { seen, over = (given) => given, ...options }: ApplyOptions = {},
): Promise<KubeObject> {
  let live = seen;
  for (let attempt = 1; ; attempt++) {
    const { metadata, ...rest } = live === undefined ? object : over(object, live);
    try {
      return await client.apply({ ...rest, metadata: { ...metadata, ...(live ? versionOf(live) : NONE) } }, options);
    } catch (error) {
      if (!isConflict(error) || isFieldConflict(error) || attempt >= CONFLICT_TRIES) throw error;
    }
    await requireOwner?.();
    live = await client.get(refOf(object));
    const why = live && (await foreign?.(live));
    if (why !== undefined) throw new OwnerError(`${why}. It was taken over during this update`);
  }
}

/** Retries while a new kind, or the service account of a new namespace, is not available yet. */
export async function applyWhenAvailable(site: Work, object: KubeObject, options?: ApplyOptions): Promise<KubeObject> {
  const tried = Date.now();
  return until(
    site,
    async () => {
      try {
        return await applyWithRetries(site, object, options);
      } catch (error) {
        const early = error instanceof UnknownKindError || isNotFound(error);
        if (!early || Date.now() - tried > 10_000) throw error;
        return undefined;
      }
    },
    () => Promise.resolve(new Error(`${describe({ ...object, ...object.metadata })} could not be applied in time`)),
  );
}

/** Waits until the API server serves the kinds of a new CustomResourceDefinition. */
async function untilUsable(site: Site, ref: Ref): Promise<void> {
  if (ref.kind !== "CustomResourceDefinition") return;
  let conditions = "";
  await until(
    site,
    async () => {
      const now = await site.client.get(ref);
      const all = listAt(now, "status", "conditions");
      conditions = all
        .map((one) => `${textAt(one, "type")}: ${textAt(one, "message") ?? textAt(one, "status")}`)
        .join("; ");
      return all.some(({ type, status }) => type === "Established" && status === "True") || undefined;
    },
    () =>
      Promise.resolve(new Error(`${describe(ref)} is not served after ${site.timeoutSeconds} seconds: ${conditions}`)),
  );
}
