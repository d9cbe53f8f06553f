/** Clients by kubeconfig. Connections, credentials and discovered kinds are shared by all work of this process. */

import { createHash } from "node:crypto";
import { readShootAccess } from "../../foundation/shootAccess";
import { Client } from "./client";
import type { ClientOptions } from "./options";
import { Connection } from "./connection";
import { inClusterAccess } from "../access/inCluster";
import { readKubeconfig } from "../access/kubeconfig";
import { ShootLease } from "../access/shoot";

/** So many clusters are kept at hand; beyond that, those not used for the longest time are forgotten. */
const MAX_KNOWN = 32;
const known = new Map<string, Client>();

/**
 * Kubeconfig (YAML text) and context; without a kubeconfig, the cluster that this process runs in. Instead of a kubeconfig there
 * may be a ShootAccess: then Gardener is asked for one when it is needed.
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

function open(kubeconfig: string | undefined, context: string | undefined): Connection {
  if (kubeconfig === undefined) return new Connection(inClusterAccess());
  const shoot = readShootAccess(kubeconfig);
  if (shoot === undefined) return new Connection(readKubeconfig(kubeconfig, context));
  return new Connection(new ShootLease(connect(shoot.garden, shoot.context, {}), shoot));
}
