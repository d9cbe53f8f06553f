/** What the pods of Teraslice run, and the nodes that they need. Pure. */

import {
  containerImages,
  mirrored,
  mirroredContainers,
  placed,
  type ImagePlace,
  type ListedImage,
} from "../charts/images";
import type { PlacedPod } from "../cluster/nodePool/placedPods";
import type { TerasliceConfig } from "./job/settings";
import type { TerasliceSettings } from "./settings";

/**
 * The master, and pods of jobs with the default resources: workers and execution controllers. Pods of jobs may run in
 * any pool, since a job may name targets.
 */
export function placedPods({ source, master, teraslice }: TerasliceSettings): PlacedPod[] {
  const path = source.replace("stackyard:", "");
  const common = { gpus: 0, gpuKey: "", unit: 2 ** 30 };
  const configured = (cpus: number, amount: number) => ({ cpu: String(cpus), memoryGb: String(amount), gpu: "0" });
  const ofJobs = (cpuKey: string, memoryKey: string, cpu: number, memoryBytes: number): PlacedPod => ({
    ...{ path: `${path}.settings`, cpu, memoryBytes, configured: configured(cpu, memoryBytes), cpuKey, memoryKey },
    ...{ nodeSelector: {}, tolerations: [{ operator: "Exists" }], ...common },
  });
  const { cpu, memoryMb, nodeSelector, tolerations, evictable } = master;
  const { cpu_execution_controller, memory_execution_controller } = teraslice;
  return [
    {
      ...{ path: `${path}.master`, cpu, memoryBytes: memoryMb * 2 ** 20, configured: configured(cpu, memoryMb) },
      ...{ memoryKey: "memoryMb", nodeSelector, tolerations, isSteady: !evictable, isRequired: true, ...common },
    },
    ofJobs("cpu", "memory", teraslice.cpu ?? 0, teraslice.memory ?? 0),
    ofJobs(
      "cpu_execution_controller",
      "memory_execution_controller",
      cpu_execution_controller,
      memory_execution_controller,
    ),
  ];
}

/** `name`: name of the master, empty for the one at `teraslice`. */
export function imagesOf(name: string, { image, teraslice, master, worker }: TerasliceConfig): ListedImage[] {
  const component = name === "" ? "teraslice" : "terasliceClusters";
  const listed = (role: string) => (found: string) => ({
    component,
    role: name === "" ? role : `${name} ${role}`,
    image: found,
  });
  const beside = (containers: Parameters<typeof containerImages>[0]): string[] =>
    containerImages(containers).map((one) => one.image);
  return [
    listed("master")(image),
    listed("jobs")(teraslice.kubernetes_image),
    ...beside([...master.initContainers, ...master.containers]).map(listed("master beside")),
    ...beside(worker.initContainers).map(listed("jobs beside")),
  ];
}

export const onMirrorAll = (one: TerasliceConfig, place: ImagePlace): TerasliceConfig => ({
  ...mirrored(one, place),
  master: {
    ...one.master,
    initContainers: mirroredContainers(one.master.initContainers, place),
    containers: mirroredContainers(one.master.containers, place),
  },
  worker: { ...one.worker, initContainers: mirroredContainers(one.worker.initContainers, place) },
  teraslice: { ...one.teraslice, kubernetes_image: placed(one.teraslice.kubernetes_image, place) },
});
