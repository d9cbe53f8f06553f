import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "../../../toolchain/root";

/** Rooms of the house, and the program of the platform. */
const PLACES = [
  "foundation",
  "kubernetes",
  "bundles",
  "provider",
  "components",
  "runtime",
  "engine",
  "service",
  "cli",
  "policy",
  "toolchain",
];

/** Every source file by its path from the root, with the source files that it imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** `import`, `export … from`, `import()`, `require()` and `typeof import()` of a relative path. */
const IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}(?:\/[^"']*)?)["']/g;

export function importGraph(root = projectRoot()): ImportGraph {
  const files = [...PLACES.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: root })), "index.ts"].sort();
  const known = new Set(files);
  const imported = (file: string): string[] =>
    [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)].flatMap(([, path = ""]) => {
      const to = normalize(join(dirname(file), path));
      return [`${to}.ts`, to.replace(/\.js$/, ".ts"), `${to}/index.ts`].find((each) => known.has(each)) ?? [];
    });
  return new Map(files.map((file) => [file, imported(file)]));
}

export const roomOf = (file: string): string => file.split("/")[0] ?? file;

/** Groups of files that import each other in a circle (Tarjan's strongly connected components of more than one file). */
export function circlesOf(graph: ImportGraph): string[][] {
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
