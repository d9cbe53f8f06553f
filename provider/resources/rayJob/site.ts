/** Context of one operation on a job. */

import type { Context } from "../../../foundation/pulumi/resource";
import { openWork, type Work } from "../../../kubernetes/work/work";
import { DEFAULTS, type JobInputs } from "./inputs";
import { RayJobs } from "./jobs";
import { tokenIn } from "./token";

export interface JobSite extends Work {
  readonly jobs: RayJobs;
}

export async function openJob(context: Context, inputs: JobInputs): Promise<JobSite> {
  const { namespace, service: name, port, owner, tokenSecret } = inputs;
  const work = openWork(context, `job ${owner}`, inputs, DEFAULTS.timeoutSeconds);
  const token = tokenSecret === undefined ? undefined : await tokenIn(work.client, namespace, tokenSecret);
  return { ...work, jobs: new RayJobs(work.client, { namespace, name, port }, token) };
}
