/**
 * Identifies a cluster by the UID of its namespace kube-system, which does not depend on its address. Members of a
 * Gardener project may read no namespace but the project's, so a garden is identified by that one.
 */

import { isForbidden, isNotFound } from "../client/apiError";
import type { Client } from "../client/client";
import type { ClientOptions } from "../client/options";
import { connect } from "../connect/connect";
import type { KubeObject } from "../objects/objects";
import type { ClusterAccess } from "./clusterAccess";

const NAMESPACE = "kube-system";

/** Instead of a UID, of a garden that has no such project. */
export const NO_PROJECT = "none";

/** The permission that this needs, for messages. */
export const IDENTITY_RIGHT = `the right to get the namespace ${NAMESPACE}`;

/** How long a UID is cached. An address may lead to another cluster later. */
const FRESH_MS = 60_000;

interface Known {
  readonly uid: Promise<string | undefined>;
  readonly since: number;
}

/** As {@link clusterUid}, with the kubeconfig's own user. `project`: the namespace of a Gardener project. */
export const clusterUidBy = (
  { kubeconfig, context, project }: ClusterAccess & { readonly project?: string | undefined },
  options: ClientOptions,
): Promise<string | undefined> => clusterUid(connect(kubeconfig, context, options), project);

/** By discovery cache, which all clients of a connection share, and by namespace. */
const known = new WeakMap<object, Map<string, Known>>();

/**
 * Returns undefined if the user may not read it, and {@link NO_PROJECT} if the garden has no such project. Costs one
 * request per connection.
 */
export async function clusterUid(client: Client, project?: string): Promise<string | undefined> {
  const key = client.discovery.known;
  const ofConnection = known.get(key) ?? new Map<string, Known>();
  known.set(key, ofConnection);
  const namespace = project ?? NAMESPACE;
  const last = ofConnection.get(namespace);
  if (last && Date.now() - last.since < FRESH_MS) return last.uid;
  const asked: Known = { uid: ask(client, project), since: Date.now() };
  ofConnection.set(namespace, asked);
  try {
    return await asked.uid;
  } catch (error) {
    if (ofConnection.get(namespace) === asked) ofConnection.delete(namespace);
    throw error;
  }
}

/** The UID of another cluster or garden than the recorded one; undefined if it is the same, or if that is not known. */
export async function otherUid(
  client: Client,
  recorded: string | undefined,
  project?: string,
): Promise<string | undefined> {
  const uid = recorded === undefined ? undefined : await clusterUid(client, project);
  return uid === recorded ? undefined : uid;
}

async function ask(client: Client, project: string | undefined): Promise<string | undefined> {
  try {
    const path = `/api/v1/namespaces/${project ?? NAMESPACE}`;
    return (await client.json<KubeObject>("read the UID of the cluster", path)).metadata.uid;
  } catch (error) {
    // Without permission, the API server answers 403. A cluster without this namespace has no identity.
    if (isForbidden(error)) return undefined;
    if (isNotFound(error)) return project === undefined ? undefined : NO_PROJECT;
    throw error;
  }
}
