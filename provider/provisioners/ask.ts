/** Asks the cluster of a provisioner. */

import type { Context } from "../framework/resource";
import type { FunctionHandler } from "../framework/function";
import { clusterUid } from "../identity/clusterUid";
import type { Client } from "../kubernetes/client";
import { connect } from "../kubernetes/connect";
import type { RegistrationInputs } from "./registration";
import { deploymentsWith, listed } from "./runtimes";

export { listed };

/** A program and a preview don't wait for a cluster that is away. */
const PATIENCE_MS = 2_000;

type Asking = Pick<Context, "signal"> & Partial<Pick<Context, "preview">>;

const clientOf = ({ signal, preview }: Asking, { kubeconfig, context }: RegistrationInputs): Client =>
  connect(kubeconfig, context, { signal, patienceMs: preview === true ? PATIENCE_MS : undefined });

export const deploymentsAt = (asking: Asking, at: RegistrationInputs): Promise<string[]> =>
  deploymentsWith(clientOf(asking, at), at);

/** Whether both lead to one namespace of one cluster, by whatever address. */
export async function isSamePlace(asking: Asking, a: RegistrationInputs, b: RegistrationInputs): Promise<boolean> {
  if (a.namespace !== b.namespace) return false;
  const [one, other] = await Promise.all([a, b].map((at) => clusterUid(clientOf(asking, at))));
  return one !== undefined && one === other;
}

export interface DeploymentsAnswer {
  /** In words; missing where there are none. */
  readonly inUse?: string;
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** The function `readDeployments`: what a platform's program has to know before it removes a provisioner. */
export const readDeployments: FunctionHandler<RegistrationInputs, DeploymentsAnswer> = async ({ signal }, at) => {
  try {
    const ids = await deploymentsAt({ signal, preview: true }, at);
    return ids.length === 0 ? {} : { inUse: listed(ids) };
  } catch (error) {
    signal.throwIfAborted();
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
};
