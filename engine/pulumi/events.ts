import { jsonIn } from "../../foundation/json/isObject";

/**
 * Events of the engine from `--event-log`, with the fields that we read. Each event has exactly one of the fields. The
 * engine has already masked secrets in properties.
 */
export interface EngineEvent {
  readonly diagnosticEvent?: Diagnostic;
  readonly resourcePreEvent?: { readonly metadata: EngineStep };
  readonly resOutputsEvent?: { readonly metadata: EngineStep };
  readonly resOpFailedEvent?: { readonly metadata: EngineStep };
  readonly policyEvent?: {
    readonly policyName: string;
    readonly resourceUrn?: string;
    readonly message: string;
    readonly enforcementLevel: string;
  };
  readonly summaryEvent?: { readonly resourceChanges?: Readonly<Record<string, number>> | null };
}

export interface Diagnostic {
  readonly urn?: string;
  readonly message: string;
  readonly severity: "debug" | "info" | "info#err" | "warning" | "error";
  /** A status line, replaced by the resource's next one. */
  readonly ephemeral?: boolean;
}

/** The engine writes `null` for what a step does not have: a deletion has no `new` and no differences. */
export interface EngineStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old?: StepState | null;
  readonly new?: StepState | null;
  /** Paths of the inputs that differ. */
  readonly diffs?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, { readonly diffKind: string }>> | null;
}

interface StepState {
  /** False for a component. */
  readonly custom?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>> | null;
  readonly outputs?: Readonly<Record<string, unknown>> | null;
}

export const STACK_TYPE = "pulumi:pulumi:Stack";

/** Parses an event; undefined for unknown lines, which a newer engine may send. */
export function parseEvent(line: string): EngineEvent | undefined {
  const parsed = jsonIn(line);
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}

/** Returns the last part of a URN: `urn:pulumi:dev::project::type::name` gives `name`. */
export function nameOfUrn(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** Returns the last part of a type: `stackyard:index:ManifestSet` gives `ManifestSet`. */
export function kindOfType(type: string): string {
  return type.slice(type.lastIndexOf(":") + 1);
}

/** False for the stack, providers and components, which only group resources. */
export function isReported({ type }: EngineStep): boolean {
  return !type.startsWith("pulumi:") && !/:\w+Runtime$/.test(type);
}
