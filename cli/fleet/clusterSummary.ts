import { KYMA_MODULES } from "../../components/resources/tokens";
import type { RuntimeRecord } from "../../components/runtime/record/record";
import type { ResourceState } from "../../engine/pulumi/state/checkpoint";
import { isShoot } from "../../engine/stack/cluster";
import { listAt, numberAt, objectAt, textAt } from "../../kubernetes/objects/objects";

/** The Gardener cluster of a runtime. */
export interface ClusterSummary {
  /** `namespace/name` of its Shoot. */
  readonly shoot: string;
  readonly kubernetesVersion?: string;
  readonly kymaVersion?: string;
  /** Modules of Kyma with their versions, as of the last update. */
  readonly kymaModules?: string;
  readonly region?: string;
  readonly nodes: readonly NodesSummary[];
}

/** A node pool. */
interface NodesSummary {
  readonly name: string;
  readonly machineType: string;
  readonly minimum: number;
  readonly maximum: number;
}

/** Undefined for a runtime without its own cluster. Pure. */
export function summariseCluster(
  resources: readonly ResourceState[],
  record: RuntimeRecord | undefined,
): ClusterSummary | undefined {
  const found = resources.find(isShoot);
  if (found === undefined) return undefined;
  const { inputs = {}, outputs = {} } = found;
  const shoot = inputs["shoot"];
  const spec = (...path: string[]): string | undefined => textAt(shoot, "spec", ...path);
  const kymaVersion = record?.deployment.kyma?.version;
  const modules = resources.find(({ type }) => type === KYMA_MODULES)?.outputs;
  const versions = Object.entries(objectAt(modules, "versions")).map((pair) => pair.join(" "));
  const kubernetesVersion = textAt(outputs, "kubernetesVersion") ?? spec("kubernetes", "version");
  const region = spec("region");
  return {
    shoot: `${textAt(shoot, "metadata", "namespace")}/${textAt(shoot, "metadata", "name")}`,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(kymaVersion !== undefined && { kymaVersion }),
    ...(versions.length > 0 && { kymaModules: versions.sort().join(", ") }),
    ...(region !== undefined && { region }),
    nodes: listAt(shoot, "spec", "provider", "workers").map((worker) => ({
      name: textAt(worker, "name") ?? "",
      machineType: textAt(worker, "machine", "type") ?? "",
      minimum: numberAt(worker, "minimum") ?? 0,
      maximum: numberAt(worker, "maximum") ?? 0,
    })),
  };
}

/** `2 to 4 n2-standard-4`, pool by pool. */
export const nodesText = ({ nodes }: ClusterSummary): string =>
  nodes.map(({ minimum, maximum, machineType }) => `${minimum} to ${maximum} ${machineType}`).join(", ");
