import * as pulumi from "@pulumi/pulumi";
import type { StateResources } from "../../../resources/ownState";
import { isOf } from "../../../resources/running";
import { KYMA_INSTALLATION, MANIFEST_SET, RUNTIME_AGENT } from "../../../resources/tokens";

/*
 * Objects can't be applied to a hibernated cluster. Its resources stay as they are, whatever the request is now, and whether
 * or not their last update failed.
 */

/** A resource in the state. */
export interface KeptPart {
  readonly type: string;
  readonly name: string;
}

/** The existing resources in a cluster. */
export interface Kept {
  readonly bindings: readonly KeptPart[];
  readonly kyma: readonly KeptPart[];
  /** State of the connection that the agent reported last. */
  readonly connectionState?: string;
}

/** The resources of the runtime of this name, and not those of one that the deployment moves away from. Pure. */
export function keptIn(name: string, state: StateResources = {}): Kept {
  const parts = Object.entries(state).flatMap(([urn, { type, outputs }]) => {
    const part = { type, name: urn.slice(urn.lastIndexOf("::") + 2) };
    return part.name.startsWith(`${name}-`) ? [{ urn, outputs, part }] : [];
  });
  const kyma = parts.filter(({ urn }) => isOf(urn, "GardenerKyma"));
  const bindings = parts.filter(({ urn, part }) => part.type === MANIFEST_SET && isOf(urn, "GardenerRuntime"));
  const reported = kyma.find(({ part }) => part.type === RUNTIME_AGENT)?.outputs["connectionState"];
  return {
    bindings: bindings.map(({ part }) => part),
    kyma: kyma.map(({ part }) => part),
    ...(typeof reported === "string" && { connectionState: reported }),
  };
}

class KeptResource extends pulumi.CustomResource {}

/** Registers resources with their inputs in the state, so that the engine finds no change. */
export function keep(parts: readonly KeptPart[], parent: pulumi.Resource, shoot: pulumi.Resource): void {
  for (const { type, name } of parts) {
    // The installer's ServiceInstances must be deleted before the cluster.
    const deletedWith = type === KYMA_INSTALLATION ? {} : { deletedWith: shoot };
    new KeptResource(type, name, {}, { parent, dependsOn: [shoot], ignoreChanges: ["*"], ...deletedWith });
  }
}
