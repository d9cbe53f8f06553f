import { plainMessage } from "../../../engine/pulumi/diagnostics";
import { isOfInterest, kindOf, nameOf, type EngineEvent, type Step } from "../../../engine/pulumi/events";
import { count } from "../../../foundation/text/numbers";

const SIGNS: Readonly<Record<string, string>> = {
  create: "+ create",
  update: "~ change",
  replace: "± replace",
  delete: "- remove",
  import: "= import",
};

/** What a preview would do, collected from the engine's events. */
export class Plan {
  private readonly steps: Step[] = [];
  private readonly notes: string[] = [];

  event({ resourcePreEvent, diagnosticEvent }: EngineEvent): void {
    const says = diagnosticEvent?.severity;
    if ((says === "info" || says === "warning") && diagnosticEvent?.ephemeral !== true) {
      const text = plainMessage(diagnosticEvent?.message ?? "");
      if (text !== "" && !this.notes.includes(text)) this.notes.push(text);
    }
    const step = resourcePreEvent?.metadata;
    // A replacement comes as three steps; the one named `replace` stands for all.
    if (step && SIGNS[step.op] !== undefined && isOfInterest(step)) this.steps.push(step);
  }

  /** One line per resource with the paths that differ, or that there is nothing to do; then what the resources report. */
  text(id: string): string {
    const notes = this.notes.map((note) => `  ${note.replaceAll("\n", "\n  ")}`);
    if (this.steps.length === 0) return [`${id}: nothing to do`, ...notes].join("\n");
    const lines = this.steps.map((step) => {
      const paths = Object.keys(step.detailedDiff ?? {});
      const named = paths.length > 0 ? paths : [...(step.diffs ?? [])];
      const what = step.op !== "create" && named.length > 0 ? `: ${named.join(", ")}` : "";
      return `  ${SIGNS[step.op] ?? ""} ${kindOf(step.type)} ${nameOf(step.urn)}${what}`;
    });
    return [`${id}: ${count(lines.length, "resource")} to change`, ...lines, ...notes].join("\n");
  }
}
