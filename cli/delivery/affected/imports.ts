import { existsSync } from "node:fs";
import * as path from "node:path";
import type { Metafile } from "esbuild";

/** Files of the checkout, relative to it and with `/`, by the file that imports them; without what is imported as a type only. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the import graph of these entry files; a project that has its programs from elsewhere has none of them. Throws
 * esbuild's report where one does not compile.
 */
export async function importsOf(root: string, entries: readonly string[]): Promise<Imports> {
  const there = entries.filter((entry) => existsSync(path.join(root, entry)));
  if (there.length === 0) return new Map();
  // Loaded here, because most commands need no compiler.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: there,
    outdir: path.join(root, "node_modules", ".cache", "stackyard", "affected"),
    bundle: true,
    packages: "external",
    platform: "node",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return graphOf(metafile);
}

const graphOf = ({ inputs }: Metafile): Imports =>
  new Map(
    Object.entries(inputs).map(([file, { imports }]) => [
      file,
      imports.flatMap((each) => (each.external === true ? [] : [each.path])),
    ]),
  );

/** What these files import, directly or not, with themselves; paths end at the files of `without`. Pure. */
export function reachedFrom(imports: Imports, files: readonly string[], without: ReadonlySet<string>): Set<string> {
  const reached = new Set<string>();
  const next = [...files];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    next.push(...(imports.get(file) ?? []).filter((each) => !without.has(each)));
  }
  return reached;
}
