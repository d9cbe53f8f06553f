/** A resource of a stack, as the engine was asked for it. */
export interface Node {
  readonly type: string;
  readonly name: string;
  /** Name of its parent; absent below the stack itself. */
  readonly parent?: string;
  readonly inputs: unknown;
}

interface Step {
  readonly newState?: {
    readonly urn: string;
    readonly type: string;
    readonly parent?: string;
    readonly inputs?: object;
  };
}

const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf("::") + 2);

/** The graph in the JSON of `pulumi preview --json`, in the order of types and names; `plain` takes out what differs from machine to machine. */
export function graphOf(json: string, plain: (text: string) => string): Node[] {
  const { steps } = JSON.parse(plain(json)) as { steps: readonly Step[] };
  const nodes = steps.flatMap(({ newState }): Node[] => {
    if (newState === undefined || newState.type === "pulumi:pulumi:Stack") return [];
    const { urn, type, parent, inputs = {} } = newState;
    const isTop = parent === undefined || parent.includes("::pulumi:pulumi:Stack::");
    return [{ type, name: nameOf(urn), ...(isTop ? {} : { parent: nameOf(parent) }), inputs: sorted(inputs) }];
  });
  const key = ({ type, name }: Node): string => `${type} ${name}`;
  return nodes.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** With keys in order: the engine has none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
