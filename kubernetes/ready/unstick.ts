/** Unblocks a StatefulSet's rollout that waits for a pod which will never be ready. */

import { ApiError } from "../client/apiError";
import { at, describe, textAt, refOf, type KubeObject } from "../objects/objects";
import { isReady } from "../reasons/pod";
import type { Work } from "../work/work";

/** Waiting reasons of containers that can't start without a change. */
const BROKEN = /BackOff|^Err|^Invalid|ConfigError|ContainerError/;

/**
 * A StatefulSet replaces a pod of the old version only when that pod is ready. A pod that never becomes ready blocks
 * the change that would fix it. Such a pod is deleted; its successor has the new version and the same disk.
 */
export function stuckPods(set: KubeObject, pods: readonly KubeObject[]): KubeObject[] {
  const wanted = textAt(set, "status", "updateRevision");
  const strategy = textAt(set, "spec", "updateStrategy", "type") ?? "RollingUpdate";
  const observed = at(set, "status", "observedGeneration") === set.metadata.generation;
  if (!observed || wanted === undefined || strategy !== "RollingUpdate") return [];
  const partition = Number(at(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0);
  return pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined &&
      pod.metadata.labels?.["controller-revision-hash"] !== wanted &&
      Number(/\d+$/.exec(pod.metadata.name)?.[0]) >= partition &&
      !isReady(pod) &&
      isBroken(pod),
  );
}

export async function unstick(site: Work, set: KubeObject, pods: readonly KubeObject[]): Promise<void> {
  for (const pod of stuckPods(set, pods)) {
    const what = `${describe(refOf(pod))} has the old version and is not getting ready`;
    try {
      await site.client.remove(refOf(pod), { uid: pod.metadata.uid });
      site.log("info", `${what}; deleted, so that the new one starts`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      site.log("status", `${what}, and its deletion, so that the new one starts, is not allowed: ${error.message}`);
    }
  }
}

/** A pod that is still starting is not broken. An unscheduled pod can be deleted without loss. */
function isBroken(pod: KubeObject): boolean {
  if (textAt(pod, "spec", "nodeName") === undefined || textAt(pod, "status", "phase") === "Failed") return true;
  const statuses = ["initContainerStatuses", "containerStatuses"].flatMap((key) => at(pod, "status", key) ?? []);
  return statuses.some((status) => {
    const terminated = at(status, "state", "terminated", "exitCode");
    if (BROKEN.test(textAt(status, "state", "waiting", "reason") ?? "")) return true;
    if (terminated !== undefined && terminated !== 0) return true;
    // It runs, but its readiness probe keeps failing.
    return at(status, "state", "running") !== undefined && at(status, "ready") === false && isOld(status);
  });
}

const PATIENCE_MS = 15_000;

function isOld(status: unknown): boolean {
  const started = Date.parse(textAt(status, "state", "running", "startedAt") ?? "");
  return !Number.isNaN(started) && Date.now() - started > PATIENCE_MS;
}
