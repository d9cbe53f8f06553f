/** One resource of a checkpoint, as the engine keeps it. Secrets stay encrypted. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  /** True for what a provider made; false for components, which only group. */
  readonly custom?: boolean;
  /** True for what was replaced and is yet to be deleted. */
  readonly delete?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Why the last update of it, which began, failed. */
  readonly initErrors?: readonly string[];
}

export interface SecretsProvider {
  readonly type: string;
  readonly state: Readonly<Record<string, unknown>>;
}

/** What we read of one stack. */
export interface StackState {
  readonly name: string;
  /** When the stack was last written. */
  readonly updated?: Date;
  /** Outputs of the stack; a secret one is {@link SECRET}. */
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly resources: readonly ResourceState[];
  /** How its secrets are kept, such as `passphrase` with its salt; undefined before the first update. */
  readonly secrets?: SecretsProvider;
  /** How many operations an update began that nobody saw the end of. */
  readonly pending: number;
  /** What they were making or changing. Absent: nothing. */
  readonly begun?: readonly ResourceState[];
}

/** Placeholder of a value that only the owner of the passphrase can read. */
export const SECRET = "[secret]";

/** Key by which the engine marks a property as more than plain JSON, and the mark of a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/** A copy in which each secret is {@link SECRET}. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== "object" || value === null) return value;
  if ((value as Record<string, unknown>)[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskSecrets(inner)]));
}

/** The text of a state as `pulumi stack export --show-secrets` prints it, with every secret replaced by its value. */
export function unwrapSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapSecrets);
  if (typeof value !== "object" || value === null) return value;
  const { [SIGNATURE]: signature, plaintext } = value as Record<string, unknown>;
  if (signature === SECRET_SIGNATURE && typeof plaintext === "string") return JSON.parse(plaintext) as unknown;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unwrapSecrets(inner)]));
}

interface Deployment {
  readonly manifest?: { readonly time?: string };
  readonly resources?: readonly ResourceState[];
  readonly secrets_providers?: SecretsProvider;
  readonly pending_operations?: readonly { readonly resource?: ResourceState }[];
}

/** `deployment` is what `pulumi stack export` calls so, and what a checkpoint calls `latest`. */
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

/** Reads the text of a checkpoint file. Throws if it is none, naming the stack. */
export function parseCheckpoint(name: string, text: string, written?: Date): StackState {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new Error(`the state of stack ${name} is not JSON; "pulumi stack export --stack ${name}" may show more`, {
      cause,
    });
  }
  const checkpoint = (parsed as { checkpoint?: { latest?: unknown } } | null)?.checkpoint;
  if (typeof checkpoint !== "object") {
    throw new Error(`the state of stack ${name} has no "checkpoint"; it was written by another version of Pulumi`);
  }
  return stateOf(name, checkpoint.latest, written);
}
