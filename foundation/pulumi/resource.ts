/**
 * What a resource of the `stackyard` provider is: the six verbs of a Pulumi custom resource, over plain JSON.
 * Secrets arrive unwrapped; the engine marks outputs secret again where the input of the same name was.
 */

/** A JSON object as the engine sends it. During preview a value may be {@link UNKNOWN}. */
export type Properties = Record<string, unknown>;

/** Stands for a value that only an update will know. Anything may be unknown during preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether `value` is, or contains anywhere, a value that is not known yet. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

/** What a verb may use besides its arguments. */
export interface Context {
  /** URN of the resource at work; empty in `check` of a resource without one. */
  readonly urn: string;
  /** True during `pulumi preview`: change nothing, but say now what would fail. The engine reports it to create and update only. */
  readonly preview: boolean;
  /** Aborted when the engine cancels (Ctrl-C, or the end of the update). */
  readonly signal: AbortSignal;
  /** The user's `customTimeouts` for this verb in seconds; undefined when none was set. */
  readonly timeoutSeconds: number | undefined;
  /** Prints a line beside the resource. `status` replaces the line before it: use it for progress. */
  log(severity: "info" | "warning" | "error" | "status", message: string): void;
}

/** One fault of an input, reported before anything is created. `property` is a path such as `hosts[2].slots`. */
export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** How one property differs; the key of {@link Difference.changes} is its path. */
export type ChangeKind = "add" | "delete" | "update" | "add-replace" | "delete-replace" | "update-replace";

export interface Difference {
  /** Path to kind, empty when nothing changes. A `*-replace` kind makes the engine replace the resource. */
  readonly changes: Readonly<Record<string, ChangeKind>>;
  /** On replacement, delete the old one first. Default: false. */
  readonly deleteBeforeReplace?: boolean;
}

/** What checked inputs may be made from besides the program's. */
export interface Origin {
  /** The inputs of before; empty for a resource that is new, or about to replace one. */
  readonly old: Properties;
  /** Random, for what a new resource must be distinguished by: it is kept before the resource is created. */
  readonly seed: string;
}

/** Whether the engine will replace the resource. */
export const isReplacement = ({ changes }: Difference): boolean =>
  Object.values(changes).some((kind) => kind.endsWith("-replace"));

/** A resource type. `I` is its checked input, `S` its state (outputs). */
export interface ResourceHandler<I extends object, S extends object> {
  /**
   * Top-level properties that are secret wherever they come from. The engine knows what the program marked secret;
   * this is for what it can't know, such as the inputs of an imported resource.
   */
  readonly secretProperties?: readonly string[];
  /** Validates and fills defaults. Unknowns must be accepted. */
  check(context: Context, inputs: Properties, origin?: Origin): Promise<{ inputs: Properties; failures: Failure[] }>;
  diff(context: Context, id: string, old: { inputs: I; state: S }, inputs: I): Promise<Difference>;
  /** With `context.preview`, nothing is made; the state returned then may contain {@link UNKNOWN}, and the id is ignored. */
  create(context: Context, inputs: I): Promise<{ id: string; state: S }>;
  /** Undefined when it is gone. */
  read(context: Context, id: string, old: { inputs: I; state: S }): Promise<{ inputs: I; state: S } | undefined>;
  update(context: Context, id: string, old: { inputs: I; state: S }, inputs: I): Promise<S>;
  delete(context: Context, id: string, old: { inputs: I; state: S }): Promise<void>;
}

/**
 * Thrown by create or update when the thing exists but did not become what was asked.
 * The engine keeps `id` and `state`, so the next update continues from there and destroy removes it.
 */
export class IncompleteError extends Error {
  constructor(
    message: string,
    readonly id: string,
    readonly state: object,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "IncompleteError";
  }
}
