/** Determines whether a live object is rolled out, from its status. Pure. */

import { at, groupOf, listAt, numberAt, textAt, type KubeObject, type Ref } from "../objects/objects";
import { bytesOf } from "../objects/bytes";
import { rayCluster } from "./rayCluster";
import { DONE, waiting, type Rollout } from "./state";
import type { Json } from "../../foundation/json/isObject";

export type { Rollout } from "./state";

const RULES: Readonly<Record<string, (live: KubeObject) => Rollout>> = {
  "apps/StatefulSet": statefulSet,
  "apps/Deployment": deployment,
  "apps/DaemonSet": daemonSet,
  "apps/ReplicaSet": replicaSet,
  "batch/Job": job,
  "/Pod": pod,
  "/PersistentVolumeClaim": claim,
  "ray.io/RayCluster": rayCluster,
};

const ruleOf = ({ apiVersion, kind }: Pick<Ref, "apiVersion" | "kind">) => RULES[`${groupOf(apiVersion)}/${kind}`];

/** Whether the kind has a rollout to wait for. Services, Ingresses and unknown kinds are ready once they exist. */
export const isAwaited = (ref: Pick<Ref, "apiVersion" | "kind">): boolean => ruleOf(ref) !== undefined;

/** Whether the kind runs pods. */
export const hasPods = (ref: Pick<Ref, "apiVersion" | "kind">): boolean =>
  isAwaited(ref) && ref.kind !== "PersistentVolumeClaim";

export function rollout(live: KubeObject): Rollout {
  const rule = ruleOf(live);
  if (!rule) return DONE;
  const observed = numberAt(live, "status", "observedGeneration");
  // Pods, Jobs and claims have no observed generation.
  if (observed === undefined ? isGenerational(live) : observed < (live.metadata.generation ?? 0)) {
    return { done: false, progress: "its controller has not seen the change yet", unseen: true };
  }
  return rule(live);
}

const isGenerational = ({ apiVersion }: KubeObject): boolean => ["apps", "ray.io"].includes(groupOf(apiVersion));

const count = (live: KubeObject, key: string): number => numberAt(live, "status", key) ?? 0;
const replicasOf = (live: KubeObject): number => numberAt(live, "spec", "replicas") ?? 1;

