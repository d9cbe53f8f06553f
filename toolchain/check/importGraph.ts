import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Files of the project by their paths from the root, with the files of the project that each imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** `import`, `export … from`, `import()`, `require()` and `typeof import()` of a relative path. */
const IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}(?:\/[^"']*)?)["']/g;

/** Installed packages, folders of tools, and generated types. */
const EXCLUDED = ["**/node_modules", ".*", "library/types"];

/** TypeScript files of the project by their paths from `root`, sorted. */
export const sourceFiles = (root: string): string[] => globSync("**/*.ts", { cwd: root, exclude: EXCLUDED }).sort();

/** The import graph of these files. Imports of files that are not in the list are not in the graph. */
export function importGraph(root: string, files: readonly string[] = sourceFiles(root)): ImportGraph {
  const known = new Set(files);
  const imported = (file: string): string[] =>
    [...readFileSync(join(root, file), "utf8").matchAll(IMPORT)].flatMap(([, path = ""]) => {
      const to = normalize(join(dirname(file), path));
      const bare = to.replace(/\.js$/, "");
      return [`${bare}.ts`, `${bare}.d.ts`, `${bare}/index.ts`].find((each) => known.has(each)) ?? [];
    });
  return new Map(files.map((file) => [file, imported(file)]));
}
