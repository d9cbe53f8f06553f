import { namespaceConfig, type NamespaceUser } from "../namespaces/settings";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import { reservation } from "../../foundation/rayJob/rayJob";
import { utf8Text } from "../../foundation/schema/files";
import { shortHash } from "../../foundation/text/legalName";
import { mergeValues } from "../../foundation/json/merge";
import type { RayEndpoint } from "../contract/site";
import { defaultImage } from "./clusters";
import type { RayJobSettings } from "./config/jobSchema";
import type { PodExtras, RayClusterConfig, RayPod } from "./config/schema";

/** Values of the chart `charts/ray-static-cluster`; its `values.yaml` documents each of them. */
export type ChartValues = Readonly<Record<string, unknown>>;

/** The chart's values for the cluster called `name`. */
export function chartValues(name: string, config: RayClusterConfig): ChartValues {
  const { gcsFaultTolerance: ft } = config;
  const scheduled = config.jobs.filter(({ schedule }) => schedule !== undefined);
  const values = {
    clusterName: name,
    mode: config.mode,
    rayVersion: config.rayVersion,
    image: config.image ?? defaultImage(config.rayVersion),
    imagePullPolicy: config.imagePullPolicy,
    imagePullSecrets: config.imagePullSecrets,
    pool: config.pool,
    reservedCpu: config.reservedCpu,
    ...(config.reservedMemoryGb !== undefined && { reservedMemoryGb: config.reservedMemoryGb }),
    objectStoreShare: config.objectStoreShare,
    ports: config.ports,
    ...extrasOf(config),
    head: podValues(config.head),
    workerGroups: Object.fromEntries(
      Object.entries(config.workerGroups).map(([group, pod]) => [group, podValues(pod)]),
    ),
    autoscaler: config.autoscaler,
    serviceAccount: { name: config.serviceAccount ?? "", headName: config.headServiceAccount ?? "" },
    auth: { secretName: config.auth?.secretName ?? "" },
    tls: { caSecretName: config.tls?.caSecretName ?? "" },
    ...(scheduled.length > 0 && { jobs: Object.fromEntries(scheduled.map((job) => [job.key, jobValues(job)])) }),
    ...(ft && {
      gcsFaultTolerance: {
        redisAddress: ft.redisAddress,
        passwordSecret: ft.passwordSecret ?? "",
        passwordKey: ft.passwordKey,
      },
    }),
  };
  return mergeValues(values, config.values);
}

const EXTRAS = [
  "env",
  "envFrom",
  "volumes",
  "volumeMounts",
  "initContainers",
  "containers",
  "labels",
  "annotations",
  "priorityClassName",
  "topologySpreadConstraints",
] as const satisfies readonly (keyof PodExtras)[];

const extrasOf = (config: PodExtras): ChartValues =>
  Object.fromEntries(EXTRAS.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])));

/** Values of a job with a schedule. */
function jobValues(job: RayJobSettings): ChartValues {
  const { schedule, timeoutSeconds, retries, entrypoint, runtimeEnv, metadata, uri, content } = job;
  const env = { ...runtimeEnv, ...(uri !== undefined && { working_dir: uri }) };
  return {
    schedule: withoutUndefined({ ...schedule }),
    timeoutSeconds,
    retries,
    request: { entrypoint, runtime_env: env, metadata, ...reservation(job) },
    ...(content && { folder: folderValues(content) }),
  };
}

/** A folder as the keys of a ConfigMap, which may not have slashes, and the paths of the keys in a volume. */
function folderValues(content: ReadonlyMap<string, Buffer>): ChartValues {
  const files = [...content].map(([path, bytes]) => {
    const legal = path.replaceAll(/[^-._A-Za-z0-9]/g, "_");
    const key = `folder.${legal === path ? path : `${legal}.${shortHash(path, 8)}`}`;
    return { key, path, bytes, text: utf8Text(bytes) };
  });
  return {
    data: Object.fromEntries(files.flatMap(({ key, text }) => (text === undefined ? [] : [[key, text]]))),
    binaryData: Object.fromEntries(
      files.flatMap(({ key, text, bytes }) => (text === undefined ? [[key, bytes.toString("base64")]] : [])),
    ),
    items: files.map(({ key, path }) => ({ key, path })),
  };
}

/** Removes undefined values, which the chart would treat as set. */
const podValues = (pod: RayPod): ChartValues =>
  Object.fromEntries(Object.entries(pod).filter(([, value]) => value !== undefined));

/** The namespaces that the platform creates for these clusters, with their users. */
export function plannedNamespaces(
  clusters: Readonly<Record<string, RayClusterConfig>>,
): ReadonlyMap<string, readonly NamespaceUser[]> {
  const users = Object.values(clusters).flatMap((config) =>
    config.createNamespace ? [{ namespace: config.namespace, user: userOf(config) }] : [],
  );
  const names = [...new Set(users.map(({ namespace }) => namespace))].sort();
  return new Map(
    names.map((name) => [name, users.filter(({ namespace }) => namespace === name).map(({ user }) => user)]),
  );
}

const userOf = (config: RayClusterConfig): NamespaceUser => ({
  kind: "ray",
  config: namespaceConfig(config),
  // Pods with fields from the operator or the user may not meet the restricted level.
  passes: config.mode === "kuberay" || hasOwnParts(config) ? "baseline" : "restricted",
  // A pod that reaches another port may run code with the permissions of the tasks.
  openPorts: [config.ports.metrics],
});

const hasOwnParts = (config: RayClusterConfig): boolean =>
  Object.keys(config.values).length > 0 ||
  [config, config.head, ...Object.values(config.workerGroups)].some(
    ({ volumes, initContainers, containers }) => volumes.length + initContainers.length + containers.length > 0,
  );

/** Labels of the head's pod, as the chart sets them. */
export const headLabels = (name: string) => ({
  "app.kubernetes.io/name": "ray",
  "app.kubernetes.io/instance": `${name}-ray`,
  "app.kubernetes.io/component": "head",
});

/** The Secret with a token, as Ray and the KubeRay operator read it. */
export const tokenSecret = (name: string, token: string) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  type: "Opaque",
  data: { auth_token: Buffer.from(token).toString("base64") },
});

/** Order of application: dependencies of pods come first. */
const ORDER = ["ServiceAccount", "ConfigMap", "Role", "RoleBinding", "Service", "Deployment", "RayCluster", "CronJob"];

/** Sorts rendered objects in the order of application. */
export function inOrder<T extends Readonly<Record<string, unknown>>>(objects: readonly T[]): T[] {
  const rank = ({ kind }: T): number => ORDER.indexOf(String(kind));
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

/** The endpoint of the cluster called `name`. */
export function rayEndpoint(
  name: string,
  config: Pick<RayClusterConfig, "mode" | "namespace" | "rayVersion" | "auth" | "ports" | "image" | "tls">,
): RayEndpoint {
  const { mode, namespace, rayVersion, auth, ports } = config;
  const service = `${name}-ray-head-svc`;
  const host = `${service}.${namespace}.svc`;
  return {
    mode,
    namespace,
    service,
    address: `ray://${host}:${ports.client}`,
    dashboard: `http://${host}:${ports.dashboard}`,
    gcs: `${host}:${ports.gcs}`,
    rayVersion,
    image: config.image ?? defaultImage(rayVersion),
    ...(auth && { authSecret: auth.secretName }),
    ...(config.tls && { caSecret: config.tls.caSecretName }),
  };
}
