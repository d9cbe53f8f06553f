import type { Imports } from "../../../foundation/reachedFrom";

/** Files by the files that they are imported from. Pure. */
export function importersIn(imports: Imports): Imports {
  const importers = new Map<string, string[]>();
  for (const [from, targets] of imports) {
    for (const to of targets) {
      const known = importers.get(to);
      if (known) known.push(from);
      else importers.set(to, [from]);
    }
  }
  return importers;
}

/** Unit tests that import a file directly or indirectly, by the number of imports between them, nearest first. Pure. */
export function nearestTests(importers: Imports, file: string): string[] {
  const reached = new Set([file]);
  for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer);
  return [...reached].filter((each) => /^test\/unit\/.*\.test\.ts$/.test(each));
}
