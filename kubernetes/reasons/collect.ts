/** Collects the reasons why a workload is not ready. */

import { ApiError } from "../client/apiError";
import type { Client } from "../client/client";
import { at, describe, groupOf, isControlledBy, listAt, textAt, refOf, type KubeObject } from "../objects/objects";
import { CLAIM, isClaim } from "../claims/claims";
import { selectorText } from "../objects/selector";
import { isRayCluster } from "../rollout/rayCluster";
import { resized } from "../rollout/rollout";
import { eventsOf, eventWith, refusalIn, warningIn } from "./events";
import { isReady, podProblem } from "./pod";
import { brief, reason, type Reason } from "./reason";

// Determines why a claim is not bound or has not grown. Pure.

/** `events`: the claim's, newest first. Returns undefined if there is no problem. */
export function claimProblem(claim: KubeObject, events: readonly KubeObject[]): Reason | undefined {
  const { name, deletionTimestamp } = claim.metadata;
  const phase = textAt(claim, "status", "phase") ?? "Pending";
  const storageClass = textAt(claim, "spec", "storageClassName");
  const of = storageClass === undefined ? "no storage class" : `storage class ${storageClass}`;
  if (deletionTimestamp !== undefined) {
    return reason(`claim ${name} is being deleted since ${deletionTimestamp}; it goes when no pod uses it any more`);
  }
  if (phase === "Bound") {
    const size = resized(claim);
    if (size.done) return undefined;
    const condition = listAt(claim, "status", "conditions").find(({ type }) => String(type).endsWith("Failed"));
    const words = textAt(condition, "message") ?? eventWith(events, "VolumeResizeFailed", "FileSystemResizeFailed");
    return reason(`claim ${name} (${of}): ${words === undefined ? size.progress : brief(words)}`);
  }
  if (phase === "Lost")
    return reason(`claim ${name} (${of}) lost its volume ${textAt(claim, "spec", "volumeName")}`, true);
  const words = eventWith(events, "ProvisioningFailed", "FailedBinding") ?? eventWith(events, "WaitForFirstConsumer");
  const said = words ?? warningIn(events) ?? textAt(events[0], "message") ?? "no volume is there for it yet";
  const missing = storageClass !== undefined && /storageclass\S* "[^"]*" not found/i.test(said);
  return reason(`claim ${name} (${of}) is not bound: ${brief(said)}`, missing);
}

/** API groups of the built-in controllers. */
const BUILT_IN = new Set(["", "apps", "batch"]);
/** Maximum number of pods to inspect per workload. The others usually have the same problem. */
const PODS = 3;

/** The pods of a workload and their controller. */
interface Pods {
  readonly pods: readonly KubeObject[];
  /** What creates the pods: the workload itself, or the newest ReplicaSet of a Deployment. */
  readonly maker: KubeObject;
}

export async function podsOf(client: Client, workload: KubeObject): Promise<Pods> {
  const { namespace, uid } = workload.metadata;
  if (workload.kind === "Pod") return { pods: [workload], maker: workload };
  // A cluster-scoped object, such as a CustomResourceDefinition, has no pods.
  if (namespace === undefined) return { pods: [], maker: workload };
  const label = isRayCluster(workload)
    ? `ray.io/cluster=${workload.metadata.name}`
    : selectorText(at(workload, "spec", "selector"));
  let maker = workload;
  if (workload.kind === "Deployment") {
    const sets = await client.list({ apiVersion: "apps/v1", kind: "ReplicaSet", namespace }, { label });
    const own = sets.filter((set) => isControlledBy(set, uid));
    maker = own.sort((a, b) => revisionOf(b) - revisionOf(a))[0] ?? workload;
  }
  const pods = await client.list({ apiVersion: "v1", kind: "Pod", namespace }, { label });
  return { pods: pods.filter((pod) => isControlledBy(pod, maker.metadata.uid)), maker };
}

const revisionOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);

