import { readFile, stat } from "node:fs/promises";
import * as path from "node:path";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { assetIdOf, type Asset } from "../../../provider/resources/terasliceJob/master/assets";
import { assetOfManifest, MANIFEST } from "../../../provider/resources/terasliceJob/master/bundle";
import { Failure, UsageError } from "../../../foundation/errors";
import { withDependencies, type Sources } from "./install";
import { projectFiles } from "../../../foundation/schema/files";

/** Folders that a master never needs. */
const SKIPPED = new Set([".git", ".github", "node_modules", "coverage"]);
/** Entry files of a bundle, as in Teraslice's own tools. */
const ENTRIES = ["index.ts", "index.js", "src/index.ts", "src/index.js"];
/** Folder of files that are copied unchanged. */
const STATIC = "__static_assets";
/**
 * What older CommonJS modules expect. `require` is set on globalThis, because a module may declare a constant with this
 * name; each bundle takes it from there when it is loaded, before another asset of the same process sets it.
 */
const BANNER = [
  'import { createRequire as stackyardRequire } from "node:module";',
  'import { dirname as stackyardFolder } from "node:path";',
  'import { fileURLToPath as stackyardPath } from "node:url";',
  "globalThis.require = stackyardRequire(import.meta.url);",
  "const stackyardFilename = stackyardPath(import.meta.url);",
  "const stackyardDirname = stackyardFolder(stackyardFilename);",
].join("\n");
/** Replaces names that a module does not declare itself. */
const DEFINED = { __filename: "stackyardFilename", __dirname: "stackyardDirname" };
/**
 * Optional native code that is loaded by a path computed at run time. The logger of Teraslice requires it, so every asset
 * that imports `@terascope/job-components` does. Teraslice's own tools exclude it too.
 */
const OPTIONAL = ["dtrace-provider"];
/** A fixed date, so that the same sources give the same zip file. */
const DATE = new Date("2000-01-01T00:00:00Z");

interface Built {
  readonly zip: Uint8Array;
  readonly asset: Asset;
  /** File name as in Teraslice's own tools. */
  readonly fileName: string;
}

/**
 * Builds a bundle from a folder with `asset.json` or `asset/asset.json`. An index file next to it is bundled with its
 * imports; otherwise the folder is packed unchanged, with its dependencies.
 */
export async function buildAsset(folder: string, nodeVersion: number): Promise<Built> {
  const build = (sources: Sources): Promise<Built> => built(sources, folder, nodeVersion);
  return withDependencies(folder, await rootOf(folder), build);
}

async function built({ root, isInstalled }: Sources, folder: string, nodeVersion: number): Promise<Built> {
  const manifest = JSON.parse(await readFile(path.join(root, MANIFEST), "utf8")) as Record<string, unknown>;
  const entry = (await Promise.all(ENTRIES.map((name) => fileAt(root, name)))).find((file) => file !== undefined);
  const complete = entry === undefined ? manifest : { node_version: nodeVersion, bundle: true, ...manifest };
  const files = new Map<string, Uint8Array>([[MANIFEST, Buffer.from(JSON.stringify(complete, null, 2))]]);
  if (entry === undefined) {
    const skipped = isInstalled ? new Set([...SKIPPED].filter((name) => name !== "node_modules")) : SKIPPED;
    for (const name of projectFiles(root).list(".", skipped))
      if (name !== MANIFEST) files.set(name, await readFile(path.join(root, name)));
  } else {
    files.set("index.js", await bundled(entry, nodeVersion));
    files.set("package.json", Buffer.from('{ "type": "module" }\n'));
    for (const name of projectFiles(root).list(".", SKIPPED))
      if (name.startsWith(`${STATIC}/`)) files.set(name, await readFile(path.join(root, name)));
  }
  const zip = await zipOf(files);
  const asset = readable(complete, zip, folder);
  const node = asset.nodeVersion === undefined ? "" : `-node-${asset.nodeVersion}`;
  return { zip, asset, fileName: `${asset.name}-v${asset.version}${node}-bundle.zip` };
}

async function rootOf(folder: string): Promise<string> {
  for (const root of [folder, path.join(folder, "asset")]) if (await fileAt(root, MANIFEST)) return root;
  throw new UsageError(`folder: found ${folder}; expected one with ${MANIFEST} or asset/${MANIFEST}`);
}

async function fileAt(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, name);
  return (await stat(file).catch(() => undefined))?.isFile() ? file : undefined;
}

async function bundled(entry: string, nodeVersion: number): Promise<Uint8Array> {
  const { build } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      platform: "node",
      external: OPTIONAL,
      loader: { ".wasm": "binary" },
      format: "esm",
      target: `node${nodeVersion}`,
      logLevel: "silent",
      // Operations are identified by their class names.
      keepNames: true,
      banner: { js: BANNER },
      define: DEFINED,
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  } catch (error) {
    throw new Failure(`${entry} can't be bundled: ${(error as Error).message}`);
  }
}

function readable(manifest: Record<string, unknown>, zip: Uint8Array, folder: string): Asset {
  try {
    return assetOfManifest(manifest, assetIdOf(zip));
  } catch (error) {
    throw new Failure(`${folder} is no asset: ${(error as Error).message}`);
  }
}

async function zipOf(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const options = { useWebWorkers: false, lastModDate: DATE, extendedTimestamp: false };
  const zip = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [name, content] of files) await zip.add(name, new Uint8ArrayReader(content));
  return zip.close();
}
