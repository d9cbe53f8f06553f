/** Caches clients by kubeconfig. All operations of this process share connections, credentials and discovery. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readShootAccess } from "../../foundation/shootAccess";
import { Client } from "../client/client";
import type { ClientOptions } from "../client/options";
import { ServerConnection } from "../client/connection";
import { readKubeconfig, type Access, type ReadFile } from "../access/kubeconfig";
import { ShootLease } from "./shootLease";

/** Access to the cluster that this process runs in, with the service account of its pod. */
const FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Throws an error with instructions if this process does not run in a pod. */
export function inClusterAccess(
  env: NodeJS.ProcessEnv = process.env,
  readFile: ReadFile = readFileSync,
  folder = FOLDER,
): Access {
  const host = env["KUBERNETES_SERVICE_HOST"];
  const port = env["KUBERNETES_SERVICE_PORT"] ?? "443";
  const give = "give a kubeconfig, or run in a pod with a service account token";
  if (!host) {
    throw new Error(
      `there is no kubeconfig, and this process runs in no cluster (no KUBERNETES_SERVICE_HOST); ${give}`,
    );
  }
  const file = (name: string): string => {
    try {
      return readFile(join(folder, name)).toString("utf8");
    } catch (error) {
      throw new Error(`the pod's service account has no ${name} in ${folder}; ${give}`, { cause: error });
    }
  };
  file("token"); // Report a missing token now, rather than as a 401 response.
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    tls: { ca: file("ca.crt") },
    // Read on each use, because the kubelet rotates it.
    credentials: { kind: "tokenFile", read: () => file("token").trim() },
  };
}

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
