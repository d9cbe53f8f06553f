import { kindOfType, nameOfUrn } from "../../../engine/pulumi/events";
import { differingPaths, type Planned, type PlannedAction } from "../../../engine/update/planned";
import { count } from "../../../foundation/text/numbers";

const SIGNS: Readonly<Record<PlannedAction, string>> = {
  create: "+ create",
  update: "~ change",
  replace: "± replace",
  delete: "- remove",
  import: "= import",
};

/** Formats a preview: one line per resource with the paths that differ, then the resources' messages. */
export function planText(id: string, { steps, notes }: Pick<Planned, "steps" | "notes">): string {
  const shownNotes = notes.map((note) => `  ${note.replaceAll("\n", "\n  ")}`);
  if (steps.length === 0) return [`${id}: nothing to do`, ...shownNotes].join("\n");
  const lines = steps.map((step) => {
    const paths = step.op === "create" ? [] : differingPaths(step);
    const what = paths.length > 0 ? `: ${paths.join(", ")}` : "";
    return `  ${SIGNS[step.op]} ${kindOfType(step.type)} ${nameOfUrn(step.urn)}${what}`;
  });
  return [`${id}: ${count(lines.length, "resource")} to change`, ...lines, ...shownNotes].join("\n");
}
