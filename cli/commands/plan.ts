import type { Context } from "../context";
import { changedSince } from "../delivery/git";
import { describedStacks } from "../delivery/stacks";
import { touchedBy } from "../delivery/touched";
import { table } from "../terminal/table";
import type { PlanOptions } from "./delivery";

const SHOWN = 3;

export async function plan(context: Context, { since, json }: PlanOptions): Promise<void> {
  const [files, stacks] = await Promise.all([changedSince(context.root, since), describedStacks(context.root)]);
  const touched = touchedBy(files, stacks);
  if (json) {
    const list = touched.map(({ stack, files: by }) => ({
      stack: stack.id,
      project: stack.project,
      name: stack.name,
      by,
    }));
    return context.print(JSON.stringify(list));
  }
  if (touched.length === 0)
    return context.print(`no stack is touched by the ${files.length} files changed since ${since}`);
  const rows = touched.map(({ stack, files: by }) => {
    const more = by.length > SHOWN ? ` and ${by.length - SHOWN} more` : "";
    return [stack.id, by.slice(0, SHOWN).join(", ") + more];
  });
  context.print(table([{ title: "STACK" }, { title: "TOUCHED BY" }], rows));
}
