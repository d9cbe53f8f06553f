import type { Request } from "../runtime/request/request";
import { failedResult, type Result } from "../runtime/result";
import type { EngineJob } from "./messages";

/** A job of many: one runtime to deploy or delete. */
export interface RuntimeJob extends Pick<
  EngineJob,
  "command" | "defaultPlatform" | "existing" | "refresh" | "waitSeconds"
> {
  readonly request: Request;
  /** Default: false, which deploys. */
  readonly destroy?: boolean;
}

/** An item of a rollout. A wave starts when all items of lower waves have ended. */
export interface RolloutItem {
  readonly wave: number;
  readonly state: "open" | "running" | "succeeded" | "failed";
}

export interface RolloutLimits {
  /** Number of concurrent items. */
  readonly parallel: number;
  /** If more fail, no further one starts. Default: unlimited. */
  readonly maxFailures?: number | undefined;
}

/** The next step of a rollout. */
export type Step<Item> =
  | { readonly do: "begin"; readonly items: readonly Item[] }
  | { readonly do: "wait" }
  | { readonly do: "end"; readonly tooManyFailed: boolean };

/** Decides for the command line and for the service what a rollout does next. Pure. */
export function nextStep<Item extends RolloutItem>(
  items: readonly Item[],
  { parallel, maxFailures = Infinity }: RolloutLimits,
): Step<Item> {
  const inState = (state: RolloutItem["state"]): Item[] => items.filter((item) => item.state === state);
  const [open, running] = [inState("open"), inState("running")];
  const tooManyFailed = inState("failed").length > maxFailures;
  const current = Math.min(...[...open, ...running].map(({ wave }) => wave));
  const ready = tooManyFailed ? [] : open.filter(({ wave }) => wave === current);
  const next = ready.slice(0, Math.max(0, parallel - running.length));
  if (next.length > 0) return { do: "begin", items: next };
  return running.length > 0 ? { do: "wait" } : { do: "end", tooManyFailed };
}

export interface RolloutOptions extends RolloutLimits {
  /** Called with the number of each wave, from 1, when it starts. */
  readonly onWave?: (number: number) => void;
  /** Called with the ids in progress whenever a job starts. */
  readonly onBegin?: (ids: readonly string[]) => void;
  readonly onResult: (result: Result) => void;
  /** True if no further job should start. */
  readonly isStopped?: () => boolean;
}

export interface Rollout {
  /** Jobs that were not started, because too many failed or a user stopped the rollout. */
  readonly notBegun: readonly RuntimeJob[];
  readonly tooManyFailed: boolean;
}

/** Runs waves of jobs one after the other. */
export async function rollOut(
  waves: readonly (readonly RuntimeJob[])[],
  options: RolloutOptions,
  run: (job: RuntimeJob) => Promise<Result>,
): Promise<Rollout> {
  const items = waves.flatMap((jobs, at) =>
    jobs.map((job) => ({ job, wave: at + 1, state: "open" as RolloutItem["state"] })),
  );
  const jobsIn = (state: RolloutItem["state"]) => items.filter((item) => item.state === state).map(({ job }) => job);
  let wave = 0;
  const begin = async (item: (typeof items)[number]): Promise<void> => {
    if (item.wave > wave) options.onWave?.((wave = item.wave));
    item.state = "running";
    const started = performance.now();
    options.onBegin?.(jobsIn("running").map(({ request }) => request.id));
    const result = await run(item.job).catch((error: unknown) => failedResult(item.job.request.id, error, started));
    item.state = result.ok ? "succeeded" : "failed";
    options.onResult(result);
    await advance();
  };
  const advance = async (): Promise<void> => {
    const step = nextStep(items, options);
    if (step.do === "begin" && options.isStopped?.() !== true) await Promise.all(step.items.map(begin));
  };
  await advance();
  const last = nextStep(items, options);
  return { notBegun: jobsIn("open"), tooManyFailed: last.do === "end" && last.tooManyFailed };
}
