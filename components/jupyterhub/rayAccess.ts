/** How notebooks reach a Ray cluster: environment, token, certificates. Pure. */

import type { Values } from "../charts/merge";

/** A Ray cluster as notebooks reach it. */
export interface RayAccess {
  /** `ray://host:port`. */
  readonly address: string;
  /** URL of the dashboard, which takes jobs. */
  readonly dashboard: string;
  /** `host:port` of the head's own store. */
  readonly gcs: string;
  readonly namespace: string;
  /** Its image, which has OpenSSL. */
  readonly image: string;
  /** Secret in its namespace with the token; absent if it requires none. */
  readonly authSecret?: string;
  /** Secret in its namespace with the authority of its certificates; absent if it speaks no TLS. */
  readonly caSecret?: string;
}

/** Secret in the namespace of notebooks with what is taken over from the cluster's. */
export const RAY_SECRET = "jupyterhub-ray";
/** Keys of Ray's Secrets. */
export const TOKEN_KEY = "auth_token";
export const CA_KEYS = ["ca.crt", "ca.key"] as const;

const TOKEN_FOLDER = "/etc/ray/auth";
const TLS_FOLDER = "/etc/ray/tls";
const AUTHORITY_FOLDER = "/etc/ray/authority";

/**
 * A certificate for one notebook. The key of the authority is in this container only: who has it is everybody. Without braces,
 * which KubeSpawner takes for its own.
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

/** What a Ray client looks at, so that `ray.init()` and `ray job submit` need no address and nothing else. */
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
 * The chart's values with token and certificates in notebooks. Volumes and containers of the user's own stay: as lists they
 * would replace ours.
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

/** The chart takes both; a list as it names its items itself. */
const byName = (given: unknown): Values =>
  Array.isArray(given)
    ? Object.fromEntries((given as { name?: string }[]).map((each, index) => [`${each.name ?? ""}-${index}`, each]))
    : ((given ?? {}) as Values);
