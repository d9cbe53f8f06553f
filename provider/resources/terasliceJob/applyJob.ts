/** Makes a job what its inputs say: registered, as written, running or not. Goes on wherever an earlier try stopped. */

import { isDeepStrictEqual } from "node:util";
import { clusterUidBy } from "../../../kubernetes/identity/clusterUid";
import { IncompleteError, UNKNOWN, hasUnknown } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import { textAt } from "../../../kubernetes/client/objects";
import { isComing, isDone, isLive, isOlder } from "./master/execution";
import { handOver, lacksAsset } from "./handOver";
import type { JobInputs, JobState } from "./inputs";
import { idOf } from "./inputs";
import { workersOf } from "./leftovers";
import { lackingAssets } from "./preflight/assets";
import { preflight } from "./preflight/preflight";
import { running, start, stop } from "./master/run";
import { openSite } from "./site";
import type { Site } from "./site";
import type { Json } from "../../../foundation/json/isObject";

interface Both {
  readonly inputs: JobInputs;
  readonly state: JobState;
}

export async function applyJob(context: Context, inputs: JobInputs, old?: Both): Promise<JobState> {
  const site = openSite(context, inputs);
  await preflight(site, inputs, false);
  const assetIds = await handOver(site, inputs.assets, old?.state.assetIds);
  const lacking = (await lackingAssets(site, inputs, false)) ?? [];
  if (lacking.length > 0) throw new Error(`job ${site.name}: ${lacking.join("; ")}. ${REMEDY}. Nothing was registered`);
  if (old) await scaleFirst(site, inputs, old);
  const { jobId, registered } = await register(site, inputs, old);
  const uid = await clusterUidBy(inputs, context);
  const state: JobState = { jobId, registered, assetIds, ...(uid === undefined ? {} : { clusterUid: uid }) };
  try {
    await settle(site, inputs, state, old);
    return state;
  } catch (error) {
    if (context.signal.aborted && old) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new IncompleteError(message, idOf(inputs), { ...state, unsettled: true });
  }
}

const REMEDY =
  "List its zip file among the job's assets in the stack file, or upload it: stackyard teraslice assets deploy";

/**
 * What an update would do, as far as can be determined beforehand: the objects that the master will make, in full because
 * the engine shows but the beginning of a text; and as a warning what would keep them from running.
 */
export async function previewJob(context: Context, inputs: JobInputs, old?: Both): Promise<JobState> {
  const { footprint } = inputs;
  const isNews = footprint !== "" && footprint !== UNKNOWN && footprint !== old?.inputs.footprint;
  if (isNews) context.log("info", `the master will create:\n${footprint}`);
  if (!hasUnknown([inputs.kubeconfig, inputs.namespace, inputs.service, inputs.job, inputs.assets, footprint])) {
    const site = openSite(context, inputs);
    await preflight(site, inputs, true);
    const lacking = (await lackingAssets(site, inputs, true)) ?? [];
    for (const each of lacking) context.log("warning", `job ${site.name}: ${each}. ${REMEDY}`);
  }
  return {
    jobId: old?.state.jobId ?? UNKNOWN,
    registered: old?.state.registered ?? {},
    assetIds: old?.state.assetIds ?? {},
    clusterUid: old?.state.clusterUid ?? UNKNOWN,
  };
}

/**
 * Where nothing but the number of workers changed, those come and go first: that is one request to Kubernetes, while a
 * master that stores a job looks for its assets before.
 */
async function scaleFirst(site: Site, { job, state }: JobInputs, { inputs, state: { jobId } }: Both): Promise<void> {
  if (state !== "running" || inputs.state !== "running") return;
  if (needsRestart(inputs.job, job) || inputs.job["workers"] === job["workers"]) return;
  const execution = await site.master.execution(jobId);
  if (isLive(execution) && !isComing(execution)) await scale(site, jobId, job);
}

async function scale(site: Site, jobId: string, job: Json): Promise<void> {
  const workers = Number(job["workers"] ?? 1);
  const present = (await workersOf(site, jobId))?.wanted;
  if (present === undefined || present === workers) return;
  site.log("status", `scales from ${present} to ${workers} workers`);
  await site.master.scale(jobId, workers);
}

/** The job at the master, as the inputs have it: found by its id or its owner, or made. */
async function register(site: Site, inputs: JobInputs, old: Both | undefined) {
  const { master } = site;
  const known = old && (await master.job(old.state.jobId));
  const [own, ...extra] = known ? [known] : await master.owned(inputs.owner);
  // An answer that was lost may have come late: then the same job is there twice. The others never ran.
  for (const other of extra) await master.remove(textAt(other, "job_id") ?? "");
  if (own) {
    const jobId = textAt(own, "job_id") ?? "";
    const same = known ? isAsRegistered(own, inputs, old) : isAs(own, inputs.job);
    return { jobId, registered: same ? own : await master.change(jobId, inputs.job, own) };
  }
  site.log("status", "registers");
  const jobId = await master.register(inputs.owner, inputs.job);
  const registered = await master.job(jobId);
  if (!registered)
    throw new Error(`job ${site.name} was registered as ${jobId}, and is not there; is the master's store in order?`);
  return { jobId, registered };
}

/** Masters fill in defaults, so only what we said counts; a key that we say no more is a difference. */
const isAs = (job: Json, wanted: Json): boolean =>
  Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(job[key], value));

const isAsRegistered = (job: Json, inputs: JobInputs, old: Both): boolean =>
  isAs(job, inputs.job) && Object.keys(old.inputs.job).every((key) => Object.hasOwn(inputs.job, key));

async function settle(site: Site, { job, state }: JobInputs, reached: JobState, old: Both | undefined): Promise<void> {
  const { jobId, registered, assetIds } = reached;
  const execution = await site.master.execution(jobId);
  if (state === "registered") return execution === undefined ? undefined : stop(site, jobId);
  if (!isLive(execution)) return isDone(execution, registered) ? undefined : start(site, jobId);
  const mayBeStale = !old || old.state.unsettled === true || needsRestart(old.inputs.job, job);
  const isStale =
    (mayBeStale && isOlder(execution, registered)) || (await lacksAsset(site, execution, job, assetIds ?? {}));
  if (isStale) {
    await stop(site, jobId);
    return start(site, jobId);
  }
  await running(site, jobId);
  await scale(site, jobId, job);
}

/** Whether a change reaches what runs only by a restart; workers come and go while it runs. */
export const needsRestart = (before: Json, after: Json): boolean =>
  !isDeepStrictEqual({ ...before, workers: 0 }, { ...after, workers: 0 });
