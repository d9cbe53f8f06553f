import type { Context } from "../context";
import { Failure, UsageError } from "../../foundation/errors";
import { CONFIRMED_UNPROTECT } from "../../components/runtime/protection";
import { confirm } from "../terminal/ask";
import type { RuntimeChange } from "../../engine/stack/change";
import { deploymentId } from "../../engine/stack/names";
import type { RuntimeJob } from "../../engine/workers/rollout";
import { planText } from "../terminal/plannedChanges";
import { isSelection, type RuntimeSelection } from "../fleet/choose";
import { isFilter, type Filter } from "../fleet/select";
import { checkFlags } from "../fleet/requests";
import { report } from "./text/report";
import { runtimeTarget } from "./target/choose";
import type { Target } from "./target/target";
import { changeOf, defaultPlatform, type UpOptions } from "./upOptions";
import { type CommonOptions, filterOf, type LimitOptions, type ManyOptions } from "./options";

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
  options: UpOptions & ManyOptions & LimitOptions,
): Promise<void> {
  const choice = { ids, all: options.all, filter: upFilter(options) };
  const [id] = ids;
  if (id !== undefined && isSingle(choice, options)) {
    const target = await runtimeTarget(context, options);
    const change = await changeFor(target, deploymentId(id), options);
    return update(context, target, { request: { id, change } }, READY, options);
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

const READY = "is ready";

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
    const job = { request: { id: deploymentId(id), change }, existing: "must-exist", command } as const;
    return update(context, await runtimeTarget(context, options), job, done, options);
  }
  const { runMany } = await import("./many.js");
  await runMany(context, { verb: state === "running" ? "wake" : "hibernate", choice, change }, options);
}

/** Protects a runtime, or removes the protection. The state records it, so it holds for every checkout and the service. */
export async function protect(
  context: Context,
  id: string,
  isProtected: boolean,
  options: CommonOptions & { readonly yes?: boolean },
): Promise<void> {
  const target = await runtimeTarget(context, options);
  const request = { id: deploymentId(id), change: { deployment: { protected: isProtected } } };
  const job = { request, existing: "must-exist", defaultPlatform: defaultPlatform() } as const;
  const run = (command: string) => target.run({ ...job, command });
  if (isProtected) return report(context, await run("runtime protect"), "is protected", "deployed", options.json);
  let result = await run(options.yes === true ? CONFIRMED_UNPROTECT : "runtime unprotect");
  if (result.kind === "protected") {
    context.live.end();
    if (!(await confirm(`${result.errors.join("\n")}\nRemove it?`))) throw new Failure(`${id} was left as it is`);
    result = await run(CONFIRMED_UNPROTECT);
  }
  report(context, result, "is not protected any more", "deployed", options.json);
}

export async function preview(
  context: Context,
  id: string,
  options: UpOptions & CommonOptions & LimitOptions,
): Promise<void> {
  const target = await runtimeTarget(context, options);
  const result = await target.preview({ id, change: await changeFor(target, deploymentId(id), options) });
  if (options.json || !result.ok) return report(context, result, "", "previewed", options.json);
  context.live.end();
  context.print(planText(id, result.plan, result.notes));
}

async function update(
  context: Context,
  target: Target,
  job: Omit<RuntimeJob, "defaultPlatform">,
  done: string,
  { json }: CommonOptions,
): Promise<void> {
  const result = await target.run({ ...job, defaultPlatform: defaultPlatform() });
  const isAsleep = done === READY && result.outputs.state === "hibernated";
  report(context, result, isAsleep ? "is hibernated" : done, "deployed", json);
}

/** Builds the change of a command line. Only `--move` without a provisioner needs the current one. */
async function changeFor(target: Target, id: string, options: UpOptions): Promise<RuntimeChange> {
  const moves = options.move === true && options.provisioner === undefined;
  const [present] = moves ? await target.list([id]) : [];
  const change = changeOf(options, present?.provisioner);
  checkFlags(change);
  return change;
}
