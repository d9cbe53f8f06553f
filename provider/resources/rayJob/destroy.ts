/** Deletes a job: stops its runs, and deletes their records in the Ray cluster. */

import type { Context } from "../../../foundation/pulumi/resource";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { stackOf } from "../../../kubernetes/owners/record";
import { whySilent } from "../../../kubernetes/reasons/service";
import { openWork } from "../../../kubernetes/work/work";
import { stopped } from "./follow";
import { DEFAULTS, type JobInState } from "./inputs";
import { isLive, isByOwner, runsOf } from "./runs";
import { openJob } from "./site";

export async function destroyJob(context: Context, old: JobInState): Promise<void> {
  const { inputs } = old;
  await requireCluster(context, inputs, old.state);
  try {
    const site = await openJob(context, inputs);
    for (const run of runsOf(await site.jobs.list(), inputs.owner)) {
      if (isByOwner(run, stackOf(context), old)) {
        await stopped(site, run.id);
        await site.jobs.remove(run.id);
      } else if (isLive(run)) {
        site.log("warning", `left the run ${run.id} alone: it belongs to stack ${run.stack} in ${run.backend}`);
      }
    }
  } catch (error) {
    const { client } = openWork(context, inputs.owner, inputs, DEFAULTS.timeoutSeconds);
    const why = await whySilent(client, inputs, "the Ray cluster's head");
    if (why === undefined) throw error;
    context.log("warning", `${why}, so nothing of job ${inputs.owner} runs any more`);
  }
}
