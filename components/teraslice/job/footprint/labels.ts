import type { TerasliceSettings } from "../../settings";
import { NAMELESS, type JobFields } from "../fields";
import { instanceLabel, jobLabel, jobNameLabel } from "./names";

export type Labels = Record<string, string>;

/** The two kinds of pods that a job has. */
export type Role = "execution_controller" | "worker";

/** Ids of a job and of one execution of it, which a master gives out. */
export interface ExecutionIds {
  readonly jobId: string;
  readonly exId: string;
}

/** Prefix of a job's own labels. */
export const JOB_PREFIX = "job.teraslice.terascope.io";

/** Set by a master for itself, so no label of a job can be it. */
export const RELOCATABLE = "relocatable";

/** What Services and Deployments find pods of one execution by. */
export const selectorLabels = (role: Role, { exId }: ExecutionIds): Labels => ({
  "app.kubernetes.io/component": role,
  "teraslice.terascope.io/exId": exId,
});

/** Of the Job or Deployment of this kind. */
export function objectLabels(role: Role, job: JobFields, settings: TerasliceSettings, ids: ExecutionIds): Labels {
  return {
    "app.kubernetes.io/name": "teraslice",
    "app.kubernetes.io/component": role,
    "teraslice.terascope.io/exId": ids.exId,
    "teraslice.terascope.io/jobId": ids.jobId,
    "teraslice.terascope.io/jobName": jobNameLabel(job.name ?? NAMELESS),
    "app.kubernetes.io/instance": instanceLabel(settings.teraslice.name),
    // A master knows it from the reader's code only.
    ...(role === "execution_controller" && { [`${JOB_PREFIX}/${RELOCATABLE}`]: "false" }),
    ...Object.fromEntries(
      Object.entries(job.labels ?? {}).map(([key, value]) => [`${JOB_PREFIX}/${jobLabel(key)}`, jobLabel(value)]),
    ),
  };
}

/** Of its pods. */
export function podLabels(role: Role, job: JobFields, settings: TerasliceSettings, ids: ExecutionIds): Labels {
  const stateful = job.stateful === true && settings.teraslice.kubernetes_priority_class_name !== undefined;
  return {
    ...objectLabels(role, job, settings, ids),
    ...(stateful && { "job-property.teraslice.terascope.io/stateful": "true" }),
  };
}