function statefulSet(live: KubeObject): Rollout {
  const replicas = replicasOf(live);
  const strategy = textAt(live, "spec", "updateStrategy", "type") ?? "RollingUpdate";
  const partition = numberAt(live, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
  const extra = tooMany(live, replicas);
  if (extra) return extra;
  // With OnDelete, pods keep their version until a user deletes them.
  const toUpdate = strategy === "OnDelete" ? 0 : Math.max(0, replicas - partition);
  const isRolled = textAt(live, "status", "currentRevision") === textAt(live, "status", "updateRevision");
  const updated = isRolled ? replicas : count(live, "updatedReplicas");
  if (updated < toUpdate) return waiting(`${updated} of ${toUpdate} pods updated`);
  return readyOf(live, replicas);
}

function deployment(live: KubeObject): Rollout {
  const replicas = replicasOf(live);
  if (at(live, "spec", "paused") === true) return DONE;
  const progressing = conditionOf(live, "Progressing", "False");
  if (progressing && textAt(progressing, "reason") === "ProgressDeadlineExceeded") {
    const progress = `${count(live, "readyReplicas")} of ${replicas} pods ready`;
    const seconds = numberAt(live, "spec", "progressDeadlineSeconds") ?? 600;
    // A pod that becomes ready late still ends it well.
    return { done: false, progress, failed: `${progress}; it made no progress for ${seconds} seconds`, doubtful: true };
  }
  const updated = count(live, "updatedReplicas");
  if (updated < replicas) return waiting(`${updated} of ${replicas} pods updated`);
  const old = count(live, "replicas") - updated;
  if (old > 0) return waiting(`${old} pods of the old version still to go`);
  return readyOf(live, replicas);
}

function daemonSet(live: KubeObject): Rollout {
  const wanted = count(live, "desiredNumberScheduled");
  const updated = count(live, "updatedNumberScheduled");
  if (textAt(live, "spec", "updateStrategy", "type") !== "OnDelete" && updated < wanted) {
    return waiting(`${updated} of ${wanted} pods updated`);
  }
  const available = count(live, "numberAvailable");
  return available < wanted ? waiting(`${available} of ${wanted} pods ready`) : DONE;
}

function replicaSet(live: KubeObject): Rollout {
  const replicas = replicasOf(live);
  return tooMany(live, replicas) ?? readyOf(live, replicas);
}

function tooMany(live: KubeObject, replicas: number): Rollout | undefined {
  const there = count(live, "replicas");
  return there > replicas ? waiting(`${there - replicas} of ${there} pods still to go`) : undefined;
}

function readyOf(live: KubeObject, replicas: number): Rollout {
  const ready = count(live, "readyReplicas");
  if (ready < replicas) return waiting(`${ready} of ${replicas} pods ready`);
  const available = count(live, "availableReplicas");
  // Pods must stay ready for minReadySeconds.
  return available < replicas ? waiting(`${available} of ${replicas} pods ready for long enough`) : DONE;
}

function job(live: KubeObject): Rollout {
  if (conditionOf(live, "Complete", "True") || at(live, "spec", "suspend") === true) return DONE;
  const failed = conditionOf(live, "Failed", "True");
  const wanted = numberAt(live, "spec", "completions") ?? 1;
  const progress = `${count(live, "succeeded")} of ${wanted} pods succeeded`;
  if (!failed) return waiting(progress);
  const { namespace, name } = live.metadata;
  const again = `to run it again: kubectl -n ${namespace} delete job ${name}`;
  return { done: false, progress, failed: `it failed (${whyOf(failed)}); ${again}` };
}

const conditionOf = (live: KubeObject, type: string, status: "True" | "False"): Json | undefined =>
  listAt(live, "status", "conditions").find((one) => one["type"] === type && one["status"] === status);

const whyOf = (from: unknown): string =>
  [textAt(from, "reason"), textAt(from, "message")].filter((one) => one !== undefined).join(": ") || "no reason given";

function pod(live: KubeObject): Rollout {
  const phase = textAt(live, "status", "phase") ?? "Pending";
  if (phase === "Succeeded") return DONE;
  const progress = `phase ${phase}, not ready`;
  // Nothing starts a pod again that has no controller.
  if (phase === "Failed") {
    return { done: false, progress, failed: `it failed (${whyOf(live["status"])}); replace or delete the pod` };
  }
  return conditionOf(live, "Ready", "True") ? DONE : waiting(progress);
}

function claim(live: KubeObject): Rollout {
  const phase = textAt(live, "status", "phase") ?? "Pending";
  if (phase === "Lost") {
    const progress = "not bound (Lost)";
    return { done: false, progress, failed: "its volume is gone (phase Lost); restore the volume or delete the claim" };
  }
  // Its growth is checked at the end, when its pod exists.
  return phase === "Bound" ? DONE : waiting(`not bound (${phase})`);
}

/** Whether a bound claim has its requested size, or needs only a pod that mounts it. */
export function resized(claim: KubeObject): Rollout {
  const asked = bytesOf(at(claim, "spec", "resources", "requests", "storage")) ?? 0;
  const has = bytesOf(at(claim, "status", "capacity", "storage")) ?? 0;
  if (has >= asked) return DONE;
  const pending = listAt(claim, "status", "conditions").find(
    ({ type, status }) => type === "FileSystemResizePending" && status === "True",
  );
  const progress = "its disk is being made larger";
  return waiting(pending ? `${progress}; the file system grows when a pod mounts it` : progress);
}

/** Whether only the file system must still grow, which happens when a pod mounts it. */
export const awaitsPod = (claim: KubeObject): boolean =>
  listAt(claim, "status", "conditions").some(
    ({ type, status }) => type === "FileSystemResizePending" && status === "True",
  );
