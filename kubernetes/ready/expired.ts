/** Jobs that Kubernetes deletes after they finish, possibly before their result was read. */

import { unlessForbidden } from "../client/lookUp";
import type { Client } from "../client/client";
import { at, groupOf, type KubeObject } from "../objects/objects";
import { eventsOf, eventWith } from "../reasons/events";
import type { Rollout } from "../rollout/rollout";

export const isExpiring = (object: KubeObject): boolean =>
  object.kind === "Job" &&
  groupOf(object.apiVersion) === "batch" &&
  at(object, "spec", "ttlSecondsAfterFinished") !== undefined;

/** Reasons of the events that report a failed Job. */
const FAILED = [
  "BackoffLimitExceeded",
  "DeadlineExceeded",
  "PodFailurePolicy",
  "FailedIndexes",
  "MaxFailedIndexesExceeded",
];

/** The result of a deleted Job, from its events, which may arrive a little after the deletion. */
export async function endOf(client: Client, job: KubeObject): Promise<Rollout> {
  const events = await unlessForbidden(eventsOf(client, job));
  if (events && eventWith(events, "Completed") !== undefined) return { done: true };
  const progress = "deleted during the wait";
  const why = events && eventWith(events, ...FAILED);
  if (why !== undefined) return { done: false, progress, failed: `it failed: ${why}` };
  const unknown = events ? "no event says how it ended" : "the user may not read its events, which say how it ended";
  return { done: false, progress, failed: `it was deleted during the wait, and ${unknown}`, doubtful: true };
}
