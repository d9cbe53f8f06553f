import { Failure } from "../../../foundation/errors";
import { SECRET_MARK, SIGNATURE } from "../../../foundation/pulumi/protocol/marks";

/** Version 4 is version 3 of a stack that uses newer features, which add fields. */
const VERSIONS: readonly unknown[] = [3, 4];

/** A state in a layout of another version of Pulumi. It is intact, so it must not be repaired. */
export class UnknownLayoutError extends Failure {}

/** Throws {@link UnknownLayoutError} if the layout of a state may differ from the one that is read here. */
export function checkLayout(name: string, version: unknown): void {
  if (VERSIONS.includes(version)) return;
  throw new UnknownLayoutError(
    `the state of stack ${name} has version ${JSON.stringify(version)}; expected ${VERSIONS.join(" or ")}: ` +
      "another version of Pulumi wrote it than this version of Stackyard is made for",
  );
}

/** A resource in a checkpoint. Secrets stay encrypted. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  /** True for resources of a provider; false for components. */
  readonly custom?: boolean;
  /** True for a replaced resource that is still to be deleted. */
  readonly delete?: boolean;
  /** True if the engine refuses to delete the resource. */
  readonly protect?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Why the last update of the resource failed after it had started. */
  readonly initErrors?: readonly string[];
}

export interface SecretsProvider {
  readonly type: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** The parts of a stack's state that we read. */
export interface StackState {
  readonly name: string;
  /** When the stack was last written. */
  readonly updated?: Date;
  /** Outputs of the stack, with secrets as {@link SECRET}. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly resources: readonly ResourceState[];
  /** Secrets provider, such as `passphrase` with its salt; undefined before the first update. */
  readonly secrets?: SecretsProvider;
  /** Number of operations that an update started without recording their end. */
  readonly pending: number;
  /** The resources that these operations created or changed. Default: none. */
  readonly begun?: readonly ResourceState[];
}

/** Placeholder of a secret value. */
export const SECRET = "[secret]";

/** Returns a copy with each secret replaced by {@link SECRET}. */
export const maskSecrets = (value: unknown): unknown => replaceSecrets(value, SECRET);

/** Returns a copy with `by` instead of each secret, encrypted or not. */
export function replaceSecrets(value: unknown, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => replaceSecrets(inner, by));
  if (typeof value !== "object" || value === null) return value;
  if ((value as Record<string, unknown>)[SIGNATURE] === SECRET_MARK) return by;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceSecrets(inner, by)]));
}

/** Replaces every secret by its value in a state from `pulumi stack export --show-secrets`. */
export function unwrapSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapSecrets);
  if (typeof value !== "object" || value === null) return value;
  const { [SIGNATURE]: signature, plaintext } = value as Record<string, unknown>;
  if (signature === SECRET_MARK && typeof plaintext === "string") return JSON.parse(plaintext) as unknown;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapSecrets(inner)]));
}

interface Deployment {
  readonly manifest?: { readonly time?: string };
  readonly resources?: readonly ResourceState[];
  readonly secrets_providers?: SecretsProvider;
  readonly pending_operations?: readonly { readonly resource?: ResourceState }[];
}

/** `deployment` is the field `deployment` of `pulumi stack export`, or `latest` of a checkpoint. */
export function stateOf(name: string, deployment: unknown, written?: Date): StackState {
  const {
    manifest,
    resources = [],
    pending_operations: pending = [],
    secrets_providers: secrets,
  } = (deployment ?? {}) as Deployment;
  const stack = resources.find((resource) => resource.type === "pulumi:pulumi:Stack");
  const time = manifest?.time === undefined ? Number.NaN : Date.parse(manifest.time);
  return {
    name,
    updated: Number.isNaN(time) ? written : new Date(time),
    outputs: maskSecrets(stack?.outputs ?? {}) as Record<string, unknown>,
    resources,
    secrets,
    pending: pending.length,
    ...(pending.length > 0 && { begun: pending.flatMap(({ resource }) => resource ?? []) }),
  };
}

/** Parses a checkpoint file. Throws with the name of the stack if it is invalid. */
export function parseCheckpoint(name: string, text: string, written?: Date): StackState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error(`the state of stack ${name} is not JSON; "pulumi stack export --stack ${name}" may show more`, {
      cause,
    });
  }
  const { checkpoint, version } = (parsed ?? {}) as { checkpoint?: { latest?: unknown }; version?: unknown };
  if (typeof checkpoint !== "object") throw new Error(`the state of stack ${name} has no "checkpoint"`);
  checkLayout(name, version);
  return stateOf(name, checkpoint.latest, written);
}
