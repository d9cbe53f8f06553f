import { namespaceConfig, type NamespaceUser } from "../namespaces/settings";
import type { RayClusterConfig, RayPod } from "./clusters";

/** Values of the chart `charts/ray-static-cluster`; its `values.yaml` documents each. */
export type ChartValues = Readonly<Record<string, unknown>>;

/** The chart's values for the cluster called `name`. */
export function chartValues(name: string, config: RayClusterConfig): ChartValues {
  const { gcsFaultTolerance: ft } = config;
  return {
    clusterName: name,
    mode: config.mode,
    rayVersion: config.rayVersion,
    image: config.image ?? defaultImage(config.rayVersion),
    pool: config.pool,
    reservedCpu: config.reservedCpu,
    env: config.env,
    head: podValues(config.head),
    workerGroups: Object.fromEntries(
      Object.entries(config.workerGroups).map(([group, pod]) => [group, podValues(pod)]),
    ),
    autoscaler: config.autoscaler,
    serviceAccount: { name: config.serviceAccount ?? "", headName: config.headServiceAccount ?? "" },
    auth: { secretName: config.auth?.secretName ?? "" },
    tls: { caSecretName: config.tls?.caSecretName ?? "" },
    ...(ft && {
      gcsFaultTolerance: {
        redisAddress: ft.redisAddress,
        passwordSecret: ft.passwordSecret ?? "",
        passwordKey: ft.passwordKey,
      },
    }),
  };
}

/** The official image, for CPUs. */
export const defaultImage = (rayVersion: string): string => `rayproject/ray:${rayVersion}-py312-cpu`;

/** Without what is undefined: the chart would take it for given. */
const podValues = (pod: RayPod): ChartValues =>
  Object.fromEntries(Object.entries(pod).filter(([, value]) => value !== undefined));

/** The namespaces that the platform makes for these clusters, each once, with those who use it. */
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
  // What the operator adds to its pods is not ours.
  passes: config.mode === "kuberay" ? "baseline" : "restricted",
});

/** Order of application: what pods need comes before them. */
const ORDER = ["ServiceAccount", "ConfigMap", "Role", "RoleBinding", "Service", "Deployment", "RayCluster"];

/** The rendered objects in the order in which they are applied. */
export function inOrder<T extends Readonly<Record<string, unknown>>>(objects: readonly T[]): T[] {
  const rank = ({ kind }: T): number => ORDER.indexOf(String(kind));
  return objects.toSorted((a, b) => rank(a) - rank(b));
}
