/** Inputs and state of a RayJob. */

import { createHash } from "node:crypto";
import { canonicalJson } from "../../../foundation/json/canonicalJson";
import type { InState } from "../../../foundation/pulumi/resource";
import type { InputsOf } from "../../framework/resourceSchema";
import type { schema } from "./rayJobSchema";

export const DEFAULTS = {
  port: 8265,
  runtimeEnv: {},
  metadata: {},
  retries: 0,
  waitFor: "completed",
  timeoutSeconds: 3600,
};

/** Checked inputs. */
export type JobInputs = InputsOf<
  typeof schema,
  keyof typeof DEFAULTS,
  {
    readonly workingDir?: { readonly path: string; readonly sha256: string };
    readonly waitFor: "completed" | "running";
  }
>;

export interface JobState {
  readonly submissionId: string;
  readonly status: string;
  /** Rises whenever another content is submitted, so that the same content can run again. */
  readonly generation: number;
  /** Digest of what was submitted, see {@link contentDigest}. */
  readonly content: string;
  /** The last run has not reached what the update waits for. */
  readonly unsettled?: boolean;
  /** UID of the cluster, see identity/clusterUid.ts. Missing if the user may not read it. */
  readonly clusterUid?: string;
}

export type JobInState = InState<JobInputs, JobState>;

/** Unique in one state file, and readable. */
export const jobResourceId = ({ namespace, service, owner }: JobInputs): string => `${namespace}/${service}/${owner}`;

/** Digest of what runs. As long as it is the same, a job is not submitted again. */
export function contentDigest(inputs: JobInputs): string {
  const { entrypoint, workingDir, runtimeEnv, cpus, gpus, memoryGb, resources, metadata } = inputs;
  const folder = workingDir?.sha256;
  const text = canonicalJson({ entrypoint, folder, runtimeEnv, cpus, gpus, memoryGb, resources, metadata });
  return createHash("sha256").update(text).digest("hex").slice(0, 10);
}
