/** Applies a job: registers, updates, starts or stops it. Continues wherever an earlier attempt stopped. */

import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import { readFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { compareCluster, requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { IncompleteError, UNKNOWN, hasUnknown, type Context } from "../../../foundation/pulumi/resource";
import { ApiError, UnreachableError } from "../../../kubernetes/client/apiError";
import { textAt } from "../../../kubernetes/objects/objects";
import { stackOf, type StackName } from "../../../kubernetes/owners/record";
import { assetFor, whyNoAsset, type Asset } from "./master/assets";
import { readBundle } from "./master/bundle";
import { isComing, isDone, isLive, isOlder } from "./master/execution";
import { handOver, lacksAsset, textsOf } from "./handOver";
import { type JobInputs, type JobState, type JobInState, jobResourceId } from "./inputs";
import { workersOf } from "./leftovers";
import { generationOf, isOwn, ownerError, withOwner, withoutOwner } from "./owner";
import { preflight } from "./preflight/preflight";
import { running, start, stopExecution } from "./run";
import { openSite, type JobSite } from "./site";
import type { Json } from "../../../foundation/json/isObject";

// Checks whether a master has, or is about to get, the assets that a job refers to.

/**
 * Lists the assets that the master lacks, one line each; it would reject the job. With `coming`, the job's own bundles
 * count as uploaded. Undefined if no master can be reached, for example before it is created.
 */
async function lackingAssets(site: JobSite, inputs: JobInputs, coming: boolean): Promise<string[] | undefined> {
  const references = textsOf(inputs.job["assets"]);
  if (references.length === 0) return [];
  try {
    const there = await site.master.assets();
    const assets = coming ? [...there, ...(await ownAssets(inputs))] : there;
    const machine = await site.master.machine();
    return references
      .filter((reference) => assetFor(reference, assets, machine) === undefined)
      .map((reference) => `the master has no asset ${reference}; ${whyNoAsset(reference, assets)}`);
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnreachableError) return undefined;
    throw error;
  }
}

/** An unreadable file is reported when it is uploaded. */
async function ownAssets({ assets }: JobInputs): Promise<Asset[]> {
  const read = await Promise.all(
    assets.map(({ path }) =>
      readFile(path)
        .then(readBundle, () => undefined)
        .catch(() => undefined),
    ),
  );
  return read.filter((asset) => asset !== undefined);
}

export async function applyJob(context: Context, inputs: JobInputs, old?: JobInState): Promise<JobState> {
  const uid = await requireCluster(context, inputs, old?.state);
  const site = openSite(context, inputs);
  const by = stackOf(context);
  const found = await atMaster(site, inputs, by, old);
  await preflight(site, inputs, false);
  const assetIds = await handOver(site, inputs.assets, old?.state.assetIds);
  const lacking = (await lackingAssets(site, inputs, false)) ?? [];
  if (lacking.length > 0) throw new Error(`job ${site.name}: ${lacking.join("; ")}. ${REMEDY}. Nothing was registered`);
  if (old) await scaleFirst(site, inputs, old);
  const { jobId, registered } = await register(site, inputs, { by, found, old });
  const generation = generationOf(registered);
  const state: JobState = withoutUndefined({ jobId, registered, assetIds, generation, clusterUid: uid });
  try {
    await settle(site, inputs, state, old);
    return state;
  } catch (error) {
    if (context.signal.aborted && old) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new IncompleteError(message, jobResourceId(inputs), { ...state, unsettled: true });
  }
}

const REMEDY =
  "List its zip file among the job's assets in the stack file, or upload it: stackyard teraslice assets deploy";

/**
 * Predicts an update as far as possible: the objects that the master would create, in full because the engine truncates
 * texts; and what would prevent them from running, as a warning.
 */
export async function previewJob(context: Context, inputs: JobInputs, old?: JobInState): Promise<JobState> {
  const { footprint } = inputs;
  const isNews = footprint !== "" && footprint !== UNKNOWN && footprint !== old?.inputs.footprint;
  if (isNews) context.log("info", `the master will create:\n${footprint}`);
  if (!hasUnknown([inputs.kubeconfig, inputs.namespace, inputs.service, inputs.job, inputs.assets, footprint])) {
    await compareCluster(context, inputs, old?.state);
    const site = openSite(context, inputs);
    await previewOwner(site, inputs, stackOf(context), old);
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

/** A master that can't be reached, for example because it is created by the same update, has no job of others yet. */
async function previewOwner(
  site: JobSite,
  inputs: JobInputs,
  by: StackName,
  old: JobInState | undefined,
): Promise<void> {
  try {
    await atMaster(site, inputs, by, old);
  } catch (error) {
    if (site.unknown?.note(error)) return site.unknown.log(site.log);
    if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
  }
}

/**
 * If only the number of workers changed, scales first: this is a single request to Kubernetes, while a master that
 * stores a job first resolves its assets.
 */
async function scaleFirst(
  site: JobSite,
  { job, state }: JobInputs,
  { inputs, state: { jobId } }: JobInState,
): Promise<void> {
  if (state !== "running" || inputs.state !== "running") return;
  if (needsRestart(inputs.job, job) || inputs.job["workers"] === job["workers"]) return;
  const execution = await site.master.execution(jobId);
  if (isLive(execution) && !isComing(execution)) await scale(site, jobId, job);
}

async function scale(site: JobSite, jobId: string, job: Json): Promise<void> {
  const workers = Number(job["workers"] ?? 1);
  const present = (await workersOf(site, jobId))?.wanted;
  if (present === undefined || present === workers) return;
  site.log("status", `scales from ${present} to ${workers} workers`);
  await site.master.scale(jobId, workers);
}

/** The resource's jobs at the master, found by its id or label. Throws if another stack has one with this label. */
async function atMaster(
  site: JobSite,
  { owner }: JobInputs,
  by: StackName,
  old: JobInState | undefined,
): Promise<Json[]> {
  const known = old && (await site.master.job(old.state.jobId));
  const found = known ? [known] : await site.master.owned(owner);
  const other = found.find((job) => !isOwn(job, by, known && old.state));
  if (other) throw ownerError(site.name, other);
  return found;
}

interface Registration {
  readonly by: StackName;
  /** The resource's jobs at the master. */
  readonly found: readonly Json[];
  readonly old: JobInState | undefined;
}

/** Returns the job at the master, updated to the inputs: found, or newly registered. */
async function register(site: JobSite, inputs: JobInputs, { by, found, old }: Registration) {
  const { master } = site;
  const [own, ...extra] = found;
  // A request with a lost response may have registered the job twice. The other copies never ran.
  for (const other of extra) await master.remove(textAt(other, "job_id") ?? "");
  if (own) {
    const jobId = textAt(own, "job_id") ?? "";
    const now = withoutOwner(own);
    const same = jobId === old?.state.jobId ? isAsRegistered(now, inputs, old) : isAs(now, inputs.job);
    const next = withOwner(inputs.job, by, generationOf(own) + 1);
    return { jobId, registered: same ? own : await master.change(jobId, next, own) };
  }
  site.log("status", "registers");
  const jobId = await master.register(inputs.owner, withOwner(inputs.job, by, 1));
  const registered = await master.job(jobId);
  if (!registered)
    throw new Error(`job ${site.name} was registered as ${jobId}, and is not there; is the master's store in order?`);
  return { jobId, registered };
}

/** Compares only the keys that we set, because masters add defaults. A key that we no longer set is a difference. */
const isAs = (job: Json, wanted: Json): boolean =>
  Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(job[key], value));

const isAsRegistered = (job: Json, inputs: JobInputs, old: JobInState): boolean =>
  isAs(job, inputs.job) && Object.keys(old.inputs.job).every((key) => Object.hasOwn(inputs.job, key));

async function settle(
  site: JobSite,
  { job, state }: JobInputs,
  reached: JobState,
  old: JobInState | undefined,
): Promise<void> {
  const { jobId, registered, assetIds } = reached;
  const execution = await site.master.execution(jobId);
  if (state === "registered") return execution === undefined ? undefined : stopExecution(site, jobId);
  if (!isLive(execution)) return isDone(execution, registered) ? undefined : start(site, jobId);
  const mayBeStale = !old || old.state.unsettled === true || needsRestart(old.inputs.job, job);
  const isStale =
    (mayBeStale && isOlder(execution, registered)) || (await lacksAsset(site, execution, job, assetIds ?? {}));
  if (isStale) {
    await stopExecution(site, jobId);
    return start(site, jobId);
  }
  await running(site, jobId);
  await scale(site, jobId, job);
}

/** Whether a running job must restart for the change. The number of workers can change while it runs. */
export const needsRestart = (before: Json, after: Json): boolean =>
  !isDeepStrictEqual({ ...before, workers: 0 }, { ...after, workers: 0 });
