/**
 * A resource of the `stackyard` provider: the six verbs of a Pulumi custom resource, over plain JSON. Secrets arrive
 * unwrapped. The engine marks an output secret if the input of the same name is secret.
 */

import { UNKNOWN } from "./protocol/marks";

export { UNKNOWN };

/** A JSON object as the engine sends it. During preview a value may be {@link UNKNOWN}. */
export type Properties = Record<string, unknown>;

/** Whether a value is unknown or contains an unknown value. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

/** What a verb may use besides its arguments. */
export interface Context {
  /** URN of the resource; empty in `check` if the resource has none. */
  readonly urn: string;
  /** Name of the state backend that has the resource. */
  readonly backend: string;
  /**
   * True during `pulumi preview`: change nothing, but report what would fail. The engine sets it only for create and
   * update.
   */
  readonly preview: boolean;
  /** Aborted when the engine cancels: on Ctrl-C, or at the end of the update. */
  readonly signal: AbortSignal;
  /** The user's `customTimeouts` for this verb, in seconds; undefined if not set. */
  readonly timeoutSeconds: number | undefined;
  /** Prints a line beside the resource. `status` replaces the previous status; use it for progress. */
  log(severity: "info" | "warning" | "error" | "status", message: string): void;
}

/** A fault of an input, reported before anything is created. `property` is a path such as `hosts[2].slots`. */
export interface InputFailure {
  readonly property: string;
  readonly reason: string;
}

/** How one property differs; the key of {@link Difference.changes} is its path. */
export type ChangeKind = "add" | "delete" | "update" | "add-replace" | "delete-replace" | "update-replace";

export interface Difference {
  /** Changes by property path; empty if nothing changes. A `*-replace` kind makes the engine replace the resource. */
  readonly changes: Readonly<Record<string, ChangeKind>>;
  /** On replacement, delete the old resource first. Default: false. */
  readonly deleteBeforeReplace?: boolean;
}

/** What `check` may use besides the program's inputs. */
export interface Origin {
  /** The previous inputs; empty for a resource that is created or replaced. */
  readonly old: Properties;
  /** Random seed for generated names. The engine stores it before it creates the resource. */
  readonly seed: string;
}

/** Whether the engine will replace the resource. */
export const isReplacement = ({ changes }: Difference): boolean =>
  Object.values(changes).some((kind) => kind.endsWith("-replace"));

/** A resource in the state. */
export interface InState<I extends object, S extends object> {
  readonly inputs: I;
  readonly state: S;
}

/** A resource type. `I` is its checked input, `S` its state (outputs). */
export interface ResourceHandler<I extends object, S extends object> {
  /**
   * Top-level properties that are always secret. The engine knows what the program marked secret; this covers what it
   * can't know, such as the inputs of an imported resource.
   */
  readonly secretProperties?: readonly string[];
  /** Validates inputs and sets defaults. Must accept unknown values. */
  check(
    context: Context,
    inputs: Properties,
    origin?: Origin,
  ): Promise<{ inputs: Properties; failures: InputFailure[] }>;
  diff(context: Context, id: string, old: InState<I, S>, inputs: I): Promise<Difference>;
  /** With `context.preview`, changes nothing; the returned state may contain {@link UNKNOWN}, and the id is ignored. */
  create(context: Context, inputs: I): Promise<{ id: string; state: S }>;
  /** Returns undefined if the resource no longer exists. */
  read(context: Context, id: string, old: InState<I, S>): Promise<InState<I, S> | undefined>;
  update(context: Context, id: string, old: InState<I, S>, inputs: I): Promise<S>;
  delete(context: Context, id: string, old: InState<I, S>): Promise<void>;
}

/**
 * Thrown by create or update if the resource exists but did not reach the desired state. The engine stores `id` and
 * `state`, so the next update continues from there and destroy deletes the resource.
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
