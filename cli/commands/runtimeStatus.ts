import type { Context } from "../context";
import { Failure } from "../errors";
import { consistsOf } from "../runtime/consists";
import { isSet } from "../kubernetes";
import { conditionLines, conditionsOf } from "../runtime/condition";
import { listed } from "../runtime/list";
import { outputLines } from "../runtime/result";
import { deploymentId, RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";
import type { CommonOptions } from "./runtime";

/** Outputs of a runtime, what it consists of, and how its objects are now. */
export async function status(context: Context, id: string, options: CommonOptions): Promise<void> {
  const state = await withStore(context.runtimeFolder, (store) => store.find(RUNTIME_PROJECT, deploymentId(id)));
  if (!state) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const summary = listed(state);
  const parts = consistsOf(state.resources);
  const conditions = state.resources.some(isSet) ? await conditionsOf(id, context.runtimeFolder) : [];
  if (options.json) {
    context.print(JSON.stringify({ ...summary, outputs: state.outputs, consistsOf: parts, conditions }, null, 2));
    return;
  }
  const objects = conditions.flatMap((condition) => conditionLines(condition, id, context.colours));
  const list = objects.length > 0 ? objects : parts.map((part) => `  ${part}`);
  const heading = list.length > 0 ? ["consists of"] : [];
  context.print([`${id} is ${summary.state}`, ...outputLines(state.outputs), ...heading, ...list].join("\n"));
}
