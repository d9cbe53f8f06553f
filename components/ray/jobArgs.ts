import * as pulumi from "@pulumi/pulumi";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import { labelWithHash } from "../../foundation/text/legalName";
import type { RayJobSettings } from "./config/jobSchema";

/** Identifies a job in its Ray cluster: legal as a label, and unique for each stack, cluster and job. */
export function jobOwner(stack: string, cluster: string, job: string): string {
  const whole = JSON.stringify([stack, cluster, job]);
  return labelWithHash({ text: `${stack}-${job}`, whole, hashLength: 6, longest: 40, empty: "job" });
}

/** The arguments of the resource for a job. */
export function jobArgs(stack: string, cluster: string, job: RayJobSettings) {
  const { key, entrypoint, folder, uri, metadata, cpus, gpus, memoryGb, resources } = job;
  const runtimeEnv = { ...job.runtimeEnv, ...(uri !== undefined && { working_dir: uri }) };
  return {
    owner: jobOwner(stack, cluster, key),
    entrypoint: job.isSecret ? pulumi.secret(entrypoint) : entrypoint,
    runtimeEnv: job.isSecret ? pulumi.secret(runtimeEnv) : runtimeEnv,
    metadata,
    ...withoutUndefined({ workingDir: folder, cpus, gpus, memoryGb, resources, waitFor: job.waitFor }),
    retries: job.retries,
    timeoutSeconds: job.timeoutSeconds,
  };
}
