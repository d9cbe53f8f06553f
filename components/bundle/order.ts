import type { PlannedInstance } from "./settings";

interface Ordered {
  readonly ordered: readonly PlannedInstance[];
  /** Dependency cycles. Each starts and ends with the same instance. */
  readonly circles: readonly (readonly string[])[];
}

/** Sorts instances so that dependencies come first, and finds all cycles. Pure. */
export function inOrder(all: ReadonlyMap<string, PlannedInstance>): Ordered {
  const ordered = new Map<string, PlannedInstance>();
  const circles: string[][] = [];
  const visit = (name: string, path: readonly string[]): void => {
    const one = all.get(name);
    if (!one || ordered.has(name)) return;
    if (path.includes(name)) {
      circles.push([...path.slice(path.indexOf(name)), name]);
      return;
    }
    for (const before of one.after) visit(before, [...path, name]);
    ordered.set(name, one);
  };
  for (const name of all.keys()) visit(name, []);
  return { ordered: [...ordered.values()], circles };
}
