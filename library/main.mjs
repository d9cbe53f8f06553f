// The same for programs that are ES modules, which have to be told the names.
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
