/** Access to the cluster that this process runs in, with the service account of its pod. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Access, ReadFile } from "./kubeconfig";

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
