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

/** What a folder has in it that uses each other: each file, and each subfolder with everything in it, counts as one. */
export interface FolderCircle {
  readonly folder: string;
  readonly rooms: readonly string[];
  /** The imports that make the circle, as `from → to`. */
  readonly imports: readonly string[];
}

/** The circles among the files and subfolders of each folder; `.` is the project. */
export function folderCircles(graph: Imports): FolderCircle[] {
  const folders = new Set([...graph.keys()].flatMap(foldersOf));
  return [...folders].sort().flatMap((folder) => {
    const pairs = [...graph]
      .filter(([file]) => isIn(folder, file))
      .flatMap(([from, imports]) => imports.filter((to) => isIn(folder, to)).map((to) => ({ from, to })))
      .filter(({ from, to }) => partOf(folder, from) !== partOf(folder, to));
    const parts = new Map<string, string[]>();
    for (const { from, to } of pairs)
      parts.set(partOf(folder, from), [...(parts.get(partOf(folder, from)) ?? []), partOf(folder, to)]);
    return circlesOf(parts).map((rooms) => ({
      folder,
      rooms,
      imports: pairs
        .filter(({ from, to }) => rooms.includes(partOf(folder, from)) && rooms.includes(partOf(folder, to)))
        .map(({ from, to }) => `${from} → ${to}`),
    }));
  });
}

/** All folders above a file, from the project on. */
const foldersOf = (file: string): string[] =>
  file.split("/").map((_, depth, words) => words.slice(0, depth).join("/") || ".");

const isIn = (folder: string, file: string): boolean => folder === "." || file.startsWith(`${folder}/`);

/** The file or subfolder of a folder that a file belongs to. */
const partOf = (folder: string, file: string): string =>
  (folder === "." ? file : file.slice(folder.length + 1)).split("/")[0] ?? file;
