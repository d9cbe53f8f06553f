import { mismatch } from "../../../foundation/schema/faults";
import type { DecodeContext } from "../../contract/decoding";
import type { JupyterHubSettings } from "../settings";
import { jupyterhubFaults } from "./checks";
import { rayWarnings } from "./rayChecks";
import { resolveJupyterHub } from "./resolve";
import type { JupyterHubInput } from "./schema";
import { zoneWarnings } from "./zones";

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
  warnings.push(...zoneWarnings(eks, settings));
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
