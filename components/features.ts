import { bundle } from "./bundle/feature";
import { clickhouse } from "./clickhouse/feature";
import { clusterAutoscaler } from "./clusterAutoscaler/feature";
import { dataAccess } from "./dataAccess/feature";
import { efaDevicePlugin } from "./efaDevicePlugin/feature";
import { eks } from "./eks/feature";
import { gpuDevicePlugin } from "./gpuDevicePlugin/feature";
import { ingress } from "./ingress/feature";
import { jupyterhub } from "./jupyterhub/feature";
import { karpenter } from "./karpenter/feature";
import { metricsServer } from "./metricsServer/feature";
import { neuronDevicePlugin } from "./neuronDevicePlugin/feature";
import type { Feature } from "./feature";
import { provisioners } from "./provisioners/feature";
import { kubernetesRuntime } from "./provisioners/runtimes/kubernetesRuntime";
import { staticRuntime } from "./provisioners/runtimes/staticRuntime";
import { ray } from "./ray/feature";
import { service } from "./service/feature";
import { teams } from "./teams/feature";
import { teraslice } from "./teraslice/feature";

/**
 * The features of a platform, in the order in which they are decoded and created. A feature may build upon those before
 * it, and is deleted before them.
 */
export const FEATURES = [
  eks,
  teams,
  dataAccess,
  clusterAutoscaler,
  karpenter,
  gpuDevicePlugin,
  neuronDevicePlugin,
  efaDevicePlugin,
  metricsServer,
  ingress,
  ray,
  jupyterhub,
  teraslice,
  bundle,
  service,
  provisioners,
  clickhouse,
] as const;

/** What the package has components of: the features, and what a platform leaves to stacks of their own. */
export const COMPONENTS: readonly Feature[] = [...FEATURES, kubernetesRuntime, staticRuntime];
