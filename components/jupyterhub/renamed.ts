import * as pulumi from "@pulumi/pulumi";
import type { StateResources } from "../resources/ownState";
import { HELM_RELEASE } from "../resources/tokens";
import type { JupyterHubSettings } from "./settings";

/**
 * Rejects a renamed JupyterHub. Helm can't transfer objects to another release, and the volume with the hub's database
 * would remain unused.
 */
export function checkRenamed(hub: JupyterHubSettings, state: StateResources): void {
  const installed = Object.entries(state).find(
    ([urn, { type, outputs }]) =>
      type === HELM_RELEASE && urn.endsWith("jupyterhub-release") && outputs["namespace"] === hub.namespace,
  )?.[1].outputs;
  if (installed === undefined || installed["name"] === hub.releaseName) return;
  const expected = `${JSON.stringify(installed["name"])}, by which it is installed, or another namespace`;
  throw new pulumi.RunError(
    `stackyard:jupyterhub.releaseName: found ${JSON.stringify(hub.releaseName)}; expected ${expected}. Nothing was changed.`,
  );
}
