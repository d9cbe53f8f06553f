/** Takes a job away: stops it, waits until its Kubernetes objects are gone, deletes it at the master. */

import type { Context } from "../framework/resource";
import { ApiError } from "../kubernetes/apiError";
import type { JobInputs, JobState } from "./inputs";
import { isProxys } from "./master";
import { stop } from "./run";
import { openSite } from "./site";
import type { Site } from "./site";

export async function destroyJob(context: Context, old: { inputs: JobInputs; state: JobState }): Promise<void> {
  const site = openSite(context, old.inputs);
  const { jobId } = old.state;
  try {
    if (!(await site.master.job(jobId))) return;
    await stop(site, jobId);
    await site.master.remove(jobId);
  } catch (error) {
    if (!(error instanceof ApiError && isProxys(error)) || (await hasMaster(site, old.inputs))) throw error;
    site.log("warning", `the master of job ${site.name} is gone, so the job (${jobId}) stays in its store`);
  }
}

async function hasMaster({ client, namespace }: Site, { service: name }: JobInputs): Promise<boolean> {
  return (await client.get({ apiVersion: "v1", kind: "Service", namespace, name })) !== undefined;
}
