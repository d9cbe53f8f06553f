import { plainMessage } from "../pulumi/diagnostics";
import { isOfInterest, kindOf, nameOf, type EngineEvent, type Step } from "../pulumi/events";
import { valueAt } from "./propertyPath";

export type PlannedAction = "create" | "update" | "replace" | "delete" | "import";

/** One property that a plan would set, change or remove. A secret is `[secret]`. */
export interface PlannedProperty {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What a preview would do with one resource. */
export interface PlannedChange {
  readonly action: PlannedAction;
  /** Such as ManifestSet. */
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly properties: readonly PlannedProperty[];
}

/** A replacement comes as three steps; the one named `replace` stands for all. */
const ACTIONS: ReadonlySet<string> = new Set<PlannedAction>(["create", "update", "replace", "delete", "import"]);

/** Collects from the events of a preview what it would do, with values. */
export class Planned {
  readonly changes: PlannedChange[] = [];
  readonly notes: string[] = [];

  event({ resourcePreEvent, diagnosticEvent }: EngineEvent): void {
    const says = diagnosticEvent?.severity;
    if ((says === "info" || says === "warning") && diagnosticEvent?.ephemeral !== true) {
      const text = plainMessage(diagnosticEvent?.message ?? "");
      if (text !== "" && !this.notes.includes(text)) this.notes.push(text);
    }
    const step = resourcePreEvent?.metadata;
    if (step && ACTIONS.has(step.op) && isOfInterest(step)) this.changes.push(changeOf(step));
  }
}

function changeOf(step: Step): PlannedChange {
  const before = step.op === "create" ? {} : (step.old?.inputs ?? {});
  const after = step.op === "delete" ? {} : (step.new?.inputs ?? {});
  const properties = pathsOf(step, before, after).map((path): PlannedProperty => {
    const [was, is] = [valueAt(before, path), valueAt(after, path)];
    return { path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
  });
  return {
    action: step.op as PlannedAction,
    type: kindOf(step.type),
    name: nameOf(step.urn),
    urn: step.urn,
    properties,
  };
}

/** What differs, as exactly as the provider says; all there is of what is created or deleted. */
function pathsOf(step: Step, before: object, after: object): readonly string[] {
  if (step.op !== "update" && step.op !== "replace")
    return [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const paths = Object.keys(step.detailedDiff ?? {});
  return paths.length > 0 ? paths : (step.diffs ?? []);
}
