import type { Context } from "../context";
import { affectedBy, type Affected } from "./affected/affected";
import { deletedStacks } from "./affected/deleted";
import { importsOf } from "./affected/imports";
import { PROGRAMS } from "./affected/parts";
import { provisionedBy } from "./affected/provisioned";
import { changedSince } from "../project/git";
import { describedBefore, describedStacks } from "../project/stacks";
import { table } from "../terminal/table";
import type { AffectedOptions } from "./options";

const SHOWN = 3;

export async function affected(context: Context, { since, json }: AffectedOptions): Promise<void> {
  const { root } = context;
  const [{ base, files }, stacks, imports] = await Promise.all([
    changedSince(root, since),
    describedStacks(root),
    importsOf(
      root,
      PROGRAMS.map(({ entry }) => entry),
    ),
  ]);
  const before = await describedBefore(
    root,
    base,
    stacks.filter(({ file }) => files.includes(file)),
  );
  const direct = affectedBy(files, stacks, imports);
  const found = [...merged(direct, provisionedBy(files, stacks, before)), ...deletedStacks(files, stacks)];
  if (json) {
    const list = found.map(({ stack, files: by }) => ({
      stack: stack.id,
      project: stack.project,
      name: stack.name,
      by,
      ...(stack.isDeleted && { deleted: true }),
    }));
    return context.print(JSON.stringify(list));
  }
  if (found.length === 0) {
    return context.print(`no stack is affected by the ${files.length} files changed since ${since}`);
  }
  const rows = found.map(({ stack, files: by }) => {
    const more = by.length > SHOWN ? ` and ${by.length - SHOWN} more` : "";
    const deleted = stack.isDeleted ? " (deleted; the stack itself stays until pulumi destroy)" : "";
    return [stack.id, by.slice(0, SHOWN).join(", ") + more + deleted];
  });
  context.print(table([{ title: "STACK" }, { title: "AFFECTED BY" }], rows));
}

/** Merges both lists to one entry per stack, in the order of the first list. */
function merged(direct: readonly Affected[], more: readonly Affected[]): Affected[] {
  const all = new Map(direct.map((each) => [each.stack.id, each]));
  for (const { stack, files } of more) {
    all.set(stack.id, { stack, files: [...new Set([...(all.get(stack.id)?.files ?? []), ...files])] });
  }
  return [...all.values()];
}
