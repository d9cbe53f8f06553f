/** Inputs and state of a TerasliceJob. */

import type { Json } from "../../../foundation/json/isObject";

/** An asset bundle as a zip file; `sha256` is what makes another content a change. */
export interface AssetFile {
  /** Relative to the folder of the program. */
  readonly path: string;
  readonly sha256: string;
}

/** Checked inputs; the arguments of the resource say what they mean. */
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
  /** How long the master lets an answer take, where that is not what it does by itself. */
  readonly responseSeconds?: number;
}

export type WantedState = "running" | "registered";

/** Not the inputs again, which the engine keeps beside it: a platform may have a thousand jobs. */
export interface JobState {
  readonly jobId: string;
  /** The job as the master answered it when it was registered or changed last: what differs later is drift. */
  readonly registered: Json;
  /** Ids of asset bundles at the master, by the digests of their files; without it: an older version handed them over. */
  readonly assetIds?: Readonly<Record<string, string>>;
  /** A change was begun that needs a restart, and did not come that far. */
  readonly unsettled?: boolean;
  /** UID of the cluster, see identity/clusterUid.ts; without it: who registered the job may not read it. */
  readonly clusterUid?: string;
}

export const DEFAULT_TIMEOUT_SECONDS = 600;

/** Key of a job's `labels` by which it is found again, whatever happened to an answer or to a state file. */
export const OWNER_LABEL = "stackyard";

/** Distinguishes jobs in one state file; also what a user reads. */
export const idOf = ({ namespace, service, owner }: JobInputs): string => `${namespace}/${service}/${owner}`;

export const nameOf = ({ job, owner }: Pick<JobInputs, "job" | "owner">): string =>
  typeof job["name"] === "string" ? job["name"] : owner;
