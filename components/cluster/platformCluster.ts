import type { ProviderResource } from "@pulumi/pulumi";
import type { Charts } from "../charts/charts";
import type { ClusterConfig, PlatformConfig } from "../platform/config/platformConfig";
import type { ClusterAutoscaler } from "./autoscaler/clusterAutoscaler";
import { Cluster } from "./cluster";
import { refuseImpossibleChanges } from "./eks/changes";
import { rolePrefix } from "./eks/onEks";
import { withSteadyPools } from "./karpenter/steady";
import { placedPods } from "./nodePool/placedPods";
import { runningGroups } from "./nodePool/size";
import type { StateResources } from "../resources/ownState";
import type { DataAccess } from "./dataAccess/dataAccess";
import type { GpuDevicePlugin } from "./gpu/gpuDevicePlugin";
import type { Karpenter } from "./karpenter/karpenter";
import type { MetricsServer } from "./metrics/metricsServer";

/**
 * The cluster of a platform: an existing one, or one that is created on EKS. Modules for AWS are loaded only if needed:
 * without them, a platform on an existing cluster starts a third faster.
 */
export async function platformCluster(
  name: string,
  config: ClusterConfig,
  stateBefore: Promise<StateResources>,
  platform: PlatformConfig,
): Promise<Cluster> {
  if (config.type === "existing") {
    const { access: existing, eks } = config;
    if (eks === undefined) return new Cluster(name, { existing });
    const { existingIdentity } = await import("./eks/existing.js");
    const identity = existingIdentity(`${name}-eks`, eks);
    await checkRoles(config, platform, await stateBefore, identity.aws);
    return new Cluster(name, { existing, identity });
  }
  const state = await stateBefore;
  refuseImpossibleChanges(state, config.eks);
  const { awsProvider, EksCluster } = await import("./eks/eksCluster.js");
  const { preflight } = await import("./eks/preflight/preflight.js");
  const { knownVersions } = await import("./eks/versions/known.js");
  const { warnOfBudgets } = await import("./eks/budgets.js");
  const aws = awsProvider(`${name}-eks`, config.eks);
  const [versions] = await Promise.all([
    knownVersions(config.eks, state, aws),
    preflight(config.eks, placedPods(platform), state, aws),
    checkRoles(config, platform, state, aws),
  ]);
  await warnOfBudgets(config.eks, state, versions.images);
  const args = { config: withSteadyPools(config.eks, platform), running: runningGroups(state), versions, aws };
  const made = new EksCluster(`${name}-eks`, args);
  const { kubeconfig, server, identity, nodeSource } = made;
  return new Cluster(name, { existing: { kubeconfig, server }, identity, nodeSource, made });
}

async function checkRoles(
  config: ClusterConfig,
  platform: PlatformConfig,
  state: StateResources,
  aws: ProviderResource | undefined,
): Promise<void> {
  const { plannedRoles } = await import("./eks/preflight/plannedRoles.js");
  const { checkRoleNames } = await import("./eks/preflight/roleNames.js");
  await checkRoleNames(config, plannedRoles(platform), Object.values(state), aws);
}

/** Creates the IAM roles for data, if the config has any. */
export async function platformDataAccess(
  name: string,
  { cluster: config, dataAccess: entries }: PlatformConfig,
  cluster: Cluster | undefined,
): Promise<DataAccess | undefined> {
  const eks = config?.eks;
  if (!cluster?.identity || !eks || Object.keys(entries).length === 0) return undefined;
  const { DataAccess } = await import("./dataAccess/dataAccess.js");
  const { identity } = eks;
  const { access, provider } = cluster;
  return new DataAccess(name, {
    cluster: { ...cluster.identity, access, provider },
    rolePrefix: rolePrefix(eks),
    identity,
    entries,
  });
}

/** Installs NVIDIA's device plugin, if configured. */
export async function platformGpuPlugin(
  name: string,
  { gpuDevicePlugin: settings }: PlatformConfig,
  cluster: Cluster | undefined,
  charts: Charts,
): Promise<GpuDevicePlugin | undefined> {
  if (!cluster || !settings) return undefined;
  const { GpuDevicePlugin } = await import("./gpu/gpuDevicePlugin.js");
  return new GpuDevicePlugin(name, { cluster, charts, settings });
}

/** Installs metrics-server, if configured. */
export async function platformMetrics(
  name: string,
  { metricsServer: settings }: PlatformConfig,
  cluster: Cluster | undefined,
  charts: Charts,
): Promise<MetricsServer | undefined> {
  if (!cluster || !settings) return undefined;
  const { MetricsServer } = await import("./metrics/metricsServer.js");
  return new MetricsServer(name, { cluster, charts, settings });
}

/** Installs Karpenter, if the cluster uses it. */
export async function platformKarpenter(
  name: string,
  platform: PlatformConfig,
  cluster: Cluster | undefined,
  charts: Charts,
): Promise<Karpenter | undefined> {
  const { cluster: given, karpenter: settings } = platform;
  if (!cluster?.nodeSource || given?.type !== "eks" || !settings) return undefined;
  const { Karpenter } = await import("./karpenter/karpenter.js");
  const config = withSteadyPools(given.eks, platform);
  return new Karpenter(name, { cluster, charts, settings, config, source: cluster.nodeSource });
}

/**
 * Installs the cluster-autoscaler, if configured. Creates its role if the cluster is known to be on EKS and the config
 * names none.
 */
export async function platformAutoscaler(
  name: string,
  { cluster: config, clusterAutoscaler: settings }: PlatformConfig,
  cluster: Cluster | undefined,
  charts: Charts,
): Promise<ClusterAutoscaler | undefined> {
  if (!cluster || !settings) return undefined;
  const { ClusterAutoscaler } = await import("./autoscaler/clusterAutoscaler.js");
  const identity = settings.cluster.roleArn === undefined ? config?.eks?.identity : undefined;
  return new ClusterAutoscaler(name, {
    cluster,
    charts,
    settings,
    identity,
    rolePrefix: config?.eks && rolePrefix(config.eks),
  });
}
