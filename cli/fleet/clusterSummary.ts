import type { RuntimeRecord } from "../../components/runtime/record/record";
import type { ResourceState } from "../../engine/pulumi/state/checkpoint";
import { isShoot } from "../../engine/stack/cluster";
import { listAt, numberAt, textAt } from "../../kubernetes/objects/objects";

/** The Gardener cluster of a runtime. */
export interface ClusterSummary {
  /** `namespace/name` of its Shoot. */
  readonly shoot: string;
  readonly kubernetesVersion?: string;
  readonly kymaVersion?: string;
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
  const kubernetesVersion = textAt(outputs, "kubernetesVersion") ?? spec("kubernetes", "version");
  const region = spec("region");
  return {
    shoot: `${textAt(shoot, "metadata", "namespace")}/${textAt(shoot, "metadata", "name")}`,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(kymaVersion !== undefined && { kymaVersion }),
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
