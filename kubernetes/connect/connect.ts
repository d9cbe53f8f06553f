/** Caches clients by kubeconfig. All operations of this process share connections, credentials and discovery. */

import { createHash } from "node:crypto";
import { readShootAccess } from "../../foundation/shootAccess";
import { Client } from "../client/client";
import type { ClientOptions } from "../client/options";
import { ServerConnection } from "../client/connection";
import { inClusterAccess } from "../access/inCluster";
import { readKubeconfig } from "../access/kubeconfig";
import { ShootLease } from "./shootLease";

/** Maximum number of cached clients; the least recently used is dropped. */
const MAX_KNOWN = 32;
const known = new Map<string, Client>();

/**
 * Returns a client for a kubeconfig (YAML text) and context. Without a kubeconfig, for the cluster that this process
 * runs in. `kubeconfig` may also be a ShootAccess: the client then requests kubeconfigs from Gardener.
 */
export function connect(kubeconfig: string | undefined, context: string | undefined, options: ClientOptions): Client {
  const key = createHash("sha256")
    .update(JSON.stringify([kubeconfig, context]))
    .digest("hex");
  const client = known.get(key) ?? new Client(open(kubeconfig, context));
  known.delete(key);
  known.set(key, client);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_KNOWN) break;
    known.delete(oldest);
  }
  return client.with(options);
}

function open(kubeconfig: string | undefined, context: string | undefined): ServerConnection {
  if (kubeconfig === undefined) return new ServerConnection(inClusterAccess());
  const shoot = readShootAccess(kubeconfig);
  if (shoot === undefined) return new ServerConnection(readKubeconfig(kubeconfig, context));
  return new ServerConnection(new ShootLease(connect(shoot.garden, shoot.context, {}), shoot));
}
