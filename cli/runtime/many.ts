import type { Context } from "../context";
import { EXIT, Failure, UsageError } from "../../foundation/errors";
import { checkChoice, isSelection, type RuntimeSelection } from "../fleet/choose";
import { jobsOf } from "../fleet/jobs";
import { VERBS, type FleetVerb } from "../fleet/verbs";
import { inWaves, parseWaves } from "../../engine/workers/waves";
import { failureText, headline, remainingText } from "./text/result";
import type { RuntimeChange } from "../../engine/stack/change";
import { confirm, confirmNumber } from "../terminal/ask";
import { count, seconds } from "../../foundation/text/numbers";
import type { ManyOptions } from "./options";
import { runtimeTarget } from "./target/choose";
import type { RunResult } from "./target/target";
import { defaultPlatform } from "./upOptions";

/** Number of ids in a question for confirmation. */
const SHOWN = 20;

interface Announced {
  readonly verb: FleetVerb;
  readonly waves: readonly (readonly string[])[];
  readonly maxFailures?: number;
}

/** Announces an operation: `deploy 3 runtimes: a, b, c`. */
export function announcement({ verb, waves, maxFailures }: Announced): string {
  const ids = waves.flat();
  const sizes = waves.length > 1 ? ` in ${waves.length} waves of ${waves.map(({ length }) => length).join(", ")}` : "";
  const limit =
    maxFailures === undefined ? "" : maxFailures === 0 ? ", until one fails" : `, until more than ${maxFailures} fail`;
  const shown = ids.slice(0, SHOWN).join(", ");
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more (--dry-run shows all)` : "";
  return `${verb.doing} ${count(ids.length, "runtime")}${sizes}${limit}: ${shown}${more}`;
}

/** Describes everything that would happen, for `--dry-run`. */
export function dryRunText({ verb, waves }: Announced): string {
  const total = waves.flat().length;
  if (waves.length < 2)
    return [`would ${verb.doing} ${count(total, "runtime")}:`, ...waves.flat().map((id) => `  ${id}`)].join("\n");
  return [
    `would ${verb.doing} ${count(total, "runtime")} in ${waves.length} waves:`,
    ...waves.flatMap((ids, index) => [`wave ${index + 1} (${ids.length})`, ...ids.map((id) => `  ${id}`)]),
  ].join("\n");
}

/** A command on many runtimes; `change` is what `up` changes in each one. */
export interface ManyRequest {
  readonly verb: keyof typeof VERBS;
  readonly choice: RuntimeSelection;
  readonly change: RuntimeChange;
}

/**
 * Runs a command on many runtimes: announces it, asks for confirmation if they were selected by a filter, and lists
 * failures.
 */
export async function runMany(
  context: Context,
  { verb: name, choice, change }: ManyRequest,
  options: ManyOptions,
): Promise<void> {
  const { live } = context;
  const { file, parallel = 1, wave, dryRun, json } = options;
  if (file !== undefined && (isSelection(choice) || choice.ids.length > 0)) {
    throw new UsageError("pass ids, -f FILE, or --all and filters; only one of them");
  }
  if (file === undefined) checkChoice(choice);
  const verb: FleetVerb = VERBS[name];
  const waves = wave === undefined ? undefined : parseWaves(wave);
  const maxFailures = options.maxFailures ?? (waves && 0);
  if (options.key !== undefined || options.revision !== undefined) {
    throw new UsageError("--key and --revision are for one runtime; pass its id");
  }
  const target = await runtimeTarget(context, options);
  const platform = change.platform ?? defaultPlatform();
  const waitSeconds = options.wait === false ? undefined : options.wait;
  const common = { defaultPlatform: platform, waitSeconds, refresh: options.refresh };
  const jobs = await jobsOf({ ...choice, verb, file, change, common, place: target });
  const split = inWaves(jobs, waves);
  const announced = { verb, maxFailures, waves: split.map((group) => group.map(({ request }) => request.id)) };
  if (dryRun === true) {
    context.print(
      json === true ? JSON.stringify({ verb: name, waves: announced.waves }, null, 2) : dryRunText(announced),
    );
    return;
  }
  if (jobs.length === 0) {
    if (json === true) context.print(JSON.stringify({ results: [], notBegun: [], milliseconds: 0 }, null, 2));
    live.line(`nothing to ${verb.doing}: no runtime is selected`);
    return;
  }
  live.line(announcement(announced));
  if (options.yes !== true) await agreed(verb, jobs.length, isSelection(choice));

  const started = performance.now();
  const results: RunResult[] = [];
  const how = {
    parallel,
    maxFailures,
    onBegin: (ids: readonly string[]) => live.status(`  ${context.colours.dim(`${verb.doing}: ${ids.join(", ")}`)}`),
    onWave: (number: number) => split.length > 1 && live.line(`wave ${number} of ${split.length}`),
    onResult: (result: RunResult) => {
      results.push(result);
      report(context, verb, result, `[${results.length}/${jobs.length}]`);
    },
  };
  const { notBegun, tooManyFailed } = await target.runAll(split, how);
  const left = notBegun.map(({ request }) => request.id);
  finish(context, verb, { results, notBegun: left, tooManyFailed }, performance.now() - started, options);
}

/** What became of each runtime of a command. */
interface Outcome {
  readonly results: readonly RunResult[];
  readonly notBegun: readonly string[];
  readonly tooManyFailed: boolean;
}

/** Runtimes that were named by id need a confirmation only before a deletion. */
async function agreed(verb: FleetVerb, number: number, selected: boolean): Promise<void> {
  const runtimes = count(number, "runtime");
  if (verb.name === "destroy") {
    const question = `Destroy ${runtimes} and what their provisioners do not keep?`;
    const agrees = number > 1 ? await confirmNumber(question, number) : await confirm(question);
    if (!agrees) throw new Failure("nothing was destroyed");
  } else if (selected && !(await confirm(`Go on and ${verb.doing} ${runtimes}?`))) {
    throw new Failure("nothing was changed");
  }
}

function report({ live, colours }: Context, verb: FleetVerb, result: RunResult, number: string): void {
  const host = typeof result.outputs.host === "string" ? `  ${result.outputs.host}` : "";
  live.line(
    `${colours.dim(number)} ${result.ok ? headline(result, verb.done, colours) + host : `${result.id} failed`}`,
  );
  for (const note of result.notes) live.line(`  ${note}`);
  if (result.remaining !== undefined) live.line(remainingText(result, colours));
}

function finish(
  { live, colours, ...context }: Context,
  verb: FleetVerb,
  { results, notBegun, tooManyFailed }: Outcome,
  milliseconds: number,
  { json }: ManyOptions,
): void {
  const failures = results.filter((result) => !result.ok);
  const remains = results.some(({ remaining }) => remaining !== undefined);
  if (failures.length > 0 || notBegun.length > 0 || remains) process.exitCode = EXIT.failure;
  if (json) context.print(JSON.stringify({ results, notBegun, milliseconds: Math.round(milliseconds) }, null, 2));
  for (const failure of failures) live.line(failureText(failure, verb.participle, colours));
  if (notBegun.length > 0) live.line(`not begun: ${notBegun.join(", ")}`);
  if (tooManyFailed && notBegun.length > 0)
    live.line("stopped because too many failed; run the same command to continue with the rest");
  const rate = Math.round((results.length / milliseconds) * 60_000);
  const ready = count(results.length - failures.length, "runtime");
  live.line(`${ready} ${verb.result}, ${failures.length} failed, in ${seconds(milliseconds)} (${rate} per minute)`);
}
