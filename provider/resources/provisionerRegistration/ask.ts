/** Asks the cluster or the server of a provisioner. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { FunctionHandler } from "../../framework/function";
import { clusterUid } from "../../../kubernetes/identity/clusterUid";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/client/connect";
import { databasesOn } from "../clickHouseDatabase/notedDatabases";
import { type InCluster, isOnServer, type OnServer, type Registered } from "./registered";
import { deploymentsWith, listed } from "./runtimes";

export { listed };

/** A program and a preview don't wait for a cluster that is away. */
const PATIENCE_MS = 2_000;

type Asking = Pick<Context, "signal"> & Partial<Pick<Context, "preview">>;

const clientOf = ({ signal, preview }: Asking, { kubeconfig, context }: InCluster): Client =>
  connect(kubeconfig, context, { signal, patienceMs: preview === true ? PATIENCE_MS : undefined });

export const deploymentsAt = (asking: Asking, at: Registered): Promise<string[]> =>
  isOnServer(at) ? deploymentsOn(asking, at) : deploymentsWith(clientOf(asking, at), at);

/** One that does not say with which provisioner it is was made before databases said that. */
async function deploymentsOn({ signal, preview }: Asking, at: OnServer): Promise<string[]> {
  const databases = await databasesOn(at.url, signal, preview === true ? 1 : undefined);
  const own = databases
    .filter(({ platform }) => platform === at.platform)
    .filter(({ provisioner }) => (provisioner === undefined ? at.alone : provisioner === at.provisioner));
  return [...new Set(own.map(({ deployment }) => deployment))].sort();
}

/** Whether both lead to one namespace of one cluster, or to the same databases, by whatever address. */
export async function isSamePlace(asking: Asking, a: Registered, b: Registered): Promise<boolean> {
  if (isOnServer(a) && isOnServer(b)) {
    const found = [a, b].map(({ url }) => databasesOn(url, asking.signal, 1));
    const [one, other] = (await Promise.all(found)).map((all) => all.map(({ instance }) => instance).join());
    return one === other;
  }
  if (isOnServer(a) || isOnServer(b) || a.namespace !== b.namespace) return false;
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
export const readDeployments: FunctionHandler<Registered, DeploymentsAnswer> = async ({ signal }, at) => {
  try {
    const ids = await deploymentsAt({ signal, preview: true }, at);
    return ids.length === 0 ? {} : { inUse: listed(ids) };
  } catch (error) {
    signal.throwIfAborted();
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
};
