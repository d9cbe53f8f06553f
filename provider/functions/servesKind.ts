/** The function `servesKind`: whether a cluster has a kind in any version. */

import { connect } from "../../kubernetes/connect/connect";
import type { FunctionHandler } from "../framework/function";

export interface KindQuestion {
  /** Default: the cluster that the program runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly group: string;
  readonly kind: string;
}

export interface KindAnswer {
  readonly served: boolean;
}

/** Throws if the cluster does not answer: treating the kind as missing would delete its objects. */
export const servesKind: FunctionHandler<KindQuestion, KindAnswer> = async (
  { signal },
  { kubeconfig, context, group, kind },
) => {
  const client = connect(kubeconfig, context, { signal });
  return { served: (await client.discovery.version(group, kind)) !== undefined };
};
