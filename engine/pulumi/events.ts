/**
 * Events of the engine as `--event-log` sends them, as far as we read them. Each has exactly one of the fields.
 * Secrets in properties are already masked by the engine.
 */
export interface EngineEvent {
  readonly diagnosticEvent?: Diagnostic;
  readonly resourcePreEvent?: { readonly metadata: Step };
  readonly resOutputsEvent?: { readonly metadata: Step };
  readonly resOpFailedEvent?: { readonly metadata: Step };
  readonly policyEvent?: {
    readonly policyName: string;
    readonly resourceUrn?: string;
    readonly message: string;
    readonly enforcementLevel: string;
  };
  readonly summaryEvent?: { readonly resourceChanges?: Readonly<Record<string, number>> };
}

export interface Diagnostic {
  readonly urn?: string;
  readonly message: string;
  readonly severity: "debug" | "info" | "info#err" | "warning" | "error";
  /** A status line: the next one of the same resource takes its place. */
  readonly ephemeral?: boolean;
}

export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old?: {
    /** False for a component. */
    readonly custom?: boolean;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
  };
  readonly new?: {
    readonly custom?: boolean;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
  };
  /** Paths of the inputs that differ. */
  readonly diffs?: readonly string[];
  readonly detailedDiff?: Readonly<Record<string, { readonly diffKind: string }>>;
}

export const STACK_TYPE = "pulumi:pulumi:Stack";

/** Reads one event; undefined for what is none, which a newer engine may send. */
export function parseEvent(line: string): EngineEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined; // Not JSON: nothing that could be shown either.
  }
}

/** `urn:pulumi:dev::project::type::name` to its last part. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

/** `stackyard:index:ManifestSet` to `ManifestSet`. */
export function kindOf(type: string): string {
  return type.slice(type.lastIndexOf(":") + 1);
}

/** False for the stack itself, providers and components, which only group: what is done is done to their children. */
export function isOfInterest({ type }: Step): boolean {
  return !type.startsWith("pulumi:") && !/:\w+Runtime$/.test(type);
}
