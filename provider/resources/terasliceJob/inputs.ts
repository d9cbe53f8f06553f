/** Inputs and state of a TerasliceJob. */

import type { Json } from "../../../foundation/json/isObject";
import type { InState } from "../../../foundation/pulumi/resource";
import type { InputsOf } from "../../framework/resourceSchema";
import type { schema } from "./terasliceJobSchema";

/** An asset bundle as a zip file; `sha256` makes changed content visible as a change. */
export interface AssetFile {
  /** Relative to the program's folder. */
  readonly path: string;
  readonly sha256: string;
}

export const DEFAULTS = { state: "running", port: 5678, assets: [], footprint: "", timeoutSeconds: 600 };

/** Checked inputs. */
export type JobInputs = InputsOf<
  typeof schema,
  keyof typeof DEFAULTS,
  { readonly job: Json; readonly state: WantedState; readonly assets: readonly AssetFile[] }
>;

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

/** Key in a job's `labels` by which it is found again after a lost response or a lost state. */
export const OWNER_LABEL = "stackyard";

/** Unique in one state file, and readable. */
export const jobResourceId = ({ namespace, service, owner }: JobInputs): string => `${namespace}/${service}/${owner}`;

export const jobNameOf = ({ job, owner }: Pick<JobInputs, "job" | "owner">): string =>
  typeof job["name"] === "string" ? job["name"] : owner;
