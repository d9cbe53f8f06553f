/** Determines why a claim is not bound or has not grown. Pure. */

import { listAt, textAt } from "../objects/objects";
import type { KubeObject } from "../objects/objects";
import { eventWith, warningIn } from "./events";
import { resized } from "../rollout/rollout";
import { brief, reason } from "./reason";
import type { Reason } from "./reason";

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
