/** What the pods of Ray clusters run, and the nodes that they need. Pure. */

import { containerImages, mirrored, mirroredContainers, type ImagePlace, type ListedImage } from "../charts/images";
import type { PlacedPod } from "../cluster/nodePool/placedPods";
import { defaultImage, reservedMemory } from "./clusters";
import type { PodExtras, RayClusterConfig, RayPod } from "./config/schema";

type Clusters = Readonly<Record<string, RayClusterConfig>>;

const GB = 10 ** 9;

const podsOf = ({ head, workerGroups }: RayClusterConfig): [string, RayPod][] => [
  ["head", head],
  ...Object.entries(workerGroups),
];

export const placedPods = (clusters: Clusters): PlacedPod[] =>
  Object.entries(clusters).flatMap(([name, cluster]) => [
    // The head has the state of all tasks.
    { ...placedPod(`ray.${name}.head`, cluster.head, cluster), isSteady: true, isRequired: true },
    ...Object.entries(cluster.workerGroups).map(([group, pod]) => ({
      ...placedPod(`ray.${name}.workerGroups.${group}`, pod, cluster),
      isRequired: pod.minReplicas !== 0 && pod.replicas !== 0,
    })),
  ]);

function placedPod(path: string, pod: RayPod, cluster: RayClusterConfig): PlacedPod {
  const pool = pod.pool ?? cluster.pool;
  const reserved = reservedMemory(pod.memoryGb, cluster.reservedMemoryGb);
  return {
    path,
    cpu: pod.cpu - cluster.reservedCpu,
    memoryBytes: (pod.memoryGb - reserved) * GB,
    gpus: pod.gpu,
    configured: {
      cpu: `${pod.cpu}, of which ${cluster.reservedCpu} are reserved`,
      memoryGb: `${pod.memoryGb}, of which ${reserved} are reserved`,
      gpu: String(pod.gpu),
    },
    unit: GB,
    memoryKey: "memoryGb",
    gpuKey: "gpu",
    nodeSelector: { ...(pool === "" ? {} : { dedicated: pool }), ...pod.nodeSelector },
    tolerations: [...(pool === "" ? [] : [{ key: "dedicated", value: pool }]), ...pod.tolerations],
  };
}

export function imagesOf(clusters: Clusters): ListedImage[] {
  const listed = (role: string, image: string): ListedImage => ({ component: "ray", role, image });
  const beside = (pods: string, { initContainers, containers }: PodExtras): ListedImage[] =>
    containerImages([...initContainers, ...containers]).map(({ name, image }) => listed(`${pods}: ${name}`, image));
  return Object.entries(clusters).flatMap(([name, cluster]) => [
    listed(name, cluster.image ?? defaultImage(cluster.rayVersion)),
    ...beside(name, cluster),
    ...podsOf(cluster).flatMap(([kind, pod]) => [
      ...(pod.image === undefined ? [] : [listed(`${name} ${kind}`, pod.image)]),
      ...beside(`${name} ${kind}`, pod),
    ]),
  ]);
}

export function onMirrorAll(clusters: Clusters, place: ImagePlace): Clusters {
  const beside = <T extends PodExtras & { readonly image?: string }>(pod: T): T => ({
    ...mirrored(pod, place),
    initContainers: mirroredContainers(pod.initContainers, place),
    containers: mirroredContainers(pod.containers, place),
  });
  return Object.fromEntries(
    Object.entries(clusters).map(([name, one]) => [
      name,
      {
        ...beside({ ...one, image: one.image ?? defaultImage(one.rayVersion) }),
        head: beside(one.head),
        workerGroups: Object.fromEntries(Object.entries(one.workerGroups).map(([group, pod]) => [group, beside(pod)])),
      },
    ]),
  );
}
