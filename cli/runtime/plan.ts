import { isOfInterest, kindOf, nameOf, type EngineEvent, type Step } from "../engine/events";
import { count } from "../terminal/numbers";

const SIGNS: Readonly<Record<string, string>> = {
  create: "+ make",
  update: "~ change",
  replace: "± replace",
  delete: "- remove",
  import: "= import",
};

/** What a preview would do, collected from the engine's events. */
export class Plan {
  private readonly steps: Step[] = [];

  event({ resourcePreEvent }: EngineEvent): void {
    const step = resourcePreEvent?.metadata;
    // A replacement comes as three steps; the one named `replace` stands for all.
    if (step && SIGNS[step.op] !== undefined && isOfInterest(step)) this.steps.push(step);
  }

  /** One line per resource with the paths that differ, or that there is nothing to do. */
  text(id: string): string {
    if (this.steps.length === 0) return `${id}: nothing to do`;
    const lines = this.steps.map((step) => {
      const paths = Object.keys(step.detailedDiff ?? {});
      const named = paths.length > 0 ? paths : [...(step.diffs ?? [])];
      const what = step.op !== "create" && named.length > 0 ? `: ${named.join(", ")}` : "";
      return `  ${SIGNS[step.op] ?? ""} ${kindOf(step.type)} ${nameOf(step.urn)}${what}`;
    });
    return [`${id}: ${count(lines.length, "resource")} to change`, ...lines].join("\n");
  }
}
