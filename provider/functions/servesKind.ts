/** The function `servesKind`: whether a cluster has a kind, in whatever version. */

import { connect } from "../../kubernetes/client/connect";
import type { FunctionHandler } from "../framework/function";

export interface KindQuestion {
  /** Default: the cluster that the program itself runs in. */
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly group: string;
  readonly kind: string;
}

export interface KindAnswer {
  readonly served: boolean;
}

/** A cluster that does not answer is an error: taken for one without the kind, it would lose the objects of it. */
export const servesKind: FunctionHandler<KindQuestion, KindAnswer> = async (
  { signal },
  { kubeconfig, context, group, kind },
) => {
  const client = connect(kubeconfig, context, { signal });
  return { served: (await client.discovery.version(group, kind)) !== undefined };
};
