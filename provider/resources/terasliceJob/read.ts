/** Refresh: reads the master and the cluster, and converts the job to inputs. */

import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../../foundation/pulumi/resource";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { Unknown } from "../../../kubernetes/work/unknown";
import { stackOf } from "../../../kubernetes/owners/record";
import { isDone, isLive } from "./master/execution";
import type { JobInputs, JobInState, WantedState } from "./inputs";
import { hasLeftovers, workersOf } from "./leftovers";
import { generationOf, isOwn, ownedByText, withoutOwner } from "./owner";
import { openSite } from "./site";
import type { Json } from "../../../foundation/json/isObject";

/** Undefined if the job was deleted. */
export async function readJob(context: Context, id: string, old: JobInState): Promise<JobInState | undefined> {
  if (typeof old.inputs?.owner !== "string") {
    throw new Error(
      `a TerasliceJob can't be imported (${id}): it is what the program says. Give the job at the master the label ` +
        `"stackyard" with the job's owner, and the next update takes it over`,
    );
  }
  await requireCluster(context, old.inputs, old.state);
  const site = openSite(context, old.inputs);
  const { jobId, registered: before = {} } = old.state;
  const registered = await new Unknown().ask(site.master.job(jobId), site.log);
  if (registered === "unknown") return old;
  if (!registered) return undefined;
  if (!isOwn(registered, stackOf(context), old.state)) {
    site.log("warning", `job ${site.name} ${ownedByText(registered)}. The state of this stack stays as it is`);
    return old;
  }
  const execution = await site.master.execution(jobId);
  const live = isLive(execution);
  const workers = live ? (await workersOf(site, jobId))?.wanted : undefined;
  const job = drifted(old.inputs.job, withoutOwner(before), withoutOwner(registered));
  // Workers keep running without an execution until they are deleted. For a stopped job, this is drift.
  const lingers = async () => old.inputs.state === "registered" && execution !== undefined && hasLeftovers(site, jobId);
  const runs = live || isDone(execution, registered) || (await lingers());
  const state: WantedState = runs ? "running" : "registered";
  const inputs: JobInputs = {
    ...old.inputs,
    job: workers === undefined || !Object.hasOwn(job, "workers") ? job : { ...job, workers },
    state,
  };
  return { inputs, state: { ...old.state, registered, generation: generationOf(registered) } };
}

/** Returns our job with the changes that others have made at the master. The master's own additions are no change. */
function drifted(job: Json, before: Json, now: Json): Json {
  const result: Json = { ...job };
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (key.startsWith("_") || key === "job_id" || key === "active" || isDeepStrictEqual(before[key], now[key]))
      continue;
    if (Object.hasOwn(now, key)) result[key] = now[key];
    else delete result[key];
  }
  return result;
}