/** Reasons why a workload or claim is not ready; may be empty. An API error is also a reason. */
export async function reasonsOf(client: Client, live: KubeObject): Promise<Reason[]> {
  try {
    if (isClaim(live)) {
      const trouble = claimProblem(live, await eventsOf(client, live));
      return trouble ? [trouble] : [];
    }
    return await workloadReasons(client, live);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [reason(`the reason could not be determined: ${error.message}`)];
  }
}

async function workloadReasons(client: Client, live: KubeObject): Promise<Reason[]> {
  const { pods, maker } = await podsOf(client, live);
  const reasons: Reason[] = [];
  const troubled = pods.filter((pod) => !isReady(pod) && textAt(pod, "status", "phase") !== "Succeeded");
  for (const pod of troubled.slice(0, PODS)) reasons.push(...(await podReasons(client, pod, isNewest(pod, live))));
  if (troubled.length > PODS) reasons.push(reason(`and ${troubled.length - PODS} more pods that are not ready`));
  const creation = await creationTrouble(client, maker);
  // A refusal by the operator does not depend on pods.
  if (creation && (creation.final || troubled.length === 0)) reasons.push(creation);
  return reasons;
}

/** Whether the pod has the current template. Problems of a pod that is about to be replaced do not matter. */
function isNewest(pod: KubeObject, live: KubeObject): boolean {
  const wanted = textAt(live, "status", "updateRevision");
  const own = pod.metadata.labels?.["controller-revision-hash"];
  return live.kind !== "StatefulSet" || wanted === undefined || own === wanted;
}

async function podReasons(client: Client, pod: KubeObject, newest: boolean): Promise<Reason[]> {
  const { reasons, crash } = podProblem(pod, await eventsOf(client, pod));
  const own = reasons.map(({ text, final }) => reason(`pod ${pod.metadata.name}: ${text}`, final && newest));
  if (crash) {
    const log = await lastLogs(client, pod, crash.container);
    if (log !== "") own.push(reason(`last lines of container ${crash.container}: ${brief(log)}`));
  }
  if (textAt(pod, "spec", "nodeName") === undefined) own.push(...(await claimReasons(client, pod, newest)));
  return own;
}

/** A pod may be unscheduled because its claims are not bound. */
async function claimReasons(client: Client, pod: KubeObject, newest: boolean): Promise<Reason[]> {
  const names = listAt(pod, "spec", "volumes").flatMap(
    (one) => textAt(one, "persistentVolumeClaim", "claimName") ?? [],
  );
  const reasons: Reason[] = [];
  for (const name of names) {
    const claim = await client.get({ ...CLAIM, namespace: pod.metadata.namespace, name });
    if (!claim) reasons.push(reason(`claim ${name} does not exist`));
    else {
      const trouble = claimProblem(claim, await eventsOf(client, claim));
      if (trouble) reasons.push(reason(trouble.text, trouble.final && newest));
    }
  }
  return reasons;
}

/**
 * Why pods could not be created: a quota, a policy, a missing service account. Operators report this in warning events.
 */
async function creationTrouble(client: Client, maker: KubeObject): Promise<Reason | undefined> {
  const events = await eventsOf(client, maker);
  if (!BUILT_IN.has(groupOf(maker.apiVersion))) {
    const refusal = refusalIn(events, maker);
    if (refusal !== undefined) return reason(`its operator refuses it: ${brief(refusal)}`, true);
    const warning = warningIn(events);
    return warning === undefined ? undefined : reason(`its operator says: ${brief(warning)}`);
  }
  const message = eventWith(events, "FailedCreate", "ReplicaSetCreateError");
  if (message === undefined) return undefined;
  const final = /violates PodSecurity|is invalid:/.test(message);
  return reason(`${describe(refOf(maker))} cannot make its pods: ${brief(message)}`, final);
}

/** Empty if there is no log, or the user may not read it. */
async function lastLogs(client: Client, pod: KubeObject, container: string): Promise<string> {
  // Does not retry if the node is unreachable.
  const once = client.with({ patienceMs: 0 });
  for (const previous of [true, false]) {
    try {
      const log = await once.log(refOf(pod), container, previous);
      if (log !== "") return log;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // A missing log is not an error.
    }
  }
  return "";
}
