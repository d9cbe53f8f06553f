/** Queries the cluster or server of a provisioner. */

import type { Context } from "../../../foundation/pulumi/resource";
import { GARDENER, RUNTIME_ANNOTATION } from "../../../kubernetes/gardener/shoot";
import { originOn } from "../../../kubernetes/identity/origin";
import { ownerIdOn } from "../../../kubernetes/identity/ownerId";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { FunctionHandler } from "../../framework/function";
import { clusterUid, otherUid } from "../../../kubernetes/identity/clusterUid";
import { compareCluster } from "../../../kubernetes/identity/recordedCluster";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { databasesOn } from "../clickHouseDatabase/notedDatabases";
import {
  type InCluster,
  isOnServer,
  type OnServer,
  type Registered,
  type RegisteredState,
  registrationTitle,
} from "./registered";
import { deploymentsWith, listed } from "./runtimes";

// Finds the deployments with a cluster in a Gardener project, by the annotations of the Shoots.

/** Ids, sorted. Includes clusters that are hibernated or being deleted. */
async function deploymentsInGarden(client: Client, registered: InCluster): Promise<string[]> {
  const ref = { apiVersion: GARDENER, kind: "Shoot", namespace: registered.namespace };
  const shoots = await client.list(ref, { metadataOnly: true });
  return [...new Set(shoots.flatMap((shoot) => deploymentOf(shoot, registered) ?? []))].sort();
}

function deploymentOf(shoot: KubeObject, registered: InCluster): string | undefined {
  // Created by the Kyma Runtime Provisioner or by a user.
  if (ownerIdOn(shoot) === undefined) return undefined;
  const { platform, provisioner, deployment = shoot.metadata.annotations?.[RUNTIME_ANNOTATION] } = originOn(shoot);
  // Created before Shoots recorded their provisioner.
  if (provisioner === undefined) return registered.alone ? (deployment ?? shoot.metadata.name) : undefined;
  return provisioner === registered.provisioner && platform === registered.platform ? deployment : undefined;
}

export { listed };

/** Short, because a program or a preview does not wait for an unavailable cluster. */
const PATIENCE_MS = 2_000;

type Asking = Pick<Context, "signal"> & Partial<Pick<Context, "preview">>;

const clientOf = ({ signal, preview }: Asking, { kubeconfig, context }: InCluster): Client =>
  connect(kubeconfig, context, { signal, patienceMs: preview === true ? PATIENCE_MS : undefined });

/** UID of the cluster or garden of a provisioner. Throws if it is another one than in the state. */
export async function uidAt(
  context: Context,
  at: InCluster,
  state: RegisteredState | undefined,
): Promise<string | undefined> {
  return compareCluster(context, { ...at, cluster: addressOf(at), project: projectOf(at) }, state);
}

/** The namespace of its project, if it is a Gardener provisioner. */
const projectOf = ({ gives, namespace }: InCluster): string | undefined =>
  gives === "cluster" ? namespace : undefined;

const addressOf = (at: InCluster): string =>
  `${connect(at.kubeconfig, at.context, {}).connection.server}, where ${registrationTitle(at)} leads,`;

/** Throws if the way to the cluster leads to another one. */
export async function deploymentsAt(asking: Asking, at: RegisteredState): Promise<string[]> {
  if (isOnServer(at)) return deploymentsOn(asking, at);
  const uid = await otherUid(clientOf(asking, at), at.clusterUid, projectOf(at));
  if (uid !== undefined) {
    const kind = at.gives === "cluster" ? "garden" : "cluster";
    throw new Error(`${addressOf(at)} is another ${kind} (UID ${uid}) than the one of them (UID ${at.clusterUid})`);
  }
  const look = at.gives === "cluster" ? deploymentsInGarden : deploymentsWith;
  return look(clientOf(asking, at), at);
}

/**
 * Databases without a provisioner are from an older version; they count if the provisioner is the only one at its
 * place.
 */
async function deploymentsOn({ signal, preview }: Asking, at: OnServer): Promise<string[]> {
  const databases = await databasesOn(at.url, signal, preview === true ? 1 : undefined);
  const own = databases
    .filter(({ platform }) => platform === at.platform)
    .filter(({ provisioner }) => (provisioner === undefined ? at.alone : provisioner === at.provisioner));
  return [...new Set(own.map(({ deployment }) => deployment))].sort();
}

/**
 * Whether both use the same namespace of a cluster, the same Gardener project, or the same databases, whatever the
 * address.
 */
export async function isSamePlace(asking: Asking, a: RegisteredState, b: Registered): Promise<boolean> {
  if (isOnServer(a) && isOnServer(b)) {
    const found = [a, b].map(({ url }) => databasesOn(url, asking.signal, 1));
    const [one, other] = (await Promise.all(found)).map((all) => all.map(({ instance }) => instance).join());
    return one === other;
  }
  if (isOnServer(a) || isOnServer(b) || a.namespace !== b.namespace || a.gives !== b.gives) return false;
  if (a.gives === "cluster") return isSameProject(asking, a, b);
  const uidOf = (at: InCluster): Promise<string | undefined> => clusterUid(clientOf(asking, at));
  const [one, other] = await Promise.all([a.clusterUid ?? uidOf(a), uidOf(b)]);
  return one !== undefined && one === other;
}

/** The old credentials may have expired. Then it is enough that the new ones find clusters of the platform. */
async function isSameProject(asking: Asking, old: InCluster & RegisteredState, next: InCluster): Promise<boolean> {
  const client = clientOf(asking, next);
  const uidOf = (at: InCluster): Promise<string | undefined> => clusterUid(clientOf(asking, at), projectOf(at));
  const now = await uidOf(next);
  const before = await Promise.resolve(old.clusterUid ?? uidOf(old)).catch(() => {
    asking.signal.throwIfAborted();
    return undefined;
  });
  if (before !== undefined) return before === now;
  return now !== undefined && (await deploymentsInGarden(client, { ...next, alone: false })).length > 0;
}

export interface DeploymentsAnswer {
  /** Text about the deployments; missing if there are none. */
  readonly inUse?: string;
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

interface Question {
  /** New place of the provisioner. If it is the same place, no deployment is affected. Default: none. */
  readonly next?: Registered;
}

/** The function `readDeployments`: what a platform's program must know before it removes a provisioner. */
export const readDeployments: FunctionHandler<RegisteredState & Question, DeploymentsAnswer> = async (
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
