/** Inputs and state of a TerasliceJob. */

import type { Json } from "../../../foundation/json/isObject";
import type { InState } from "../../../foundation/pulumi/resource";

/** An asset bundle as a zip file; `sha256` makes changed content visible as a change. */
export interface AssetFile {
  /** Relative to the program's folder. */
  readonly path: string;
  readonly sha256: string;
}

/** Checked inputs; the resource's arguments document their meaning. */
export interface JobInputs {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  readonly owner: string;
  readonly job: Json;
  readonly state: WantedState;
  readonly assets: readonly AssetFile[];
  readonly footprint: string;
  readonly timeoutSeconds: number;
  /** The master's time limit for a response, if it differs from its default. */
  readonly responseSeconds?: number;
}

export type WantedState = "running" | "registered";

/** Does not repeat the inputs, which the engine stores too: a platform may have a thousand jobs. */
export interface JobState {
  readonly jobId: string;
  /** The job as the master returned it after the last update; later differences are drift. */
  readonly registered: Json;
  /** Ids of asset bundles at the master, by the digests of their files. Missing if an older version uploaded them. */
  readonly assetIds?: Readonly<Record<string, string>>;
  /** Generation of the owner's labels at the master after the last change, see owner.ts. Missing in older states. */
  readonly generation?: number;
  /** An update that needs a restart has started, but the restart is still missing. */
  readonly unsettled?: boolean;
  /** UID of the cluster, see identity/clusterUid.ts. Missing if the user may not read it. */
  readonly clusterUid?: string;
}

export type JobInState = InState<JobInputs, JobState>;

export const DEFAULT_TIMEOUT_SECONDS = 600;

/** Key in a job's `labels` by which it is found again after a lost response or a lost state. */
export const OWNER_LABEL = "stackyard";

/** Unique in one state file, and readable. */
export const jobResourceId = ({ namespace, service, owner }: JobInputs): string => `${namespace}/${service}/${owner}`;

export const jobNameOf = ({ job, owner }: Pick<JobInputs, "job" | "owner">): string =>
  typeof job["name"] === "string" ? job["name"] : owner;
