/**
 * The subresources `adminkubeconfig` and `viewerkubeconfig` of a Shoot, which issue short-lived credentials for its
 * cluster.
 */

import type { Client } from "../../../kubernetes/client/client";
import { at, textAt } from "../../../kubernetes/objects/objects";
import { GROUP, VERSION } from "./kinds/definitions";

const DEFAULT_S = 3600;
const LEAST_S = 600;
const MOST_S = 86_400;

/** The real cluster that stands for a Shoot's. */
export interface RuntimeCluster {
  readonly client: Client;
  readonly server: string;
  /** PEM. */
  readonly ca: string;
}

export interface KubeconfigRequest {
  readonly namespace: string;
  readonly name: string;
  readonly role: "admin" | "viewer";
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  /** A text is HTML. */
  readonly body: object | string;
}

export function refusal(status: number, reason: string, message: string): Reply {
  return {
    status,
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code: status },
  };
}

/** Responds like Gardener's API server. */
export async function answer(garden: Client, cluster: RuntimeCluster, request: KubeconfigRequest): Promise<Reply> {
  const { namespace, name, role, body } = request;
  const kind = role === "admin" ? "AdminKubeconfigRequest" : "ViewerKubeconfigRequest";
  if (textAt(body, "kind") !== kind || textAt(body, "apiVersion") !== "authentication.gardener.cloud/v1alpha1") {
    return refusal(400, "BadRequest", `expected a ${kind} of authentication.gardener.cloud/v1alpha1`);
  }
  const wanted = Number(at(body, "spec", "expirationSeconds") ?? DEFAULT_S);
  if (wanted < LEAST_S) {
    const message = `${kind}.authentication.gardener.cloud "" is invalid: spec.expirationSeconds: Invalid value: ${wanted}: may not specify a duration less than 10 minutes`;
    return refusal(422, "Invalid", message);
  }
  const shoot = await garden.get({ apiVersion: `${GROUP}/${VERSION}`, kind: "Shoot", namespace, name });
  if (!shoot) return refusal(404, "NotFound", `shoots.${GROUP} "${name}" not found`);
  const addresses = at(shoot, "status", "advertisedAddresses");
  if (!Array.isArray(addresses) || addresses.length === 0) {
    const message = `${kind}.authentication.gardener.cloud "${name}" is invalid: status.status: Invalid value: null: no suitable advertised address for kube-apiserver found in .status.advertisedAddresses`;
    return refusal(422, "Invalid", message);
  }
  const issued = await issue(cluster, `${namespace}--${name}`, role, Math.min(wanted, MOST_S));
  const status = {
    kubeconfig: Buffer.from(issued.kubeconfig).toString("base64"),
    expirationTimestamp: issued.expires,
  };
  const spec = { expirationSeconds: Math.min(wanted, MOST_S) };
  return { status: 201, body: { ...(body as object), spec, status } };
}

/** Issues a token of a ServiceAccount of the cluster for this number of seconds. */
async function issue(
  { client, server, ca }: RuntimeCluster,
  cluster: string,
  role: string,
  seconds: number,
): Promise<{ readonly kubeconfig: string; readonly expires: string }> {
  const account = { namespace: "kube-system", name: `gardener-${role}` };
  await client.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  await client.apply({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: account.name },
    roleRef: {
      apiGroup: "rbac.authorization.k8s.io",
      kind: "ClusterRole",
      name: role === "admin" ? "cluster-admin" : "view",
    },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  const request = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: seconds },
  };
  const granted = await client.issue({ apiVersion: "v1", kind: "ServiceAccount", ...account }, "token", request);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": `${cluster}-external`,
    contexts: [{ name: `${cluster}-external`, context: { cluster: `${cluster}-external`, user: cluster } }],
    clusters: [
      {
        name: `${cluster}-external`,
        cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") },
      },
    ],
    users: [{ name: cluster, user: { token: textAt(granted, "status", "token") } }],
  };
  return { kubeconfig: JSON.stringify(config), expires: textAt(granted, "status", "expirationTimestamp") ?? "" };
}
