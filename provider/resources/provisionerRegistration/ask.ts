/** Asks the cluster or the server of a provisioner. */

import type { Context } from "../../../foundation/pulumi/resource";
import type { FunctionHandler } from "../../framework/function";
import { clusterUid } from "../../../kubernetes/identity/clusterUid";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/client/connect";
import { databasesOn } from "../clickHouseDatabase/notedDatabases";
import { type InCluster, isOnServer, type OnServer, type Registered } from "./registered";
import { deploymentsWith, listed } from "./runtimes";
import { deploymentsInGarden, projectUid } from "./shoots";

export { listed };

/** A program and a preview don't wait for a cluster that is unavailable. */
const PATIENCE_MS = 2_000;

type Asking = Pick<Context, "signal"> & Partial<Pick<Context, "preview">>;

const clientOf = ({ signal, preview }: Asking, { kubeconfig, context }: InCluster): Client =>
  connect(kubeconfig, context, { signal, patienceMs: preview === true ? PATIENCE_MS : undefined });

export function deploymentsAt(asking: Asking, at: Registered): Promise<string[]> {
  if (isOnServer(at)) return deploymentsOn(asking, at);
  const look = at.gives === "cluster" ? deploymentsInGarden : deploymentsWith;
  return look(clientOf(asking, at), at);
}

/** One that does not say with which provisioner it is was made before databases said that. */
async function deploymentsOn({ signal, preview }: Asking, at: OnServer): Promise<string[]> {
  const databases = await databasesOn(at.url, signal, preview === true ? 1 : undefined);
  const own = databases
    .filter(({ platform }) => platform === at.platform)
    .filter(({ provisioner }) => (provisioner === undefined ? at.alone : provisioner === at.provisioner));
  return [...new Set(own.map(({ deployment }) => deployment))].sort();
}

/** Whether both lead to one namespace of one cluster, to one Gardener project, or to the same databases, by whatever address. */
export async function isSamePlace(asking: Asking, a: Registered, b: Registered): Promise<boolean> {
  if (isOnServer(a) && isOnServer(b)) {
    const found = [a, b].map(({ url }) => databasesOn(url, asking.signal, 1));
    const [one, other] = (await Promise.all(found)).map((all) => all.map(({ instance }) => instance).join());
    return one === other;
  }
  if (isOnServer(a) || isOnServer(b) || a.namespace !== b.namespace || a.gives !== b.gives) return false;
  if (a.gives === "cluster") return isSameProject(asking, a, b);
  const [one, other] = await Promise.all([a, b].map((at) => clusterUid(clientOf(asking, at))));
  return one !== undefined && one === other;
}

/** The former way may lead nowhere by now, for credentials end; the clusters that are found by the new one say enough then. */
async function isSameProject(asking: Asking, old: InCluster, next: InCluster): Promise<boolean> {
  const client = clientOf(asking, next);
  const now = await projectUid(client, next.namespace);
  const before = await projectUid(clientOf(asking, old), old.namespace).catch(() => {
    asking.signal.throwIfAborted();
    return undefined;
  });
  if (before !== undefined) return before === now;
  return now !== undefined && (await deploymentsInGarden(client, { ...next, alone: false })).length > 0;
}

export interface DeploymentsAnswer {
  /** In words; missing where there are none. */
  readonly inUse?: string;
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

interface Question {
  /** Where the provisioner is to be; nothing is in use where that is the same place. Default: nowhere. */
  readonly next?: Registered;
}

/** The function `readDeployments`: what a platform's program must know before it removes a provisioner. */
export const readDeployments: FunctionHandler<Registered & Question, DeploymentsAnswer> = async (
  { signal },
  { next, ...at },
) => {
  try {
    if (next !== undefined && (await isSamePlace({ signal, preview: true }, at, next))) return {};
    const ids = await deploymentsAt({ signal, preview: true }, at);
    return ids.length === 0 ? {} : { inUse: listed(ids) };
  } catch (error) {
    signal.throwIfAborted();
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
};
