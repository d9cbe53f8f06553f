/** Bundles the programs of the npm packages into one file each, so that an installation compiles nothing. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { promisify } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { SERIALIZATION } from "../../foundation/loader/lazy";

const run = promisify(execFile);

/** Tried by a package inside of a bundle, and not needed. */
export const NEVER = ["pg-native"];

/** What the SDK loads at start and uses only to serialize functions and to run programs. */
export const unused: Plugin = {
  name: "unused",
  setup(esbuild) {
    const filter = new RegExp(`^(${[...SERIALIZATION, "ts-node"].join("|")})$`);
    esbuild.onResolve({ filter }, ({ path: file }) => ({ path: file, namespace: "unused" }));
    esbuild.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "" }));
  },
};

/** Loads a module of an optional package when something of it is used, so that a program without it needs no copy. */
export function lazily(root: string, name: string): Plugin {
  const own = createRequire(path.join(root, "package.json"));
  return {
    name: "lazily",
    setup(esbuild) {
      esbuild.onResolve({ filter: new RegExp(`^${name}/`) }, ({ path: file, namespace }) =>
        namespace === "lazy" ? { path: file, external: true } : { path: file, namespace: "lazy" },
      );
      esbuild.onLoad({ filter: /./, namespace: "lazy" }, ({ path: file }) => ({
        contents: `
          function load() {
            try {
              return require(${JSON.stringify(file)});
            } catch (error) {
              if (error.code !== "MODULE_NOT_FOUND") throw error;
              throw new Error("stackyard needs ${name} for this; install it with: npm install ${name}", { cause: error });
            }
          }
          Object.defineProperty(exports, "__esModule", { value: true });
          for (const key of ${JSON.stringify(Object.keys(own(file) as object))})
            Object.defineProperty(exports, key, { enumerable: true, get: () => load()[key] });`,
      }));
    },
  };
}

type Options = Pick<BuildOptions, "external" | "plugins" | "alias" | "target">;

/** Bundles a program into one file. Returns the npm packages that are in it. */
export async function bundle(root: string, contents: string, outfile: string, options: Options): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: "js" },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    // Error reports name classes.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    ...options,
    metafile: true,
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs).flatMap(
    (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
}

/** Writes the licenses of bundled packages, which ask for it. Throws if a package has none. */
export function writeLicenses(root: string, packages: readonly string[], folder: string): void {
  const texts = [...new Set(packages)].sort().map((own) => {
    const { name, version, license } = JSON.parse(
      fs.readFileSync(path.join(root, own, "package.json"), "utf8"),
    ) as Record<string, string>;
    const file = fs.readdirSync(path.join(root, own)).find((each) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(each));
    if (file === undefined && license === undefined) throw new Error(`${own} has no license`);
    const text = file === undefined ? "" : fs.readFileSync(path.join(root, own, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  fs.writeFileSync(path.join(folder, "LICENSES-BUNDLED.txt"), texts.join(`\n${"-".repeat(80)}\n\n`));
}

/** Why this Node.js is too old, as the only export of a file that any Node.js can read. */
export const bundleCheck = (root: string, folder: string): Promise<string[]> =>
  bundle(
    root,
    `module.exports = require("./foundation/loader/nodeVersion").nodeFault("stackyard");`,
    path.join(folder, "nodeVersion.cjs"),
    { target: "node12" },
  );

/** Writes a program that ends with one line on a Node.js that is too old. `check`: the folder of that file. */
export function writeProgram(file: string, check: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(
    file,
    `#!/usr/bin/env node
"use strict";
const fault = require("${check}/nodeVersion.cjs");
if (fault !== undefined) {
  process.stderr.write(fault + "\\n");
  process.exit(1);
}
${text}`,
    { mode: 0o755 },
  );
}

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: object;
  /** The release sets it, because npm compares it with where a package was built. */
  readonly repository?: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Writes the package.json of a package. `ranges`: from the versions of the checkout up, by field. */
export function writeManifest(
  root: string,
  folder: string,
  {
    ranges,
    ...own
  }: { readonly ranges: Readonly<Record<string, readonly string[]>>; readonly [field: string]: unknown },
): void {
  const { version, license, engines, repository, dependencies } = JSON.parse(
    fs.readFileSync(path.join(root, "package.json"), "utf8"),
  ) as Manifest;
  const from = Object.entries(ranges).map(([field, names]) => [
    field,
    Object.fromEntries(names.map((name) => [name, `^${dependencies[name] ?? ""}`])),
  ]);
  const manifest = { ...own, version, license, engines, repository, ...(Object.fromEntries(from) as object) };
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
}

/** Packs a folder into another one. Returns the path of the file. */
export async function pack(from: string, into: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", into], { cwd: from });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return path.join(into, filename);
}
