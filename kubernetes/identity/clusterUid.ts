/** Identity of a cluster: the UID of its namespace kube-system, which is the same for every address. */

import { ApiError } from "../client/apiError";
import type { Client } from "../client/client";
import type { ClientOptions } from "../client/options";
import { connect } from "../client/connect";
import type { KubeObject } from "../client/objects";
import type { Way } from "./way";

const NAMESPACE = "kube-system";

/** The right that is needed for it, for users. */
export const IDENTITY_RIGHT = `the right to get the namespace ${NAMESPACE}`;

/** An address may lead to another cluster after a while. */
const FRESH_MS = 60_000;

interface Known {
  readonly uid: Promise<string | undefined>;
  readonly since: number;
}

/** The same by the way there, for the user of the kubeconfig. */
export const clusterUidBy = ({ kubeconfig, context }: Way, options: ClientOptions): Promise<string | undefined> =>
  clusterUid(connect(kubeconfig, context, options));

/** By what all clients of a connection share. */
const known = new WeakMap<object, Known>();

/** Undefined for a user who may not read it. Costs one request for each connection. */
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
    // Anyone who may not look is answered so whether or not it is there; a cluster that has none has no identity.
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return undefined;
    throw error;
  }
}
