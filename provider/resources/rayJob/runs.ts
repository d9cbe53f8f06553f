/** Runs of a job in a Ray cluster, found by their metadata: whose they are, and which one an update continues. Pure. */

import type { StackName } from "../../../kubernetes/owners/record";
import { type JobInputs, type JobInState, contentDigest } from "./inputs";
import { hasEnded, type ListedJob } from "./jobs";

/** Keys of the metadata. Users can't set keys that begin like the first one. */
export const OWNER_KEY = "stackyard";
const STACK = "stackyard-stack";
const BACKEND = "stackyard-backend";
const GENERATION = "stackyard-generation";
const CONTENT = "stackyard-content";

/** A content that was submitted, maybe repeatedly. */
export interface Series {
  readonly generation: number;
  readonly content: string;
}

export interface Run extends Series, StackName {
  readonly id: string;
  readonly status: ListedJob["status"];
  /** From 1; higher for retries. */
  readonly attempt: number;
}

/** The runs of the job with this owner, in the order in which they were submitted. */
export function runsOf(jobs: readonly ListedJob[], owner: string): Run[] {
  const runs = jobs
    .filter(({ metadata }) => metadata[OWNER_KEY] === owner)
    .map(({ submission_id: id, status, metadata }): Run => ({
      id,
      status,
      attempt: Number(id.slice(id.lastIndexOf("-") + 1)) || 0,
      generation: Number(metadata[GENERATION]) || 0,
      content: metadata[CONTENT] ?? "",
      stack: metadata[STACK] ?? "",
      backend: metadata[BACKEND] ?? "",
    }));
  return runs.sort((a, b) => a.generation - b.generation || a.attempt - b.attempt);
}

export const isLive = (run: Run): boolean => !hasEnded(run);

/** Whether a resource may continue and stop a run: its stack in its backend may, or the state that has the run. */
export const isByOwner = (run: Run, { stack, backend }: StackName, old: JobInState | undefined): boolean =>
  (run.stack === stack && run.backend === backend) || run.id === old?.state.submissionId;

export const isOf = (run: Series, { generation, content }: Series): boolean =>
  run.generation === generation && run.content === content;

/**
 * What an update submits or continues. An interrupted update has submitted the same content before, under a generation
 * that no state has as settled.
 */
export function seriesOf(inputs: JobInputs, runs: readonly Run[], old: JobInState | undefined): Series {
  const content = contentDigest(inputs);
  const last = runs.at(-1);
  const settled = old === undefined || old.state.unsettled === true ? 0 : old.state.generation;
  if (last?.content === content && last.generation > settled) return { content, generation: last.generation };
  return { content, generation: Math.max(last?.generation ?? 0, old?.state.generation ?? 0) + 1 };
}

export const runId = (owner: string, { generation, content }: Series, attempt: number): string =>
  `${owner}-${generation}-${content}-${attempt}`;

/** The metadata of a run. */
export const marksOf = (owner: string, series: Series, { stack, backend }: StackName): Record<string, string> => ({
  [OWNER_KEY]: owner,
  [STACK]: stack,
  [BACKEND]: backend,
  [GENERATION]: String(series.generation),
  [CONTENT]: series.content,
});
