import { zonesOf, type EksConfig } from "../../cluster/eks/eksConfig";
import { placedPods, poolsFor } from "../../cluster/nodePool/placedPods";
import type { JupyterHubSettings } from "../../jupyterhub/settings";

/** The storage class that the platform makes, of EBS. */
const EBS_CLASS = "gp3";

/**
 * Warnings of notebooks whose disk may be in a zone where no node comes. A disk of EBS is in one zone, chosen with its first
 * node. Of a group that spans zones the autoscaler can't say where the next node is to be, of one in each zone it can.
 * No fault: such stacks run, and their disks must stay where they are.
 */
export function zoneWarnings(eks: EksConfig | undefined, jupyterhub: JupyterHubSettings | undefined): string[] {
  // Karpenter knows in which zone a disk is.
  if (eks?.nodes !== "managed" || jupyterhub === undefined || zonesOf(eks) < 2) return [];
  const { type, storageClass = EBS_CLASS } = jupyterhub.storage;
  if (type !== "dynamic" || storageClass !== EBS_CLASS) return [];
  return placedPods({ jupyterhub }).flatMap((pod) => {
    const pools = poolsFor(pod, eks.nodePools);
    const scaled = pools.filter((name) => eks.nodePools[name]!.max > eks.nodePools[name]!.min);
    if (scaled.length === 0 || scaled.some((name) => eks.nodePools[name]!.perZone)) return [];
    const names = pools.join(", ");
    return [
      `stackyard:${pod.path}.nodePool: found ${names}, which spans ${zonesOf(eks)} zones; a user's disk is in one of them, and ` +
        `the autoscaler can't add a node there. Use a pool with perZone: true; disks stay as they are`,
    ];
  });
}
