import { mismatch } from "../../../foundation/schema/faults";
import { poolsFor } from "../../cluster/nodePool/placedPods";
import { zonesOf, type EksConfig } from "../../cluster/onEks/eksConfig";
import type { DecodeContext } from "../../contract/decoding";
import { notebookPods } from "../notebookPods";
import { jupyterhubFaults } from "./checks";
import { rayWarnings } from "./rayChecks";
import { resolveJupyterHub } from "./resolve";
import { loginOf } from "../logins/registry";
import type { JupyterHubInput, JupyterHubSettings } from "../settings";

/** The storage class for EBS that the platform creates. */
const EBS_CLASS = "gp3";

/**
 * Warns of notebooks whose disk may be in a zone without nodes. An EBS disk stays in the zone of its first node. The
 * autoscaler can't choose the zone of the next node in a group that spans zones; it can with one group per zone. Not a
 * fault, because such stacks run, and their disks can't move.
 */
function zoneWarnings(eks: EksConfig | undefined, jupyterhub: JupyterHubSettings): string[] {
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

const COMPONENT = { component: "jupyterhub", token: "JupyterHub" } as const;

/** Decodes the settings of JupyterHub. Undefined if it is not configured or disabled. Adds faults to the context. */
export function decodeJupyterHub(
  input: JupyterHubInput | undefined,
  { place, faults, warnings, stack, wanted, disabled, offers }: DecodeContext,
): JupyterHubSettings | undefined {
  if (input === undefined) return undefined;
  const { config } = offers.cluster;
  const eks = config?.type === "eks" ? config.eks : undefined;
  const references = {
    ...(eks && { nodePools: eks.nodePools }),
    dataAccess: offers.roles,
    rayClusters: offers.rayClusters,
    annotates: config?.eks?.identity === "irsa",
  };
  faults.push(...jupyterhubFaults(input, references, place, stack));
  warnings.push(...rayWarnings(input, offers.rayClusters));
  if (place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because JupyterHub runs in it"));
  }
  const settings = resolveJupyterHub(input, references, place.secretKeys.has("jupyterhub"));
  if (!input.enabled) {
    disabled.push({ ...COMPONENT, consequences: consequencesOf(settings) });
    return undefined;
  }
  warnings.push(...zoneWarnings(eks, settings), ...(loginOf(input.auth).warnings?.(input.auth) ?? []));
  wanted.push({ ...COMPONENT, chart: "jupyterhub", optional: input.optional });
  return settings;
}

/** What disabling JupyterHub means for users' data, according to the current config. */
function consequencesOf({ namespace, keepVolumes }: JupyterHubSettings): string {
  const running = "running notebooks are stopped, and all users must log in again";
  return keepVolumes
    ? `${running}; the namespace ${namespace} stays with the users' disks and the hub's database, unless the last update had userVolumes: delete. To remove them later: kubectl delete namespace ${namespace}`
    : `${running}; the namespace ${namespace} is deleted with the users' disks and the hub's database, if the last update already had userVolumes: delete`;
}
