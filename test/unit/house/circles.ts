import type { Imports } from "../../../foundation/reachedFrom";

export const roomOf = (file: string): string => file.split("/")[0] ?? file;

/** Groups of files that import each other in a circle (Tarjan's strongly connected components of more than one file). */
export function circlesOf(graph: Imports): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    let lowest = order.get(file)!;
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    low.set(file, lowest);
    if (lowest === order.get(file)) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle.sort());
    }
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
