import type { FailureKind } from "../errors";

/** A position in the config: keys and list indexes. The first one is a key of the namespace. */
export type Path = readonly (string | number)[];

/** One fault in the config. */
export interface Fault {
  readonly path: Path;
  /** What was found, what is expected and what to do. Never contains a secret. */
  readonly message: string;
}

/** Creates a fault. `hint` is a clause with a suggestion or an instruction, such as `did you mean host`. */
export function mismatch(path: Path, found: string, expected: string, hint?: string): Fault {
  return { path, message: `found ${found}; expected ${expected}${hint === undefined ? "" : `; ${hint}`}` };
}

/** Renders a path: `["provisioners", "eu", "runtimes", 0]` as `provisioners.eu.runtimes[0]`. */
export function renderPath(path: Path): string {
  const [first, ...rest] = path;
  const head = first === undefined ? "" : String(first);
  return rest.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return /^[\w-]+$/.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`;
  }, head);
}

/** All faults of a config in one error. */
export class ConfigError extends Error {
  readonly kind: FailureKind = "input";

  /** `namespace`: the project's. `whose`: the beginning of the message, such as `The stack's`. */
  constructor(
    readonly faults: readonly Fault[],
    namespace = "stackyard",
    whose = "The stack's",
  ) {
    const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
    const lines = faults.map(({ path, message }) => `  - ${namespace}:${renderPath(path)}: ${message}`);
    super(`${whose} config has ${count}; nothing was changed.\n${lines.join("\n")}`);
    this.name = "ConfigError";
  }
}

/** Sorts faults by their position in the config. Missing keys come last in their object. */
export function sortFaults(faults: readonly Fault[], root: unknown): Fault[] {
  const keyed = faults.map((fault) => ({ fault, places: placesOf(fault.path, root) }));
  return keyed.sort((a, b) => compare(a.places, b.places)).map(({ fault }) => fault);
}

function placesOf(path: Path, root: unknown): number[] {
  let value = root;
  return path.map((step) => {
    const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
    const place = keys.indexOf(String(step));
    value = place < 0 ? undefined : (value as Record<string | number, unknown>)[step];
    return place < 0 ? keys.length : place;
  });
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((place, index) => place !== b[index]);
  return differing < 0 ? a.length - b.length : (a[differing] ?? 0) - (b[differing] ?? -1);
}
