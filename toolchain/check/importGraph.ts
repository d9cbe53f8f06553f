import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import type { Imports } from "../../foundation/reachedFrom";

/** `import`, `export … from`, `import()`, `require()` and `typeof import()` of a relative path. */
const IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}(?:\/[^"']*)?)["']/g;

/** Installed packages, folders of tools, and generated types. */
const EXCLUDED = ["**/node_modules", ".*"];

/** Source files of the project by their paths from `root`, sorted. */
export const sourceFiles = (root: string): string[] =>
  globSync("**/*.{ts,js,mjs}", { cwd: root, exclude: EXCLUDED }).sort();

/** The texts of these files, by their paths from `root`. */
export const readSources = (root: string, files: readonly string[] = sourceFiles(root)): Map<string, string> =>
  new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** Whether a script wrote the file, as its first line says, or the one after a comment for linters. */
export const isGenerated = (text: string): boolean => /^(?:\/\*.*\*\/\n)?\/\/ Generated from /.test(text);

/** Which of these files import which other ones, types included. Imports of other files are not in the graph. Pure. */
export function importGraph(texts: ReadonlyMap<string, string>): Imports {
  const imported = ([file, text]: readonly [string, string]): [string, string[]] => [
    file,
    [...text.matchAll(IMPORT)].flatMap(([, path = ""]) => {
      const to = normalize(join(dirname(file), path));
      const bare = to.replace(/\.js$/, "");
      return [to, `${bare}.ts`, `${bare}.js`, `${bare}.d.ts`, `${bare}/index.ts`].find((each) => texts.has(each)) ?? [];
    }),
  ];
  return new Map([...texts].map(imported));
}
