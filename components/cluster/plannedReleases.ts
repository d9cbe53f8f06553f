/** The Helm releases of a platform, and their names that must be unique in a cluster. Pure. */

import { clusterObjects, type ClusterObject } from "../jupyterhub/clusterObjects";
import { CERTIFICATES, DNS, LOAD_BALANCER, NGINX } from "../ingress/accounts";
import type { PlatformConfig } from "../platform/config/platformConfig";
import { OPERATOR } from "../ray/operator/plan";
import { NAMESPACE, RELEASE } from "./autoscaler/plan";
import { GPU_PLUGIN } from "./gpu/plan";
import { KARPENTER } from "./karpenter/values";
import { METRICS, METRICS_API } from "./metrics/plan";

export type ReleasesConfig = Pick<
  PlatformConfig,
  | "cluster"
  | "ray"
  | "rayOperator"
  | "jupyterhub"
  | "clusterAutoscaler"
  | "karpenter"
  | "gpuDevicePlugin"
  | "metricsServer"
  | "ingress"
>;

/** A Helm release of a platform. */
export interface PlannedRelease {
  /** Config key of the component. */
  readonly path: string;
  readonly name: string;
  readonly namespace: string;
  /** APIService that it registers. A cluster can have only one. */
  readonly apiService?: string;
  /** Its cluster-scoped objects whose names may conflict. */
  readonly objects: readonly ClusterObject[];
  /** Whether the user's values change these names. */
  readonly isRenamed: boolean;
  /** The expected situation, for the message about a conflict. */
  readonly expected: string;
}

interface Place {
  readonly release: string;
  readonly namespace: string;
}

interface Values {
  readonly values: Readonly<Record<string, unknown>>;
}

const NAMING = "fullnameOverride";
const ONE = "one on a cluster; disable it in this stack";
const HUB = "a namespace and a releaseName of its own";

/** `role`: the ClusterRole, which the chart names by its full name. */
function planned(
  path: string,
  has: Values | undefined,
  { release, namespace }: Place,
  role: (fullname: string) => string = (fullname) => fullname,
  expected = ONE,
): PlannedRelease[] {
  if (has === undefined) return [];
  const given = has.values[NAMING];
  const isRenamed = typeof given === "string" && given !== "";
  const objects = [{ kind: "ClusterRole", name: role(isRenamed ? given : release) }];
  return [{ path, name: release, namespace, objects, isRenamed, expected }];
}

function plannedHub(hub: ReleasesConfig["jupyterhub"]): PlannedRelease[] {
  if (hub === undefined) return [];
  const { releaseName, namespace, values } = hub;
  const isRenamed = NAMING in values;
  const [path, expected] = isRenamed
    ? [`jupyterhub.values.${NAMING}`, "a name that no other hub on the cluster has"]
    : ["jupyterhub", HUB];
  return [{ path, name: releaseName, namespace, objects: clusterObjects(hub), isRenamed, expected }];
}

/** The releases that a platform installs on its cluster. */
export function plannedReleases(config: ReleasesConfig): PlannedRelease[] {
  const { ray, rayOperator, clusterAutoscaler, karpenter, gpuDevicePlugin, metricsServer, ingress } = config;
  const isOperated = Object.values(ray ?? {}).some(({ mode }) => mode === "kuberay");
  const ofOperator = "one KubeRay operator on a cluster; use another mode in this stack";
  return [
    ...plannedHub(config.jupyterhub),
    ...planned(
      "ray",
      isOperated ? rayOperator : undefined,
      { release: OPERATOR, namespace: OPERATOR },
      undefined,
      ofOperator,
    ),
    ...planned("clusterAutoscaler", clusterAutoscaler, { release: RELEASE, namespace: NAMESPACE }),
    ...planned("cluster.nodes", karpenter, KARPENTER),
    ...planned("gpuDevicePlugin", gpuDevicePlugin, GPU_PLUGIN, (name) => `${name}-role`),
    ...planned("metricsServer", metricsServer, METRICS, (name) => `system:${name}`).map((one) => ({
      ...one,
      apiService: METRICS_API,
    })),
    ...planned(
      "ingress.awsLoadBalancerController",
      ingress?.awsLoadBalancerController,
      LOAD_BALANCER,
      (name) => `${name}-role`,
    ),
    ...planned("ingress.nginx", ingress?.nginx, NGINX),
    ...planned("ingress.externalDns", ingress?.externalDns, DNS),
    ...planned("ingress.certManager", ingress?.certManager, CERTIFICATES, (name) => `${name}-controller-issuers`),
  ];
}
