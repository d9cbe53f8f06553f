/** Deletes a job: stops it, waits until its Kubernetes objects are gone, and deletes it at the master. */

import type { Context } from "../../../foundation/pulumi/resource";
import { ApiError } from "../../../kubernetes/client/apiError";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { stackOf } from "../../../kubernetes/owners/record";
import { whySilent } from "../../../kubernetes/reasons/service";
import { isProxys, isSilence } from "./master/answers";
import type { JobInputs, JobState } from "./inputs";
import { clear, clearWithoutMaster } from "./leftovers";
import { stopExecution } from "./run";
import { isOwn, ownedByText } from "./owner";
import { openSite } from "./site";
import type { JobSite } from "./site";

export async function destroyJob(context: Context, old: { inputs: JobInputs; state: JobState }): Promise<void> {
  await requireCluster(context, old.inputs, old.state);
  const site = openSite(context, old.inputs);
  const { jobId } = old.state;
  try {
    const job = await site.master.job(jobId);
    if (!job) return await clear(site, jobId);
    if (!isOwn(job, stackOf(context), old.state)) {
      site.log("warning", `left job ${site.name} (${jobId}) alone: it ${ownedByText(job)}`);
      return;
    }
    await stopExecution(site, jobId);
    await site.master.remove(jobId);
  } catch (error) {
    if (!isSilence(error)) throw error;
    const why = await whyNobodyAnswers(site, old.inputs, error as Error);
    if (why === undefined) throw error;
    await clearWithoutMaster(site, jobId);
    site.log(
      "warning",
      `${why}, so the job ${site.name} (${jobId}) stays in its store; nothing of it runs in Kubernetes`,
    );
  }
}

/**
 * Returns why no master answers, according to Kubernetes; undefined if a master is ready and only the connection fails.
 */
async function whyNobodyAnswers({ client }: JobSite, inputs: JobInputs, error: Error): Promise<string | undefined> {
  if (error instanceof ApiError && !isProxys(error) && error.code !== 504) {
    return `the master can do nothing (${error.message})`;
  }
  return whySilent(client, inputs, "the master");
}
