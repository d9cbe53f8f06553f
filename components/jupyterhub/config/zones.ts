import { zonesOf, type EksConfig } from "../../cluster/onEks/eksConfig";
import { poolsFor } from "../../cluster/nodePool/placedPods";
import { notebookPods } from "../notebookPods";
import type { JupyterHubSettings } from "../settings";

/** The storage class for EBS that the platform creates. */
const EBS_CLASS = "gp3";

/**
 * Warns of notebooks whose disk may be in a zone without nodes. An EBS disk stays in the zone of its first node. The
 * autoscaler can't choose the zone of the next node in a group that spans zones; it can with one group per zone. Not a
 * fault, because such stacks run, and their disks can't move.
 */
export function zoneWarnings(eks: EksConfig | undefined, jupyterhub: JupyterHubSettings): string[] {
  // Karpenter takes the zone of a disk into account.
  if (eks?.nodes !== "managed" || zonesOf(eks) < 2) return [];
  const { type, storageClass = EBS_CLASS } = jupyterhub.storage;
  if (type !== "dynamic" || storageClass !== EBS_CLASS) return [];
  return notebookPods(jupyterhub).flatMap((pod) => {
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
