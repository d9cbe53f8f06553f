/** Connects notebooks to a Ray cluster: environment, token, certificates. Pure. */

import type { Values } from "../../foundation/json/merge";

/** How notebooks reach a Ray cluster. */
export interface RayAccess {
  /** `ray://host:port`. */
  readonly address: string;
  /** URL of the dashboard, which also accepts jobs. */
  readonly dashboard: string;
  /** `host:port` of the global control store (GCS). */
  readonly gcs: string;
  readonly namespace: string;
  /** Image of the cluster. It includes OpenSSL. */
  readonly image: string;
  /** Secret in its namespace with the token. Not set if it requires none. */
  readonly authSecret?: string;
  /** Secret in its namespace with the certificate authority. Not set without TLS. */
  readonly caSecret?: string;
}

/** Secret in the notebooks' namespace with copies of the cluster's. */
export const RAY_SECRET = "jupyterhub-ray";
/** Keys of Ray's Secrets. */
export const TOKEN_KEY = "auth_token";
export const CA_KEYS = ["ca.crt", "ca.key"] as const;

const TOKEN_FOLDER = "/etc/ray/auth";
const TLS_FOLDER = "/etc/ray/tls";
const AUTHORITY_FOLDER = "/etc/ray/authority";

/**
 * Creates a certificate for one notebook. Only this container mounts the key of the authority, which could sign
 * certificates for any identity. Contains no braces, because KubeSpawner expands them.
 */
const CERTIFICATE = `set -eu
cd ${TLS_FOLDER}
umask 027
openssl req -newkey rsa:2048 -nodes -subj /CN=notebook -keyout tls.key -out request.csr
openssl x509 -req -in request.csr -CA ${AUTHORITY_FOLDER}/ca.crt -CAkey ${AUTHORITY_FOLDER}/ca.key \\
  -set_serial "0x$(openssl rand -hex 16)" -days 365 -sha256 -out tls.crt
cp ${AUTHORITY_FOLDER}/ca.crt ca.crt
chmod 640 tls.key
rm request.csr
`;

/** Environment variables of Ray clients, so that `ray.init()` and `ray job submit` need no arguments. */
export function rayEnvironment(ray: RayAccess | undefined): Record<string, string> {
  if (ray === undefined) return {};
  return {
    RAY_ADDRESS: ray.address,
    RAY_API_SERVER_ADDRESS: ray.dashboard,
    ...(ray.authSecret !== undefined && {
      RAY_AUTH_MODE: "token",
      RAY_AUTH_TOKEN_PATH: `${TOKEN_FOLDER}/${TOKEN_KEY}`,
    }),
    ...(ray.caSecret !== undefined && {
      RAY_USE_TLS: "1",
      RAY_TLS_SERVER_CERT: `${TLS_FOLDER}/tls.crt`,
      RAY_TLS_SERVER_KEY: `${TLS_FOLDER}/tls.key`,
      RAY_TLS_CA_CERT: `${TLS_FOLDER}/ca.crt`,
    }),
  };
}

/**
 * Adds token and certificates to the notebooks' values. Merges the user's volumes and containers, because lists would
 * replace ours.
 */
export function withRayFiles(values: Values, ray: RayAccess | undefined): Values {
  if (ray === undefined || (ray.authSecret === undefined && ray.caSecret === undefined)) return values;
  const { auth, tls } = { auth: ray.authSecret !== undefined, tls: ray.caSecret !== undefined };
  const singleuser = (values["singleuser"] ?? {}) as Values;
  const storage = (singleuser["storage"] ?? {}) as Values;
  const secret = (name: string, keys: readonly string[]) => ({
    name,
    secret: { secretName: RAY_SECRET, items: keys.map((key) => ({ key, path: key })) },
  });
  const tlsMount = { name: "ray-tls", mountPath: TLS_FOLDER };
  const authority = { name: "ray-authority", mountPath: AUTHORITY_FOLDER, readOnly: true };
  const certificate = {
    name: "ray-certificate",
    image: ray.image,
    command: ["sh", "-c", CERTIFICATE],
    resources: { requests: { cpu: "100m", memory: "64M" }, limits: { cpu: "100m", memory: "64M" } },
    securityContext: {
      runAsUser: 1000,
      runAsGroup: 100,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [tlsMount, authority],
  };
  return {
    ...values,
    singleuser: {
      ...singleuser,
      ...(tls && { initContainers: [certificate, ...((singleuser["initContainers"] ?? []) as Values[])] }),
      storage: {
        ...storage,
        extraVolumes: {
          ...(auth && { "ray-token": secret("ray-token", [TOKEN_KEY]) }),
          ...(tls && {
            "ray-authority": secret("ray-authority", CA_KEYS),
            "ray-tls": { name: "ray-tls", emptyDir: { medium: "Memory", sizeLimit: "1M" } },
          }),
          ...byName(storage["extraVolumes"]),
        },
        extraVolumeMounts: {
          ...(auth && { "ray-token": { name: "ray-token", mountPath: TOKEN_FOLDER, readOnly: true } }),
          ...(tls && { "ray-tls": { ...tlsMount, readOnly: true } }),
          ...byName(storage["extraVolumeMounts"]),
        },
      },
    },
  };
}

/** The NetworkPolicy that lets notebooks of a namespace connect to the pod of a head. */
export const notebookPolicy = (metadata: object, namespace: string, head: Readonly<Record<string, string>>) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata,
  spec: {
    podSelector: { matchLabels: head },
    policyTypes: ["Ingress"],
    ingress: [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
            podSelector: { matchLabels: { component: "singleuser-server" } },
          },
        ],
      },
    ],
  },
});

/** Converts a list to a map by name. The chart accepts both. */
const byName = (given: unknown): Values =>
  Array.isArray(given)
    ? Object.fromEntries((given as { name?: string }[]).map((each, index) => [`${each.name ?? ""}-${index}`, each]))
    : ((given ?? {}) as Values);
