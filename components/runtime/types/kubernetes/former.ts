import * as pulumi from "@pulumi/pulumi";
import { setNameOf } from "../../../../foundation/pulumi/setName";
import type { StateResource, StateResources } from "../../../resources/ownState";
import { keepsData } from "../../protection";
import { isProtected, recordIn, runtimeName, textIn, type Present } from "../../record/present";
import { scaledToZero } from "../../templates/scaledToZero";
import { KubernetesRuntime, type KubernetesRuntimeArgs } from "./kubernetesRuntime";
import { diskFate, kubernetesPlaceIn, losesDisk } from "./place";

/** What decides which runtimes stay at their former places. */
interface Moved {
  /** Name of the planned runtime. */
  readonly name: string;
  readonly hibernated: boolean;
  /** Name of the runtime before this run; undefined if nothing moves. */
  readonly from: string | undefined;
  readonly secret: boolean;
}

/**
 * Keeps a runtime at its former place, scaled to zero, if it moves while it is hibernated: its disk is the only one
 * until the new runtime has run. The update that wakes the new one no longer registers it, so the engine deletes it
 * after that one is ready. `after`: the new runtime, which is created first.
 */
export function keepFormer(state: StateResources, moved: Moved, after: pulumi.Input<pulumi.Resource[]>): void {
  if (!moved.hibernated) return;
  for (const [urn, resource] of Object.entries(state)) {
    const place = kubernetesPlaceIn(urn, resource);
    const name = runtimeName(urn);
    if (place === undefined || name === moved.name || !losesDisk(place)) continue;
    const record = recordIn(resource.outputs);
    if (record?.former !== true && name !== moved.from) continue;
    new KubernetesRuntime(name, formerArgs(resource, moved.secret), { dependsOn: after });
  }
}

/**
 * Says which disks at former places an update deletes, because it wakes the runtime `name`. Throws a `ChoiceError` if
 * the deployment `id` is protected.
 */
export async function announceFormer(
  state: StateResources,
  { id, name, present }: { readonly id: string; readonly name: string; readonly present: Present<unknown> | undefined },
): Promise<void> {
  for (const [urn, resource] of Object.entries(state)) {
    const place = kubernetesPlaceIn(urn, resource);
    if (place === undefined || runtimeName(urn) === name || recordIn(resource.outputs)?.former !== true) continue;
    const note = `moved while it was hibernated; ${diskFate(place, false)}`;
    if (present !== undefined && isProtected(present)) throw keepsData(id, `it ${note}`);
    await pulumi.log.warn(`${id} ${note}`);
  }
}

function formerArgs({ outputs }: StateResource, secret: boolean): KubernetesRuntimeArgs {
  const { kubeconfig, objects, record, timeoutSeconds, claimsWhenDeleted, claimsWhenSmaller } = outputs;
  const manifests = (objects as Record<string, unknown>[]).map(scaledToZero);
  const kept = { ...(record as object), former: true };
  return {
    ...(typeof kubeconfig === "string" && { kubeconfig: pulumi.secret(kubeconfig) }),
    context: textIn(outputs, "context"),
    cluster: textIn(outputs, "cluster") ?? "",
    namespace: textIn(outputs, "namespace") ?? "",
    provisionId: String(setNameOf(outputs)).replace(/^runtime-/, ""),
    manifests: secret ? pulumi.secret(manifests) : manifests,
    ...(typeof timeoutSeconds === "number" && { timeoutSeconds }),
    ...(typeof claimsWhenDeleted === "string" && { claimsWhenDeleted }),
    ...(typeof claimsWhenSmaller === "string" && { claimsWhenSmaller }),
    record: secret ? pulumi.secret(kept) : kept,
  };
}
