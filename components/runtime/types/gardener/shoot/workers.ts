import type { ClusterRequest } from "../../../request/cluster/shape";
import { FIRST_POOL, type NodeFields, type WorkerPool } from "../../../request/cluster/workers";
import type { Cloud } from "./clouds";

/** The worker pools of a Shoot: first the pool that every cluster has, then the others. Pure. */
export const workersOf = (cluster: ClusterRequest, cloud: Cloud): object[] => [
  worker(FIRST_POOL, cluster, cloud.zones, cloud),
  ...(cluster.workerPools ?? []).map((pool) => ({
    ...worker(pool.name, pool, pool.zones ?? cloud.zones, cloud),
    ...extras(pool),
  })),
];

function worker(name: string, nodes: NodeFields, zones: readonly string[], cloud: Cloud): object {
  const { machineType, machineImage, machineImageVersion, diskType, volumeSizeGB } = nodes;
  const image = machineImage !== undefined && {
    image: { name: machineImage, ...(machineImageVersion !== undefined && { version: machineImageVersion }) },
  };
  return {
    name,
    machine: { type: machineType, ...image },
    minimum: nodes.autoScalerMin,
    maximum: nodes.autoScalerMax,
    maxSurge: nodes.maxSurge ?? 1,
    maxUnavailable: nodes.maxUnavailable ?? 0,
    ...(zones.length > 0 && { zones }),
    ...(diskType !== undefined &&
      volumeSizeGB !== undefined && { volume: { type: diskType, size: `${volumeSizeGB}Gi` } }),
    ...(cloud.workerConfig && { providerConfig: cloud.workerConfig }),
  };
}

const extras = ({ labels, annotations, taints }: WorkerPool): object => ({
  ...(labels && { labels }),
  ...(annotations && { annotations }),
  ...(taints && { taints }),
});
