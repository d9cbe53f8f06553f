/** Identifies a cluster by the UID of its namespace kube-system, which does not depend on its address. */

import { isForbidden, isNotFound } from "../client/apiError";
import type { Client } from "../client/client";
import type { ClientOptions } from "../client/options";
import { connect } from "../connect/connect";
import type { KubeObject } from "../objects/objects";
import type { ClusterAccess } from "./clusterAccess";

const NAMESPACE = "kube-system";

/** The permission that this needs, for messages. */
export const IDENTITY_RIGHT = `the right to get the namespace ${NAMESPACE}`;

/** How long a UID is cached. An address may lead to another cluster later. */
const FRESH_MS = 60_000;

interface Known {
  readonly uid: Promise<string | undefined>;
  readonly since: number;
}

/** As {@link clusterUid}, with the kubeconfig's own user. */
export const clusterUidBy = (
  { kubeconfig, context }: ClusterAccess,
  options: ClientOptions,
): Promise<string | undefined> => clusterUid(connect(kubeconfig, context, options));

/** By discovery cache, which all clients of a connection share. */
const known = new WeakMap<object, Known>();

/** Returns undefined if the user may not read it. Costs one request per connection. */
export async function clusterUid(client: Client): Promise<string | undefined> {
  const key = client.discovery.known;
  const last = known.get(key);
  if (last && Date.now() - last.since < FRESH_MS) return last.uid;
  const asked: Known = { uid: ask(client), since: Date.now() };
  known.set(key, asked);
  try {
    return await asked.uid;
  } catch (error) {
    if (known.get(key) === asked) known.delete(key);
    throw error;
  }
}

async function ask(client: Client): Promise<string | undefined> {
  try {
    const { metadata } = await client.json<KubeObject>(
      "read the UID of the cluster",
      `/api/v1/namespaces/${NAMESPACE}`,
    );
    return metadata.uid;
  } catch (error) {
    // Without permission, the API server answers 403. A cluster without this namespace has no identity.
    if (isForbidden(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
