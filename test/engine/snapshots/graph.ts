/** A resource of a stack, as the engine was asked for it. */
export interface Node {
  readonly type: string;
  readonly name: string;
  /** Name of its parent; absent below the stack itself. */
  readonly parent?: string;
  /** What is created before it and deleted after it, without what that itself depends on: `type name`. */
  readonly dependsOn?: readonly string[];
  readonly inputs: unknown;
}

interface Step {
  readonly newState?: {
    readonly urn: string;
    readonly type: string;
    readonly parent?: string;
    readonly dependencies?: readonly string[] | null;
    readonly inputs?: object;
  };
}

type State = NonNullable<Step["newState"]>;

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf("::") + 2);

/** The graph in the JSON of `pulumi preview --json`, in the order of types and names; `plain` takes out what differs from machine to machine. */
export function graphOf(json: string, plain: (text: string) => string): Node[] {
  const { steps } = JSON.parse(plain(json)) as { steps: readonly Step[] };
  const states = steps.flatMap(({ newState }) => (newState ? [newState] : []));
  const direct = directDependencies(states);
  const nodes = states.flatMap((state): Node[] => {
    if (state.type === "pulumi:pulumi:Stack") return [];
    const { urn, type, parent, inputs = {} } = state;
    const isTop = parent === undefined || parent.includes("::pulumi:pulumi:Stack::");
    const dependsOn = direct(state).map(labelOf).sort();
    return [
      {
        ...{ type, name: nameOf(urn), ...(isTop ? {} : { parent: nameOf(parent) }) },
        ...(dependsOn.length > 0 && { dependsOn }),
        inputs: sorted(inputs),
      },
    ];
  });
  const key = ({ type, name }: Node): string => `${type} ${name}`;
  return nodes.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** `type name` of a resource. */
const labelOf = (urn: string): string => `${urn.split("::")[2]?.split("$").at(-1)} ${nameOf(urn)}`;

/** Returns the dependencies of a resource without those that another of them has already. */
function directDependencies(states: readonly State[]): (state: State) => string[] {
  const byUrn = new Map(states.map((state) => [state.urn, state]));
  const known = new Map<string, ReadonlySet<string>>();
  const reached = (urn: string): ReadonlySet<string> => {
    const found = known.get(urn);
    if (found) return found;
    const { dependencies, parent } = byUrn.get(urn) ?? {};
    const next = [...(dependencies ?? []), ...(parent === undefined ? [] : [parent])];
    const all = new Set(next.flatMap((each) => [each, ...reached(each)]));
    known.set(urn, all);
    return all;
  };
  return ({ dependencies }) => {
    const all = [...new Set(dependencies ?? [])];
    return all.filter((urn) => !all.some((other) => other !== urn && reached(other).has(urn)));
  };
}

/** With keys in order: the engine has none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
