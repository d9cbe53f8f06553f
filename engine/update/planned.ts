import { valueAt } from "../../foundation/schema/describe";
import { plainMessage } from "../pulumi/diagnostics";
import { isReported, kindOfType, nameOfUrn, type EngineEvent, type EngineStep } from "../pulumi/events";

export type PlannedAction = "create" | "update" | "replace" | "delete" | "import";

/** A property that a plan would set, change or remove. A secret is `[secret]`. */
export interface PlannedProperty {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The planned change of one resource. */
export interface PlannedChange {
  readonly action: PlannedAction;
  /** Short type, such as ManifestSet. */
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly properties: readonly PlannedProperty[];
}

/** A replacement consists of three steps; only `replace` is counted. */
const ACTIONS: ReadonlySet<string> = new Set<PlannedAction>(["create", "update", "replace", "delete", "import"]);

/** Collects the steps and messages of a preview from the engine's events. */
export class Planned {
  readonly steps: (EngineStep & { readonly op: PlannedAction })[] = [];
  readonly notes: string[] = [];

  event({ resourcePreEvent, diagnosticEvent }: EngineEvent): void {
    const says = diagnosticEvent?.severity;
    if ((says === "info" || says === "warning") && diagnosticEvent?.ephemeral !== true) {
      const text = plainMessage(diagnosticEvent?.message ?? "");
      if (text !== "" && !this.notes.includes(text)) this.notes.push(text);
    }
    const step = resourcePreEvent?.metadata;
    if (step && isPlanned(step) && isReported(step)) this.steps.push(step);
  }

  /** The planned changes, with values. */
  get changes(): PlannedChange[] {
    return this.steps.map(changeOf);
  }
}

const isPlanned = (step: EngineStep): step is EngineStep & { readonly op: PlannedAction } => ACTIONS.has(step.op);

/** Paths of the inputs that differ, as detailed as the provider reports them. */
export function differingPaths({ detailedDiff, diffs }: EngineStep): readonly string[] {
  const paths = Object.keys(detailedDiff ?? {});
  return paths.length > 0 ? paths : (diffs ?? []);
}

function changeOf(step: EngineStep & { readonly op: PlannedAction }): PlannedChange {
  const before = step.op === "create" ? {} : (step.old?.inputs ?? {});
  const after = step.op === "delete" ? {} : (step.new?.inputs ?? {});
  const properties = pathsOf(step, before, after).map((path): PlannedProperty => {
    const [was, is] = [before, after].map((root) => valueAt(root, stepsOf(path)));
    return { path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
  });
  return {
    action: step.op,
    type: kindOfType(step.type),
    name: nameOfUrn(step.urn),
    urn: step.urn,
    properties,
  };
}

/** Returns the changed paths for an update or replacement; all paths for a created, deleted or imported resource. */
function pathsOf(step: EngineStep, before: object, after: object): readonly string[] {
  if (step.op !== "update" && step.op !== "replace")
    return [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return differingPaths(step);
}

/** Splits a path such as `objects[0].metadata.labels["app.kubernetes.io/name"]` into keys and indexes. */
export function stepsOf(path: string): (string | number)[] {
  const parts = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...parts].map(([, quoted, index, key]) =>
    quoted === undefined ? (index === undefined ? (key ?? "") : Number(index)) : quoted.replace(/\\(.)/g, "$1"),
  );
}
