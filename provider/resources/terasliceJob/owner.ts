/**
 * The owner of a job at a master, recorded in the job's labels, because a master has no other place for it. Values of
 * labels are limited, so stack and backend are recorded as legal names of them. Pure.
 */

import { labelWithHash } from "../../../foundation/text/legalName";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { textAt, without } from "../../../kubernetes/objects/objects";
import { OwnerError } from "../../../kubernetes/owners/judge";
import type { StackName } from "../../../kubernetes/owners/record";
import type { JobState } from "./inputs";

const STACK = "stackyard-stack";
const BACKEND = "stackyard-backend";
const GENERATION = "stackyard-generation";

const legal = (text: string): string =>
  labelWithHash({ text, whole: text, hashLength: 8, longest: 63, empty: "unknown" });

/** Returns the job as it is sent to the master. */
export function withOwner(job: Json, { stack, backend }: StackName, generation: number): Json {
  const labels = isObject(job["labels"]) ? job["labels"] : {};
  const marks = { [STACK]: legal(stack), [BACKEND]: legal(backend), [GENERATION]: String(generation) };
  return { ...job, labels: { ...labels, ...marks } };
}

/** Returns the job as its program has it. */
export function withoutOwner(job: Json): Json {
  const { labels } = job;
  return isObject(labels) ? { ...job, labels: without(labels, STACK, BACKEND, GENERATION) } : job;
}

/** Rises whenever the job is changed at the master; 0 for jobs from before there were owners. */
export const generationOf = (job: Json): number => Number(textAt(job, "labels", GENERATION) ?? 0) || 0;

/**
 * Whether a resource may change a job. Its stack in its backend may, also after an update that was killed. Otherwise the
 * state proves it, unless another state of the same job has changed it since. A job without the labels has no owner.
 */
export function isOwn(job: Json, { stack, backend }: StackName, state: JobState | undefined): boolean {
  const [ofStack, ofBackend] = [textAt(job, "labels", STACK), textAt(job, "labels", BACKEND)];
  if (ofStack === undefined || ofBackend === undefined) return true;
  if (ofStack === legal(stack) && ofBackend === legal(backend)) return true;
  return state !== undefined && (state.generation ?? 0) >= generationOf(job);
}

export const ownedByText = (job: Json): string =>
  `belongs to stack ${textAt(job, "labels", STACK)} in ${textAt(job, "labels", BACKEND)}, which last changed it at ` +
  `${textAt(job, "_updated")} (generation ${generationOf(job)})`;

export const ownerError = (name: string, job: Json): OwnerError =>
  new OwnerError(
    `job ${name} (${textAt(job, "job_id")}) ${ownedByText(job)}. Nothing was changed. To take it over on purpose, ` +
      `remove its labels ${STACK} and ${BACKEND} at the master, and run the update again`,
  );
