/** Clients by kubeconfig. Connections, credentials and discovered kinds are shared by all work of this process. */

import { createHash } from "node:crypto";
import { Client } from "./client";
import type { ClientOptions } from "./client";
import { Connection } from "./connection";
import { inClusterAccess } from "../access/inCluster";
import { readKubeconfig } from "../access/kubeconfig";

/** So many clusters are kept at hand; beyond that, those not used for the longest time are forgotten. */
const MAX_KNOWN = 32;
const known = new Map<string, Client>();

/** Kubeconfig (YAML text) and context; without a kubeconfig, the cluster that this process runs in. */
export function connect(kubeconfig: string | undefined, context: string | undefined, options: ClientOptions): Client {
  const key = createHash("sha256")
    .update(JSON.stringify([kubeconfig, context]))
    .digest("hex");
  const client =
    known.get(key) ??
    new Client(new Connection(kubeconfig === undefined ? inClusterAccess() : readKubeconfig(kubeconfig, context)));
  known.delete(key);
  known.set(key, client);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return client.with(options);
}
