// Entry point for ES modules, which need explicit named exports.
import library from "./main.js";

export const {
  BundleRelease,
  Bundles,
  ClickHouseSet,
  Cluster,
  ClusterAutoscaler,
  DataAccess,
  decodeConfig,
  fromPulumiEks,
  Ingress,
  JupyterHub,
  KubernetesRuntime,
  ManifestSet,
  ProvisionerSet,
  Ray,
  SlotAllocation,
  StaticPool,
  TerasliceCluster,
  TerasliceJob,
  withCharts,
} = library;
