/** The status of an execution, as a master reports it. Pure. */

import { textAt } from "../../../../kubernetes/objects/objects";
import { plainWords } from "./words";
import type { Json } from "../../../../foundation/json/isObject";

/** An execution: a copy of the job from its start, with its progress. */
export type Execution = Json;

const COMING = ["pending", "scheduling", "initializing"];
/** A recovered execution is called so by its controller while workers process what the last one left, which may be all of it. */
const RECOVERING = "recovering";
const GOING = [RECOVERING, "running", "failing", "paused", "stopping"];
/** Statuses of executions that have pods or are about to get them. */
export const LIVE: readonly string[] = [...COMING, ...GOING];

export const executionStatus = (execution: Execution | undefined): string => textAt(execution, "_status") ?? "none";

/** True if it has pods or is about to get them. */
export const isLive = (execution: Execution | undefined): execution is Execution =>
  LIVE.includes(executionStatus(execution));

/** True if it is starting. */
export const isComing = (execution: Execution | undefined): boolean => COMING.includes(executionStatus(execution));

/** True if every slice was processed. */
export const isCompleted = (execution: Execution | undefined): boolean => executionStatus(execution) === "completed";

/** The master's reason for its end, on one line; empty if there is none. */
export const executionFailure = (execution: Execution): string => plainWords(textAt(execution, "_failureReason") ?? "");

const time = (thing: Json, key: string): number => Date.parse(textAt(thing, key) ?? "") || 0;

/** Whether the job was changed after this execution was created; both times come from the master. */
export const isOlder = (execution: Execution, job: Json): boolean =>
  time(execution, "_created") < time(job, "_updated");

/** Whether the execution used the current job and completed: a job with lifecycle `once` needs no other. */
export const isDone = (execution: Execution | undefined, job: Json): boolean =>
  execution !== undefined && job["lifecycle"] !== "persistent" && isCompleted(execution) && !isOlder(execution, job);
