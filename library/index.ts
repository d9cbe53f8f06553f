/** The public API: what `import … from "stackyard"` provides. */

import "../foundation/schema/interpreted";

export { fromPulumiEks } from "../components/eks/pulumiEks";
export { KubernetesRuntime } from "../components/runtime/types/kubernetes/kubernetesRuntime";
export { BundleRelease } from "../components/resources/bundleRelease";
export { ManifestSet } from "../components/resources/manifestSet";
export { SlotAllocation } from "../components/resources/slotAllocation";
export { StaticPool } from "../components/resources/staticPool";
export { TerasliceJob } from "../components/resources/terasliceJob";
export {
  Bundles,
  ClickHouseSet,
  Cluster,
  ClusterAutoscaler,
  DataAccess,
  Ingress,
  JupyterHub,
  ProvisionerSet,
  Ray,
  TerasliceCluster,
} from "./components";
export { decodeConfig, withCharts } from "./decode";
export { platform } from "../components/platform/program";
