import type { Imports } from "../../../foundation/reachedFrom";

/** Unit tests that import a file directly or indirectly, by the number of imports between them, nearest first. Pure. */
export function nearestTests(imports: Imports, file: string): string[] {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of imports)
    for (const to of targets) importers.set(to, [...(importers.get(to) ?? []), from]);
  const reached = new Set([file]);
  for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer);
  return [...reached].filter((each) => /^test\/unit\/.*\.test\.ts$/.test(each));
}
