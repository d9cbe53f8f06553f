import type { Context } from "../context";
import { EXIT, UsageError } from "../errors";
import { guard } from "../interrupt";
import type { EngineEvent } from "../engine/events";
import type { RuntimeChange } from "../stack/change";
import { deploymentId, RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";
import { bringUp, type Existing } from "../runtime/bring";
import { provisionerOf } from "../runtime/list";
import { narrate } from "../runtime/narrator";
import type { RuntimeOptions } from "../runtime/operate";
import { checkFlags } from "../runtime/requests";
import { failureText, headline, outputLines, type Result } from "../runtime/result";
import type { CommonOptions, ManyOptions } from "./runtime";
import { changeOf, defaultPlatform, type UpOptions } from "./runtimeOptions";

/** What operations on one runtime need, with progress told on standard error. */
export function runtimeOptions(context: Context, options: CommonOptions): RuntimeOptions {
  const { live, colours } = context;
  return {
    root: context.root,
    folder: context.runtimeFolder,
    defaultPlatform: defaultPlatform(),
    waitSeconds: options.wait,
    refresh: options.refresh,
    onEvent: (event) => {
      for (const { kind, text } of narrate(event)) {
        if (kind === "status") live.status(`  ${colours.dim(text)}`);
        else live.line(kind === "warning" ? `${colours.warn("warning:")} ${text}` : `  ${text}`);
      }
    },
    onNote: (text) => live.line(`  ${text}`),
  };
}

/** Prints how an operation on one runtime ended, and sets the exit code. */
export function tell(context: Context, result: Result, done: string, verb: string, json: boolean | undefined): void {
  context.live.end();
  if (!result.ok) process.exitCode = EXIT.failure;
  if (json) {
    context.print(JSON.stringify(result, null, 2));
  } else if (result.ok) {
    context.live.line(headline(result, done, context.colours));
    const lines = outputLines(result.outputs);
    if (lines.length > 0) context.print(lines.join("\n"));
  } else {
    context.live.line(failureText(result, verb, context.colours));
  }
}

export async function up(context: Context, id: string | undefined, options: UpOptions & ManyOptions): Promise<void> {
  if (options.file !== undefined) {
    if (id !== undefined) throw new UsageError("give either an id or -f FILE, not both");
    const { upMany } = await import("./runtimeMany.js");
    return upMany(context, options.file, options);
  }
  if (id === undefined) throw new UsageError("an id is missing; or give many in a file with -f FILE");
  await bring(context, deploymentId(id), await changeFor(context, id, options), "may-be-new", "is ready", options);
}

export async function setState(
  context: Context,
  id: string,
  state: "running" | "hibernated",
  options: CommonOptions,
): Promise<void> {
  const done = state === "running" ? "is awake" : "is hibernated";
  await bring(context, deploymentId(id), { deployment: { state } }, "must-exist", done, options);
}

export async function preview(context: Context, id: string, options: UpOptions & CommonOptions): Promise<void> {
  const { previewUp } = await import("../runtime/preview.js");
  const { Plan } = await import("../runtime/plan.js");
  const plan = new Plan();
  const change = await changeFor(context, deploymentId(id), options);
  const running = { ...runtimeOptions(context, options), onEvent: (event: EngineEvent) => plan.event(event) };
  const result = await guard(() => previewUp(id, change, running));
  if (options.json || !result.ok) return tell(context, result, "", "previewed", options.json);
  context.live.end();
  context.print(plan.text(id));
}

async function bring(
  context: Context,
  id: string,
  change: RuntimeChange,
  existing: Existing,
  done: string,
  options: CommonOptions,
): Promise<void> {
  const result = await guard(() => bringUp(id, change, runtimeOptions(context, options), existing));
  tell(context, result, done, "brought up", options.json);
}

/** The change that a command line asks for; only `--move` without a provisioner needs to know the present one. */
async function changeFor(context: Context, id: string, options: UpOptions): Promise<RuntimeChange> {
  const moves = options.move === true && options.provisioner === undefined;
  const state = moves ? await withStore(context.runtimeFolder, (store) => store.find(RUNTIME_PROJECT, id)) : undefined;
  const change = changeOf(options, state && provisionerOf(state));
  checkFlags(change);
  return change;
}
