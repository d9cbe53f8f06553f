/** The function `readCluster`: which cluster an address leads to. */

import { clusterUidBy } from "../../kubernetes/identity/clusterUid";
import type { FunctionHandler } from "../framework/function";

export interface ClusterQuestion {
  /** Default: the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Address of the cluster. */
  readonly cluster: string;
}

export interface ClusterAnswer {
  /** Missing if the user may not read it. */
  readonly uid?: string;
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because the first resource reports that the cluster does not answer. */
const PATIENCE_MS = 2_000;

export const readCluster: FunctionHandler<ClusterQuestion, ClusterAnswer> = async ({ signal }, way) => {
  try {
    const uid = await clusterUidBy(way, { signal, patienceMs: PATIENCE_MS });
    return uid === undefined ? {} : { uid };
  } catch (error) {
    signal.throwIfAborted();
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
};
