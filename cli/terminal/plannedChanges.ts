import type { PlannedAction, PlannedChange } from "../../engine/update/planned";
import { count } from "../../foundation/text/numbers";

const SIGNS: Readonly<Record<PlannedAction, string>> = {
  create: "+ create",
  update: "~ change",
  replace: "± replace",
  delete: "- remove",
  import: "= import",
};

/** Formats a plan: one line per resource with the paths that differ, then the resources' messages. */
export function planText(id: string, changes: readonly PlannedChange[], notes: readonly string[]): string {
  const shownNotes = notes.map((note) => `  ${note.replaceAll("\n", "\n  ")}`);
  if (changes.length === 0) return [`${id}: nothing to do`, ...shownNotes].join("\n");
  const lines = changes.map(({ action, type, name, properties }) => {
    const isWhole = action === "create" || action === "delete" || properties.length === 0;
    const what = isWhole ? "" : `: ${properties.map(({ path }) => path).join(", ")}`;
    return `  ${SIGNS[action]} ${type} ${name}${what}`;
  });
  return [`${id}: ${count(lines.length, "resource")} to change`, ...lines, ...shownNotes].join("\n");
}
