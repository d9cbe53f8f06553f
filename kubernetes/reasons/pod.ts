/** Determines why a pod is not ready, from its status and events. Pure. */

import { at, listAt, numberAt, textAt, type KubeObject } from "../objects/objects";
import { eventWith, warningIn } from "./events";
import { brief, reason, type Reason } from "./reason";
import type { Json } from "../../foundation/json/isObject";

/** A container that keeps crashing. Its log may explain why. */
interface Crash {
  readonly container: string;
}

interface PodProblem {
  readonly reasons: readonly Reason[];
  readonly crash?: Crash;
}

const PULL = new Set([
  "ImagePullBackOff",
  "ErrImagePull",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
]);
/** Messages of registries about an image that does not exist. */
const NO_SUCH_IMAGE = /not found|manifest unknown|does not exist|no such (image|manifest)|name unknown/i;
const MOUNT = ["FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox"];

export const isReady = (pod: KubeObject): boolean =>
  listAt(pod, "status", "conditions").some(({ type, status }) => type === "Ready" && status === "True");

/** `events`: the pod's, newest first. */
export function podProblem(pod: KubeObject, events: readonly KubeObject[]): PodProblem {
  const { deletionTimestamp, finalizers } = pod.metadata;
  const node = textAt(pod, "spec", "nodeName");
  if (deletionTimestamp !== undefined) {
    const held = finalizers?.length ? `, held by its finalizers ${finalizers.join(", ")}` : "";
    return { reasons: [reason(`is being deleted since ${deletionTimestamp} on node ${node ?? "(none)"}${held}`)] };
  }
  const unscheduled = listAt(pod, "status", "conditions").find(
    ({ type, status }) => type === "PodScheduled" && status === "False",
  );
  if (node === undefined) {
    const words = textAt(unscheduled, "message") ?? eventWith(events, "FailedScheduling");
    return {
      reasons: [reason(words === undefined ? "waits for the scheduler" : `cannot be scheduled: ${brief(words)}`)],
    };
  }
  const troubles = containersOf(pod).map((container) => containerTrouble(container, events));
  const reasons = troubles.flatMap((trouble) => trouble.reasons);
  const crash = troubles.find((trouble) => trouble.crash)?.crash;
  if (textAt(pod, "status", "phase") === "Failed" && !crash) {
    const why = [textAt(pod, "status", "reason"), textAt(pod, "status", "message")].filter((one) => one !== undefined);
    if (why.length > 0) reasons.unshift(reason(`failed: ${brief(why.join(": "))}`));
  }
  if (reasons.length > 0 || isReady(pod)) return { reasons, crash };
  const gate = listAt(pod, "spec", "readinessGates").flatMap((one) => textAt(one, "conditionType") ?? []);
  const started = containersOf(pod).length > 0;
  if (started && gate.length > 0) return { reasons: [reason(`waits for its readiness gates ${gate.join(", ")}`)] };
  const warning = eventWith(events, ...MOUNT) ?? warningIn(events);
  if (warning !== undefined) return { reasons: [reason(brief(warning))] };
  return {
    reasons: [reason(started ? "is not ready yet" : `was given to node ${node}, which has not started it yet`)],
  };
}

const containersOf = (pod: KubeObject): Json[] => [
  ...listAt(pod, "status", "initContainerStatuses"),
  ...listAt(pod, "status", "containerStatuses"),
];

function containerTrouble(status: Json, events: readonly KubeObject[]): PodProblem {
  const container = textAt(status, "name") ?? "";
  const image = textAt(status, "image") ?? "";
  const waiting = textAt(status, "state", "waiting", "reason");
  const message = textAt(status, "state", "waiting", "message") ?? "";
  if (waiting !== undefined && PULL.has(waiting)) {
    // The event contains the registry's error; the status often says only that the pull was backed off.
    const said = events.find(({ reason, message }) => reason === "Failed" && String(message).includes(image));
    const words = textAt(said, "message") ?? message;
    const final =
      waiting === "InvalidImageName" || waiting === "ErrImageNeverPull" || NO_SUCH_IMAGE.test(words + message);
    const text = `container ${container} cannot pull image ${image} (${waiting}): ${brief(words || "no reason given")}`;
    return { reasons: [reason(text, final)] };
  }
  const ended = at(status, "state", "terminated") ?? at(status, "lastState", "terminated");
  const code = numberAt(ended, "exitCode");
  const isCrash = waiting === "CrashLoopBackOff" || (at(status, "state", "terminated") !== undefined && code !== 0);
  if (isCrash) {
    const why = textAt(ended, "reason");
    const how = code === undefined ? "ends again and again" : `ended with exit code ${code}${exitReason(code, why)}`;
    const times = numberAt(status, "restartCount") ?? 0;
    const restarts = times > 0 ? ` after ${times} restart${times === 1 ? "" : "s"}` : "";
    const last = textAt(ended, "message");
    const said = last === undefined ? "" : `: ${brief(last)}`;
    const backOff = waiting === undefined ? "" : ` (${waiting})`;
    return {
      reasons: [reason(`container ${container} ${how}${restarts}${backOff}${said}`)],
      crash: last === undefined ? { container } : undefined,
    };
  }
  if (waiting !== undefined && waiting !== "ContainerCreating" && waiting !== "PodInitializing") {
    return {
      reasons: [reason(`container ${container} cannot start (${waiting}): ${brief(message || "no reason given")}`)],
    };
  }
  if (at(status, "state", "running") !== undefined && status["ready"] === false) {
    const probe = eventWith(events, "Unhealthy");
    const words = probe === undefined ? "" : `: ${brief(probe)}`;
    return { reasons: [reason(`container ${container} runs but is not ready${words}`)] };
  }
  return { reasons: [] };
}

function exitReason(code: number, why: string | undefined): string {
  if (why === "OOMKilled") return " (out of memory: it needs more than its limit)";
  if (code === 137) return " (killed)";
  if (code === 143) return " (terminated)";
  return why === undefined || why === "Error" ? "" : ` (${why})`;
}
