import type { Context } from "../context";
import { EXIT, Failure, UsageError } from "../../foundation/errors";
import { guard } from "../../engine/process/interrupt";
import type { EngineEvent } from "../../engine/pulumi/events";
import type { RuntimeChange } from "../../engine/stack/change";
import { deploymentId, RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/state/store";
import { updateRuntime } from "../../engine/runtime/up";
import type { Existing } from "../../engine/runtime/request/prepare";
import { provisionerOf } from "../../engine/runtime/list";
import { narrate } from "../../engine/pulumi/narrator";
import type { RuntimeOptions } from "../../engine/runtime/operate";
import { isSelection, type RuntimeSelection } from "../fleet/choose";
import { isFilter, type Filter } from "../fleet/select";
import { checkFlags } from "../fleet/requests";
import type { Result } from "../../engine/runtime/result";
import { failureText, headline, outputLines, remainingText } from "./text/result";
import { confirm } from "../terminal/ask";
import type { CommonOptions, ManyOptions } from "./options";
import { filterOf } from "./filter";
import { changeOf, defaultPlatform, type UpOptions } from "./upOptions";

/** Options of operations on one runtime, with progress on standard error. */
export function runtimeOptions(context: Context, options: CommonOptions & Pick<UpOptions, "disk">): RuntimeOptions {
  const { live, colours } = context;
  return {
    root: context.root,
    folder: context.runtimeFolder,
    defaultPlatform: defaultPlatform(),
    waitSeconds: options.wait,
    refresh: options.refresh,
    fromFile: options.fromFile,
    disk: options.disk,
    onEvent: (event) => {
      for (const { kind, text } of narrate(event)) {
        if (kind === "status") live.status(`  ${colours.dim(text)}`);
        else live.line(kind === "warning" ? `${colours.warn("warning:")} ${text}` : `  ${text}`);
      }
    },
    onNote: (text) => live.line(`  ${text}`),
  };
}

/** Prints the result of an operation on one runtime, and sets the exit code. */
export function report(context: Context, result: Result, done: string, verb: string, json: boolean | undefined): void {
  context.live.end();
  const remains = result.ok && result.remaining !== undefined;
  if (!result.ok || remains) process.exitCode = EXIT.failure;
  if (json) {
    context.print(JSON.stringify(result, null, 2));
  } else if (remains) {
    context.live.line(remainingText(result, context.colours));
  } else if (result.ok) {
    context.live.line(headline(result, done, context.colours));
    const lines = outputLines(result.outputs);
    if (lines.length > 0) context.print(lines.join("\n"));
  } else {
    context.live.line(failureText(result, verb, context.colours));
  }
}

/** Options for a single runtime; with -f they belong in the file. */
const SINGLE = [
  "slots",
  "version",
  "environment",
  "diskGb",
  "annotation",
  "provisioner",
  "clickhouse",
  "disk",
  "move",
] as const;

export async function deployRuntimes(
  context: Context,
  ids: readonly string[],
  options: UpOptions & ManyOptions,
): Promise<void> {
  const choice = { ids, all: options.all, filter: upFilter(options) };
  const [id] = ids;
  if (id !== undefined && isSingle(choice, options)) {
    return update(context, deploymentId(id), await changeFor(context, id, options), "may-be-new", "is ready", options);
  }
  const { file } = options;
  const wrong = file === undefined ? undefined : SINGLE.find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw new UsageError(`${wrong} cannot be combined with -f; put it into ${file}`);
  if (options.move === true) throw new UsageError("--move is for one runtime; pass its id");
  const change = changeOf(isSelection(choice) ? { ...options, ...NO_PLACE } : options, undefined);
  checkFlags(change);
  const { runMany } = await import("./many.js");
  await runMany(context, { verb: "up", choice, change }, options);
}

const NO_PLACE = { provisioner: undefined, platform: undefined, environment: undefined };

/** For `up`, location options set the location. They filter only together with an option that can't set anything. */
function upFilter({ all, ...options }: UpOptions & ManyOptions): Filter {
  const filter = filterOf(options);
  const { state, outdated, failed } = filter;
  return all === true || isFilter({ state, outdated, failed }) ? filter : {};
}

/** A single runtime named by id shows its progress; otherwise the command uses the workers for many. */
export const isSingle = (choice: RuntimeSelection, { file, dryRun, wave }: ManyOptions): boolean =>
  choice.ids.length === 1 && !isSelection(choice) && file === undefined && dryRun !== true && wave === undefined;

export async function setState(
  context: Context,
  ids: readonly string[],
  state: "running" | "hibernated",
  options: ManyOptions,
): Promise<void> {
  const choice = { ids, all: options.all, filter: filterOf(options) };
  const [id] = ids;
  const change = { deployment: { state } };
  if (id !== undefined && isSingle(choice, options)) {
    const [done, command] = state === "running" ? ["is awake", "runtime wake"] : ["is hibernated", "runtime hibernate"];
    return update(context, deploymentId(id), change, "must-exist", done, { ...options, command });
  }
  const { runMany } = await import("./many.js");
  await runMany(context, { verb: state === "running" ? "wake" : "hibernate", choice, change }, options);
}

/** Protects a runtime, or removes the protection. The state records it, so it holds for every checkout and the service. */
export function protect(context: Context, id: string, isProtected: boolean, options: CommonOptions): Promise<void> {
  const [done, command] = isProtected
    ? ["is protected", "runtime protect"]
    : ["is not protected any more", "runtime unprotect"];
  const change = { deployment: { protected: isProtected } };
  return update(context, deploymentId(id), change, "must-exist", done, { ...options, command });
}

export async function preview(context: Context, id: string, options: UpOptions & CommonOptions): Promise<void> {
  const { previewUp } = await import("../../engine/runtime/preview.js");
  const { Planned } = await import("../../engine/update/planned.js");
  const { planText } = await import("./text/plannedChanges.js");
  const planned = new Planned();
  const change = await changeFor(context, deploymentId(id), options);
  const running = { ...runtimeOptions(context, options), onEvent: (event: EngineEvent) => planned.event(event) };
  const result = await guard(() => previewUp(id, change, running));
  if (options.json || !result.ok) return report(context, result, "", "previewed", options.json);
  context.live.end();
  const { steps, notes } = planned;
  context.print(planText(id, { steps, notes: [...result.notes, ...notes] }));
}

async function update(
  context: Context,
  id: string,
  change: RuntimeChange,
  existing: Existing,
  done: string,
  options: CommonOptions & Pick<UpOptions, "disk"> & { readonly command?: string },
): Promise<void> {
  const { command } = options;
  const onDifferences = (file: string, differences: readonly string[]) =>
    applyDifferences(context, id, file, differences);
  const all = { ...runtimeOptions(context, options), command, onDifferences };
  const result = await guard(() => updateRuntime(id, change, all, existing));
  report(context, result, result.outputs.state === "hibernated" ? "is hibernated" : done, "deployed", options.json);
}

/** Asks whether to apply a stack file that differs from the state; `--yes` does not answer this. */
async function applyDifferences(
  { live }: Context,
  id: string,
  file: string,
  differences: readonly string[],
): Promise<boolean> {
  const lines = differences.map((line) => `  ${line}`).join("\n");
  if (!process.stdin.isTTY) {
    throw new Failure(
      `${file} differs from what ${id} was last updated with:\n${lines}\n` +
        `Apply the file with: stackyard runtime up ${id} --from-file; or name what is to change, such as --version TAG, and the rest stays as the state has it`,
    );
  }
  live.line(`${file} differs from what ${id} was last updated with:\n${lines}`);
  return confirm("Apply the file? Otherwise the state is used.");
}

/** Builds the change of a command line. Only `--move` without a provisioner needs the current one. */
async function changeFor(context: Context, id: string, options: UpOptions): Promise<RuntimeChange> {
  const moves = options.move === true && options.provisioner === undefined;
  const state = moves ? await withStore(context.runtimeFolder, (store) => store.find(RUNTIME_PROJECT, id)) : undefined;
  const change = changeOf(options, state && provisionerOf(state));
  checkFlags(change);
  return change;
}
