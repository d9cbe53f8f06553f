/** Submits a job and waits for it. Continues wherever an earlier attempt stopped. */

import { messageOf } from "../../../foundation/errors";
import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import { hasUnknown, IncompleteError, UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { projectFiles } from "../../../foundation/schema/files";
import { reservation } from "../../../foundation/rayJob/rayJob";
import { readWorkingFolder } from "../../../foundation/rayJob/workingFolder";
import { ApiError } from "../../../kubernetes/client/apiError";
import { compareCluster, requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { OwnerError } from "../../../kubernetes/owners/judge";
import { stackOf, type StackName } from "../../../kubernetes/owners/record";
import { until } from "../../../kubernetes/work/work";
import { archiveOf } from "./archive";
import { failureOf, followed, isSilence, stopped } from "./follow";
import { contentDigest, jobResourceId, type JobInputs, type JobInState, type JobState } from "./inputs";
import type { JobRequest } from "./jobs";
import { isLive, isOf, isByOwner, marksOf, runId, runsOf, seriesOf, type Run } from "./runs";
import { openJob, type JobSite } from "./site";

export async function applyJob(context: Context, inputs: JobInputs, old?: JobInState): Promise<JobState> {
  const clusterUid = await requireCluster(context, inputs, old?.state);
  if (old && isSettled(inputs, old)) return withoutUndefined({ ...old.state, clusterUid });
  const site = await openJob(context, inputs);
  const by = stackOf(context);
  const runs = await ownRuns(site, inputs, by, old);
  const series = seriesOf(inputs, runs, old);
  for (const other of runs.filter((run) => isLive(run) && !isOf(run, series))) {
    site.log("status", `stops the run before, ${other.id}`);
    await stopped(site, other.id);
  }
  const state = { submissionId: runId(inputs.owner, series, 1), ...series, clusterUid };
  const submits = async (id: string) => submit(site, inputs, id, marksOf(inputs.owner, series, by));
  const tried = runs.filter((run) => isOf(run, series));
  try {
    const status = await settled(site, inputs, tried, async (attempt, isNew) => {
      state.submissionId = runId(inputs.owner, series, attempt);
      if (isNew) await submits(state.submissionId);
      return state.submissionId;
    });
    return withoutUndefined({ ...state, status });
  } catch (error) {
    const goesOn = context.signal.aborted ? ". The run continues, and the next update waits for it" : "";
    const incomplete: JobState = withoutUndefined({ ...state, status: "FAILED", unsettled: true });
    throw new IncompleteError(`${messageOf(error)}${goesOn}`, jobResourceId(inputs), incomplete);
  }
}

/**
 * Follows the last of the `tried` runs, or new ones, until one has reached what the update waits for. `begin` returns the
 * id of an attempt, which it submits if it is new.
 */
async function settled(
  site: JobSite,
  { waitFor, retries }: JobInputs,
  tried: readonly Run[],
  begin: (attempt: number, isNew: boolean) => Promise<string>,
): Promise<string> {
  const last = tried.at(-1);
  let isNew = last === undefined || last.status === "FAILED" || last.status === "STOPPED";
  let attempt = (last?.attempt ?? 0) + (isNew ? 1 : 0);
  for (let left = retries; ; left--) {
    const id = await begin(attempt, isNew);
    const end = await followed(site, id, waitFor);
    if (end.status === "SUCCEEDED" || end.status === "RUNNING") return end.status;
    const failure = await failureOf(site, id, end);
    if (left === 0 || end.status === "STOPPED") throw failure;
    site.log("warning", `${failure.message}\nIt is submitted again; retries left: ${left - 1}`);
    isNew = true;
    attempt++;
  }
}

/** Whether nothing has to run: other settings than the content changed. */
const isSettled = (inputs: JobInputs, { state }: JobInState): boolean =>
  state.unsettled !== true && state.content === contentDigest(inputs);

/** The resource's runs in the cluster. Throws if another stack has one that is not over. */
async function ownRuns(site: JobSite, { owner }: JobInputs, by: StackName, old?: JobInState): Promise<Run[]> {
  const runs = runsOf(await site.jobs.list(), owner);
  const other = runs.find((run) => isLive(run) && !isByOwner(run, by, old));
  if (other === undefined) return runs.filter((run) => isByOwner(run, by, old));
  throw new OwnerError(
    `${site.title}: its run ${other.id} belongs to stack ${other.stack} in ${other.backend}. Nothing was changed. ` +
      "Give one of the two jobs another name, or wait until that run has ended",
  );
}

async function submit(site: JobSite, inputs: JobInputs, id: string, marks: Record<string, string>): Promise<void> {
  site.log("status", `submits ${id}`);
  const uri = await workingDir(site, inputs);
  const request: JobRequest = {
    submission_id: id,
    entrypoint: inputs.entrypoint,
    runtime_env: { ...inputs.runtimeEnv, ...(uri !== undefined && { working_dir: uri }) },
    metadata: { ...inputs.metadata, ...marks },
    ...reservation(inputs),
  };
  let why: unknown;
  const look = async (): Promise<true | undefined> => {
    try {
      await site.jobs.submit(request);
      return true;
    } catch (error) {
      if (!isSilence(error) && !isStarting(error)) throw error;
      why = error;
      return undefined;
    }
  };
  await until(site, look, () => Promise.resolve(why as Error));
}

/** The head's agent, which starts jobs, is ready a little after the head. */
const isStarting = (error: unknown): boolean => error instanceof ApiError && /No available agent/.test(error.message);

/** Uploads the folder. Ray deletes a folder that no job uses, so every run uploads it. */
async function workingDir({ jobs, title }: JobSite, { workingDir: folder }: JobInputs): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const read = readWorkingFolder(projectFiles("."), folder.path);
  if ("trouble" in read) throw new Error(`${title}: the working folder ${folder.path} is ${read.trouble}`);
  if (read.sha256 !== folder.sha256)
    throw new Error(`${title}: the working folder ${folder.path} changed since the preview; run it again`);
  return jobs.upload(() => archiveOf(read.content), read.sha256);
}

/** Predicts an update: what other stacks run under this name. A cluster that does not answer yet has no runs. */
export async function previewJob(context: Context, inputs: JobInputs, old?: JobInState): Promise<JobState> {
  const { kubeconfig, namespace, service, owner, tokenSecret } = inputs;
  if (!hasUnknown([kubeconfig, namespace, service, owner, tokenSecret])) {
    await compareCluster(context, inputs, old?.state);
    try {
      await ownRuns(await openJob(context, inputs), inputs, stackOf(context), old);
    } catch (error) {
      if (error instanceof OwnerError) throw error;
      if (!isSilence(error) && !(error instanceof ApiError)) throw error;
      context.log("info", `whether another stack runs job ${owner} shows in the update: ${error.message}`);
    }
  }
  if (old && !hasUnknown(inputs) && isSettled(inputs, old)) return old.state;
  return {
    submissionId: UNKNOWN,
    status: UNKNOWN,
    generation: old?.state.generation ?? 0,
    content: old?.state.content ?? "",
    clusterUid: old?.state.clusterUid ?? UNKNOWN,
  };
}
