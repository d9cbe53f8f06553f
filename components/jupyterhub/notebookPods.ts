/** The sizes of notebooks, and the nodes that they may run on. Pure. */

import type { PlacedPod } from "../cluster/nodePool/placedPods";
import type { JupyterHubSettings, NotebookSize, Placement } from "./settings";

const GIB = 2 ** 30;

/** The notebooks of each profile; without profiles, those of all users. */
export function notebookPods({ size, placement, profiles }: JupyterHubSettings): PlacedPod[] {
  const notebook = (path: string, own: NotebookSize, place: Placement): PlacedPod => {
    const { cpu = size.cpu ?? 0, memoryGb = size.memoryGb ?? 1, gpus = size.gpus ?? 0 } = own;
    const configured = { cpu: String(cpu), memoryGb: String(memoryGb), gpu: String(gpus) };
    const keys = { unit: GIB, memoryKey: "memoryGb", gpuKey: "gpus" };
    return { path, cpu, memoryBytes: memoryGb * GIB, gpus, configured, ...keys, ...place };
  };
  if (Object.keys(profiles).length === 0) return [notebook("jupyterhub", size, placement)];
  return Object.entries(profiles).map(([slug, profile]) => {
    const { nodeSelector, tolerations } = profile.placement;
    // A profile's placement replaces the default of all notebooks.
    return notebook(`jupyterhub.profiles.${slug}`, profile, {
      nodeSelector: Object.keys(nodeSelector).length === 0 ? placement.nodeSelector : nodeSelector,
      tolerations: tolerations.length === 0 ? placement.tolerations : tolerations,
    });
  });
}
