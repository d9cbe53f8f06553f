/** What all features of a platform have, or those `among` them that a component is made of. Pure. */

import type { ListedImage } from "../charts/images";
import type { PlannedRelease } from "../charts/plannedRelease";
import type { PlacedPod } from "../cluster/nodePool/placedPods";
import type { PlannedRole } from "../cluster/serviceAccountRole/plan";
import { WORKLOAD, type ClusterNeed } from "../contract/needs";
import type { Feature } from "../feature";
import { FEATURES } from "../features";
import type { NamespaceClaim } from "../namespaces/settings";
import type { BalancerOwner } from "../resources/guard/loadBalancerGuard";
import type { PlatformConfig } from "./config/platformConfig";

const features: readonly Feature[] = FEATURES;

/** Every image that the components of a stack may run, once per purpose. */
export const imagesOf = (config: PlatformConfig): ListedImage[] =>
  features.flatMap((one) => one.images?.(config) ?? []);

/** The pods whose size and placement the config determines. */
export const placedPods = (config: PlatformConfig, among = features): PlacedPod[] =>
  among.flatMap((one) => one.pods?.(config) ?? []);

/** The releases that a platform installs on its cluster. */
export const plannedReleases = (config: PlatformConfig, among = features): PlannedRelease[] =>
  among.flatMap((one) => one.releases?.(config) ?? []);

/** The IAM roles that a platform creates. */
export const plannedRoles = (config: PlatformConfig, among = features): PlannedRole[] =>
  among.flatMap((one) => one.roles?.(config) ?? []);

/** Owners of Services and Ingresses with load balancers, besides components with data. */
export const balancerOwners = (config: PlatformConfig, among = features): BalancerOwner[] =>
  among.flatMap((one) => one.balancers?.(config) ?? []);

/** What features need of existing clusters, with the rights that their namespaces and releases require. */
export function clusterNeeds(config: PlatformConfig): ClusterNeed[] {
  const releases = plannedReleases(config);
  const apis = new Set(releases.flatMap(({ apiService }) => apiService ?? []));
  const isInstalled = (need: ClusterNeed): boolean =>
    need.type === "api" && apis.has(need.apiVersion.split("/").reverse().join("."));
  const common = config.cluster?.type === "existing" ? COMMON : [];
  return [
    ...[...common, ...features.flatMap((one) => one.needs?.(config) ?? [])].filter((need) => !isInstalled(need)),
    ...features.flatMap((one) => one.namespaces?.(config) ?? []).flatMap(namespaceNeeds),
    ...releases.flatMap(releaseNeeds),
  ];
}

/** What bundles, runtimes with own templates and people expect of a cluster. */
const COMMON: readonly ClusterNeed[] = [
  { path: "cluster", type: "storageClass", isOptional: true },
  { path: "metricsServer", type: "api", apiVersion: "metrics.k8s.io/v1beta1", kind: "PodMetrics", isOptional: true },
];

const namespaceNeeds = ({ base, createNamespace, server }: NamespaceClaim): ClusterNeed[] =>
  createNamespace && server === undefined ? [{ path: base.join("."), type: "objects", resources: ["namespaces"] }] : [];

/** API groups of the cluster-scoped objects in charts. */
const GROUPS: Readonly<Record<string, string>> = {
  ClusterRole: "clusterroles.rbac.authorization.k8s.io",
  ClusterRoleBinding: "clusterrolebindings.rbac.authorization.k8s.io",
  PriorityClass: "priorityclasses.scheduling.k8s.io",
};

/** Helm keeps its revisions in Secrets. */
const releaseNeeds = ({ path, namespace, objects }: PlannedRelease): ClusterNeed[] => [
  { path, type: "objects", namespace, resources: ["secrets", ...WORKLOAD] },
  { path, type: "objects", resources: [...new Set(objects.flatMap(({ kind }) => GROUPS[kind] ?? []))] },
];
