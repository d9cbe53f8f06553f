/** Applies the objects of a set in order. */

import { ApiError, isConflict, isFieldConflict, isNotFound } from "../client/apiError";
import { UnknownKindError } from "../client/discovery";
import { at, describe, inventoryKey, isCore, listAt, textAt } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";
import { recreateStatefulSet } from "../claims/recreate";
import { isStatefulSet, refOf } from "../claims/claims";
import { growClaims } from "../claims/grow";
import { completeRenames, reuseDisk, setAside } from "../claims/kept";
import type { DiskPlan } from "../claims/newSet";
import { untilGone } from "../remove/gone";
import { batchesOf } from "./order";
import { forAll } from "../client/pool";
import { isRayCluster } from "../ready/rayCluster";
import { applyScaled } from "./replicas";
import { until } from "./site";
import type { Site, Work } from "./site";
import type { Task } from "./survey";
import { explain } from "./faults";

/** Called for each object, so that a failure later on still knows what was applied. */
export type OnApply = (key: string) => void;

export async function applyAll(site: Site, tasks: readonly Task[], onApply: OnApply): Promise<void> {
  for (const batch of batchesOf(tasks, ({ ref }) => ref)) {
    await forAll(batch, async (task) => {
      // Called before the request: if the response is lost, the object may exist anyway.
      onApply(inventoryKey(task.ref));
      await applyOne(site, task);
    });
    await forAll(batch, ({ ref }) => untilUsable(site, ref));
  }
}

async function applyOne(site: Site, task: Task): Promise<void> {
  const { ref, object, growths, live, recreate, terminating, disks } = task;
  if (task.stays) return;
  try {
    if (terminating) await untilGone(site, [terminating]);
    // Grows only claims of StatefulSets. A claim in the set itself grows when it is applied.
    if (isStatefulSet(ref)) await growClaims(site, growths);
    if (disks) await prepareDisks(site, disks);
    if (live && recreate) await recreateStatefulSet(site, live, object);
    else if (isRayCluster(ref) && task.needs === undefined) await applyScaled(site.client, object, ref);
    else if (task.needs === undefined && isCore(ref, "Service")) await applyService(site, object);
    else if (task.needs === undefined) await applyWithRetries(site, object);
    else await applyWhenAvailable(site, object);
  } catch (error) {
    if (error instanceof ApiError) throw new Error(explain(error, ref), { cause: error });
    throw error;
  }
}

/**
 * An apply leaves ports of other managers in a Service, beside ours. If one of them was ours and was changed by hand, both
 * would have the same name, which is invalid: then the ports are replaced.
 */
async function applyService(site: Site, object: KubeObject): Promise<void> {
  const ports = at(object, "spec", "ports");
  try {
    await applyWithRetries(site, object);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 422 || ports === undefined) throw error;
    await site.client.merge(refOf(object), { spec: { ports } });
    await applyWithRetries(site, object);
  }
}

/** Before a new StatefulSet takes the names of claims. */
async function prepareDisks(site: Site, { aside, going, reuse }: DiskPlan): Promise<void> {
  await completeRenames(site, site.inputs.namespace);
  await untilGone(site, going);
  await setAside(site, aside);
  if (reuse) await reuseDisk(site, reuse.claim, reuse.name);
}

const CONFLICT_TRIES = 5;

interface ApplyOptions {
  readonly force?: boolean;
}

/** Retries conflicts, because another user may write the object at the same time. */
export async function applyWithRetries(
  { client }: Work,
  object: KubeObject,
  options?: ApplyOptions,
): Promise<KubeObject> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.apply(object, options);
    } catch (error) {
      if (!isConflict(error) || isFieldConflict(error) || attempt >= CONFLICT_TRIES) throw error;
    }
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
