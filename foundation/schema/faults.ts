import type { FailureKind } from "../errors";

/** Where in the config something is: keys and list positions, the first one a key of the namespace. */
export type Path = readonly (string | number)[];

/** One thing that is wrong with the config. */
export interface Fault {
  readonly path: Path;
  /** What was found, what would be right, what to do; never a secret. */
  readonly message: string;
}

/** The usual fault. `hint` is a clause that says what was probably meant or what to do: `did you mean host`. */
export function mismatch(path: Path, found: string, expected: string, hint?: string): Fault {
  return { path, message: `found ${found}; expected ${expected}${hint === undefined ? "" : `; ${hint}`}` };
}

/** `["provisioners", "eu", "runtimes", 0]` as `provisioners.eu.runtimes[0]`. */
export function renderPath(path: Path): string {
  const [first, ...rest] = path;
  const head = first === undefined ? "" : String(first);
  return rest.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return /^[\w-]+$/.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`;
  }, head);
}

/** Every fault of a config in one error. */
export class ConfigError extends Error {
  readonly kind: FailureKind = "input";

  /** `namespace` is the project's; `whose` begins the sentence, such as `The stack's`. */
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

/** The faults in the order of the config that they are about; what is missing comes last in its object. */
export function inOrder(faults: readonly Fault[], root: unknown): Fault[] {
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
