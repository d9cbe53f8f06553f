import type { Context } from "../context";
import { Failure } from "../../foundation/errors";
import { readFleet } from "../fleet/read";
import { headLines } from "../fleet/text/head";
import { isSet } from "../../engine/state/cluster";
import { conditionLines, readConditions } from "../fleet/text/condition";
import { consistsOf } from "../../engine/runtime/consists";
import { outputLines } from "./text/result";
import { deploymentId } from "../../engine/stack/names";
import { structured, type OutputOptions } from "../options/output";

/** Prints a runtime's request, outputs, resources, and the current state of its objects. */
export async function status(context: Context, id: string, options: OutputOptions): Promise<void> {
  const [found] = await readFleet(context.runtimeFolder, [deploymentId(id)]);
  if (!found) throw new Failure(`there is no runtime ${id}; "stackyard runtime list" shows those there are`);
  const { stack, summary } = found;
  const parts = consistsOf(stack.resources);
  const conditions = stack.resources.some(isSet) ? await readConditions(id, context.runtimeFolder) : [];
  const printed = structured({ ...summary, outputs: stack.outputs, consistsOf: parts, conditions }, options);
  if (printed !== undefined) {
    context.print(printed);
    return;
  }
  const objects = conditions.flatMap((condition) => conditionLines(condition, id, context.colours));
  const list = objects.length > 0 ? objects : parts.map((part) => `  ${part}`);
  const heading = list.length > 0 ? ["consists of"] : [];
  context.print([...headLines(summary, new Date()), ...outputLines(stack.outputs), ...heading, ...list].join("\n"));
}
