/** What a master says of one run of a job. Pure. */

import { textAt } from "../../../../kubernetes/client/objects";
import type { Json } from "../../../../foundation/json/isObject";

/** An execution: the job as it was when it started, and how it goes. */
export type Execution = Json;

const COMING = ["pending", "scheduling", "initializing", "recovering"];
const GOING = ["running", "failing", "paused", "stopping"];
/** Statuses of executions that have pods, or will have some. */
export const LIVE: readonly string[] = [...COMING, ...GOING];

export const statusOf = (execution: Execution | undefined): string => textAt(execution, "_status") ?? "none";

/** It has pods, or will have some. */
export const isLive = (execution: Execution | undefined): execution is Execution => LIVE.includes(statusOf(execution));

/** It is on its way to `running`. */
export const isComing = (execution: Execution | undefined): boolean => COMING.includes(statusOf(execution));

/** Every slice of it was done, and nothing is left to run. */
export const isCompleted = (execution: Execution | undefined): boolean => statusOf(execution) === "completed";

/** Why it ended, in the master's words; empty when it says nothing. */
export const failureOf = (execution: Execution): string => textAt(execution, "_failureReason") ?? "";

const time = (thing: Json, key: string): number => Date.parse(textAt(thing, key) ?? "") || 0;

/** Whether the job was changed after this execution of it had begun; both times are the master's. */
export const isOlder = (execution: Execution, job: Json): boolean =>
  time(execution, "_created") < time(job, "_updated");

/** Whether it begins with the job as it is, and ended well: a job that runs once has nothing more to do. */
export const isDone = (execution: Execution | undefined, job: Json): boolean =>
  execution !== undefined && job["lifecycle"] !== "persistent" && isCompleted(execution) && !isOlder(execution, job);
