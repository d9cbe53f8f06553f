import type { TerasliceSettings } from "../../settings";
import { NAMELESS, type JobFields } from "../fields";
import { instanceLabel, jobLabel, jobNameLabel } from "./names";

type Labels = Record<string, string>;

/** The two kinds of pods of a job. */
export type Role = "execution_controller" | "worker";

/** Ids that a master assigns to a job and to one of its executions. */
export interface ExecutionIds {
  readonly jobId: string;
  readonly exId: string;
}

/** Prefix of a job's own labels. */
export const JOB_PREFIX = "job.teraslice.terascope.io";

/** Reserved: a master sets this label itself. */
export const RELOCATABLE = "relocatable";

/** Labels by which Services and Deployments select the pods of one execution. */
export const selectorLabels = (role: Role, { exId }: ExecutionIds): Labels => ({
  "app.kubernetes.io/component": role,
  "teraslice.terascope.io/exId": exId,
});

/** Labels of the Job or Deployment. */
export function objectLabels(role: Role, job: JobFields, settings: TerasliceSettings, ids: ExecutionIds): Labels {
  return {
    "app.kubernetes.io/name": "teraslice",
    "app.kubernetes.io/component": role,
    "teraslice.terascope.io/exId": ids.exId,
    "teraslice.terascope.io/jobId": ids.jobId,
    "teraslice.terascope.io/jobName": jobNameLabel(job.name ?? NAMELESS),
    "app.kubernetes.io/instance": instanceLabel(settings.teraslice.name),
    // A master derives it from the reader's code, which is unknown here.
    ...(role === "execution_controller" && { [`${JOB_PREFIX}/${RELOCATABLE}`]: "false" }),
    ...Object.fromEntries(
      Object.entries(job.labels ?? {}).map(([key, value]) => [`${JOB_PREFIX}/${jobLabel(key)}`, jobLabel(value)]),
    ),
  };
}

/** Labels of its pods. */
export function podLabels(role: Role, job: JobFields, settings: TerasliceSettings, ids: ExecutionIds): Labels {
  const stateful = job.stateful === true && settings.teraslice.kubernetes_priority_class_name !== undefined;
  return {
    ...objectLabels(role, job, settings, ids),
    ...(stateful && { "job-property.teraslice.terascope.io/stateful": "true" }),
  };
}
