/** Context of one operation on a job. */

import type { Context } from "../../../foundation/pulumi/resource";
import { openWork } from "../../../kubernetes/work/work";
import type { Work } from "../../../kubernetes/work/work";
import type { JobInputs } from "./inputs";
import { DEFAULTS, jobNameOf } from "./inputs";
import { Master } from "./master/master";

export interface JobSite extends Work {
  readonly master: Master;
  readonly namespace: string;
  /** Name of the job, for messages. */
  readonly name: string;
}

const PREVIEW_MS = 4_000;

export function openSite(context: Context, inputs: JobInputs): JobSite {
  const { namespace, service, port, responseSeconds } = inputs;
  const name = jobNameOf(inputs);
  const work = openWork(context, `job ${name}`, inputs, DEFAULTS.timeoutSeconds);
  const master = new Master(work.client, { namespace, name: service, port }, context.signal, {
    // A preview does not wait for an unavailable master.
    deadline: context.preview ? Date.now() + PREVIEW_MS : work.deadline,
    warn: (message) => work.log("warning", `job ${name}: the master says of it: ${message}`),
    ...(responseSeconds !== undefined && { responseMs: responseSeconds * 1000 }),
  });
  return { ...work, master, namespace, name };
}
