import type { WantedChart } from "../../charts/charts";
import type { JupyterHubSettings } from "../settings";
import { mismatch } from "../../../foundation/schema/faults";
import type { DisabledComponent } from "../../platform/config/platformConfig";
import type { Resolver } from "../../../foundation/schema/resolver";
import { jupyterhubFaults } from "./checks";
import { rayWarnings } from "./rayChecks";
import { resolveJupyterHub, type ReferencedConfig } from "./resolve";
import type { JupyterHubInput } from "./schema";

const COMPONENT = { component: "jupyterhub", token: "JupyterHub" } as const;

/** Related parts of the config. */
export interface DecodeContext extends ReferencedConfig {
  readonly stack: string;
  /** Receives the chart that is needed. */
  readonly wanted: WantedChart[];
  /** Receives the component if it is disabled. */
  readonly disabled: DisabledComponent[];
}

/** Decodes the settings of JupyterHub. Undefined if it is not configured or disabled. Adds faults to the resolver. */
export function decodeJupyterHub(
  input: JupyterHubInput | undefined,
  { place, faults, warnings }: Resolver,
  { stack, wanted, disabled, ...references }: DecodeContext,
): JupyterHubSettings | undefined {
  if (input === undefined) return undefined;
  faults.push(...jupyterhubFaults(input, references, place, stack));
  warnings.push(...rayWarnings(input, references.rayClusters ?? {}));
  if (place.root["cluster"] === undefined) {
    faults.push(mismatch(["cluster"], "nothing", "a cluster, because JupyterHub runs in it"));
  }
  const settings = resolveJupyterHub(input, references, place.secretKeys.has("jupyterhub"));
  if (!input.enabled) {
    disabled.push({ ...COMPONENT, consequences: consequencesOf(settings) });
    return undefined;
  }
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
