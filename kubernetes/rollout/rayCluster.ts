/** Determines whether a RayCluster is ready, from the status that the KubeRay operator sets. Pure. */

import { at, groupOf, listAt, numberAt, textAt, type KubeObject, type Ref } from "../objects/objects";
import { DONE, waiting, type Rollout } from "./state";

export const isRayCluster = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">): boolean =>
  kind === "RayCluster" && groupOf(apiVersion) === "ray.io";

export function rayCluster(live: KubeObject): Rollout {
  if (at(live, "spec", "suspend") === true) return DONE;
  const condition = (type: string) =>
    listAt(live, "status", "conditions").find((one) => one["type"] === type) as object | undefined;
  const failure = condition("RayClusterReplicaFailure");
  if (failure && textAt(failure, "status") === "True") return waiting(`its pods can't be made${because(failure)}`);
  const state = textAt(live, "status", "state");
  // Not final: the operator retries.
  if (state === "failed")
    return waiting(`the operator failed with it: ${textAt(live, "status", "reason") ?? "no reason"}`);
  const head = condition("HeadPodReady");
  if (head && textAt(head, "status") !== "True") return waiting(`its head is not ready${because(head)}`);
  const ready = numberAt(live, "status", "readyWorkerReplicas") ?? 0;
  const least = numberAt(live, "status", "minWorkerReplicas") ?? 0;
  if (ready < least) return waiting(`${ready} of ${least} workers ready`);
  // The condition stays true once set. Older operators set only the state.
  const provisioned = condition("RayClusterProvisioned");
  const done = provisioned ? textAt(provisioned, "status") === "True" : state === "ready";
  return done ? DONE : waiting("the operator has not reported it ready yet");
}

function because(condition: object): string {
  const why = [textAt(condition, "reason"), textAt(condition, "message")].filter(
    (one) => one !== undefined && one !== "",
  );
  return why.length === 0 ? "" : ` (${why.join(": ")})`;
}
