import type { Context } from "../context";
import { Failure } from "../errors";
import { consistsOf } from "../runtime/consists";
import { listed } from "../runtime/list";
import { outputLines } from "../runtime/result";
import { deploymentId, RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";
import type { CommonOptions } from "./runtime";

/** Outputs of a runtime and what it consists of. */
export async function status(context: Context, id: string, options: CommonOptions): Promise<void> {
  const state = await withStore(context.runtimeFolder, (store) => store.find(RUNTIME_PROJECT, deploymentId(id)));
  if (!state) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const summary = listed(state);
  const parts = consistsOf(state.resources);
  if (options.json) {
    context.print(JSON.stringify({ ...summary, outputs: state.outputs, consistsOf: parts }, null, 2));
    return;
  }
  const list = parts.length > 0 ? ["consists of", ...parts.map((part) => `  ${part}`)] : [];
  context.print([`${id} is ${summary.state}`, ...outputLines(state.outputs), ...list].join("\n"));
}
