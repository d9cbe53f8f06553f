/** Refresh: whether a job that was left running still runs. */

import type { Context } from "../../../foundation/pulumi/resource";
import { ApiError } from "../../../kubernetes/client/apiError";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { isSilence } from "./follow";
import type { JobInState } from "./inputs";
import type { JobStatus } from "./jobs";
import { openJob } from "./site";

/** Undefined if a job that should run has failed, was stopped, or is unknown to the cluster. */
export async function readJob(context: Context, id: string, old: JobInState): Promise<JobInState | undefined> {
  if (typeof old.inputs?.owner !== "string") {
    throw new Error(`a RayJob can't be imported (${id}): it is what the program says, and runs when it is created`);
  }
  await requireCluster(context, old.inputs, old.state);
  // What is done stays done, even if the cluster has forgotten it.
  if (old.state.status !== "RUNNING") return old;
  const status = await statusOf(context, old);
  if (status === "unknown") return old;
  if (status === undefined || status.status === "FAILED" || status.status === "STOPPED") return undefined;
  return { ...old, state: { ...old.state, status: status.status === "SUCCEEDED" ? status.status : "RUNNING" } };
}

async function statusOf(context: Context, { inputs, state }: JobInState): Promise<JobStatus | "unknown" | undefined> {
  try {
    const { jobs } = await openJob(context, inputs);
    return await jobs.find(state.submissionId);
  } catch (error) {
    if (!isSilence(error) && !(error instanceof ApiError)) throw error;
    context.log("warning", `whether job ${inputs.owner} still runs is unknown: ${error.message}`);
    return "unknown";
  }
}
