import { existsSync } from "node:fs";
import * as path from "node:path";
import type { Metafile } from "esbuild";
import type { Imports } from "../../../foundation/reachedFrom";

/**
 * Reads the import graph of these entry files; missing entry files are skipped, because the programs may be elsewhere.
 * Throws esbuild's report if one does not compile.
 */
export async function importsOf(root: string, entries: readonly string[]): Promise<Imports> {
  const there = entries.filter((entry) => existsSync(path.join(root, entry)));
  if (there.length === 0) return new Map();
  // Loaded on demand, because most commands need no compiler.
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
