/**
 * `npm run package [FOLDER]` writes the npm package that Pulumi programs of others install, and prints the path of its
 * file. The components and the provider are built: an installation compiles nothing and writes nothing.
 */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { projectRoot } from "../root";

const run = promisify(execFile);

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Pulumi's packages are the program's own: two copies would not know each other's resources. */
const PEERS = ["@pulumi/pulumi", "@pulumi/kubernetes", "@pulumi/aws", "@pulumi/eks"] as const;

/** Only `fromPulumiEks` needs it. */
const OPTIONAL = "@pulumi/eks";

/** The SDK's copy, which makes the messages, and what the types name. */
const DEPENDENCIES = ["google-protobuf", "zod"] as const;

/** Tried by a package inside of a bundle, and not needed. */
const NEVER = ["pg-native"];

const CHECK = `module.exports = require("./foundation/loader/nodeVersion").nodeFault("stackyard");`;

const LIBRARY = `module.exports = require("./library/index");`;

/** Apart from the bundles: Node.js shows the line that throws. */
const INDEX = `"use strict";
const fault = require("./nodeVersion.cjs");
if (fault !== undefined) throw new Error(fault);
module.exports = require("./library.cjs");
`;

const PROVIDER = `
require("./foundation/loader/nodeVersion").demandNode("the provider stackyard");
const components = () => require("node:module").createRequire(__filename)("./components.cjs").serveComponents();
(process.argv[2] === "--components" ? components() : require("./provider/main").run()).catch((error) => {
  process.stderr.write((error instanceof Error ? error.message : String(error)) + "\\n");
  process.exit(1);
});
`;

/** It has Pulumi's SDK: a program in another language has no npm packages. */
const COMPONENTS = `module.exports = require("./provider/components/main");`;

/** What the SDK loads at start and uses only to serialize functions and to run programs. */
const UNUSED: Plugin = {
  name: "unused",
  setup(build) {
    build.onResolve({ filter: /^(typescript|ts-node|@npmcli\/arborist)$/ }, ({ path: file }) => ({
      path: file,
      namespace: "unused",
    }));
    build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "" }));
  },
};

/** Builds the components, the provider and the charts into a folder. */
export async function buildPackage(root: string, folder: string): Promise<void> {
  const provider = path.join(folder, "provider", "pulumi-resource-stackyard");
  const bundled = await Promise.all([
    bundle(root, CHECK, path.join(folder, "nodeVersion.cjs"), {}),
    bundle(root, LIBRARY, path.join(folder, "library.cjs"), { external: ["@pulumi/*", "google-protobuf"] }),
    bundle(root, PROVIDER, provider, { external: NEVER, banner: "#!/usr/bin/env node" }),
    bundle(root, COMPONENTS, path.join(path.dirname(provider), "components.cjs"), { plugins: [UNUSED] }),
  ]);
  fs.writeFileSync(path.join(folder, "LICENSES-BUNDLED.txt"), licensesOf(root, new Set(bundled.flat())));
  fs.chmodSync(provider, 0o755);
  const schema = path.join("provider", "package.schema.json");
  fs.copyFileSync(path.join(root, schema), path.join(folder, schema));
  const charts = path.join(folder, "charts");
  fs.cpSync(path.join(root, "charts"), charts, { recursive: true });
  const library = (await import(path.join(root, "library", "index.ts"))) as object;
  const names = Object.keys(library).filter((name) => name !== "default");
  fs.writeFileSync(path.join(folder, "index.cjs"), INDEX);
  fs.writeFileSync(
    path.join(folder, "index.mjs"),
    `import library from "./index.cjs";\nexport const { ${names.sort().join(", ")} } = library;\n`,
  );
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifestOf(root), null, 2)}\n`);
}

/** Bundles a program into one file. Returns the npm packages that are in it. */
async function bundle(
  root: string,
  contents: string,
  outfile: string,
  { banner = "", ...options }: Pick<BuildOptions, "external" | "plugins"> & { readonly banner?: string },
): Promise<string[]> {
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
    banner: { js: banner },
    metafile: true,
    logLevel: "silent",
  });
  return Object.keys(metafile.inputs).flatMap(
    (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
}

/** The licenses of bundled packages, which ask for it. Throws if a package has none. */
function licensesOf(root: string, packages: ReadonlySet<string>): string {
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      fs.readFileSync(path.join(root, folder, "package.json"), "utf8"),
    ) as Record<string, string>;
    const file = fs.readdirSync(path.join(root, folder)).find((each) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(each));
    if (file === undefined && license === undefined) throw new Error(`${folder} has no license`);
    const text = file === undefined ? "" : fs.readFileSync(path.join(root, folder, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

function manifestOf(root: string): object {
  const own = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as Manifest;
  const { version, description, license, engines } = own;
  const rangesOf = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, `^${own.dependencies[name] ?? ""}`]));
  return {
    ...{ name: "stackyard", version, description, license, engines },
    main: "./index.cjs",
    types: "./types/library/index.d.ts",
    exports: {
      ".": { types: "./types/library/index.d.ts", import: "./index.mjs", require: "./index.cjs" },
      "./package.json": "./package.json",
    },
    files: ["LICENSES-BUNDLED.txt", "*.cjs", "*.mjs", "types/", "provider/", "charts/"],
    dependencies: rangesOf(DEPENDENCIES),
    peerDependencies: rangesOf(PEERS),
    peerDependenciesMeta: { [OPTIONAL]: { optional: true } },
  };
}

/** Writes the package into a folder. Returns the path of its file. */
export async function writePackage(root: string, folder: string): Promise<string> {
  const parts = fs.mkdtempSync(path.join(tmpdir(), "stackyard-package-"));
  try {
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const types = ["--project", path.join(root, "library"), "--outDir", path.join(parts, "types")];
    await Promise.all([buildPackage(root, parts), run(process.execPath, [tsc, ...types])]);
    fs.copyFileSync(path.join(root, "LICENSE"), path.join(parts, "LICENSE"));
    const readme = fs.readFileSync(path.join(root, "docs", "library.md"), "utf8");
    // Other pages are not in the package.
    fs.writeFileSync(path.join(parts, "README.md"), readme.replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, "$1"));
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: parts });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return path.join(folder, filename);
  } finally {
    fs.rmSync(parts, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const folder = path.resolve(process.argv[2] ?? ".");
  writePackage(projectRoot(), folder).then(
    (file) => process.stdout.write(`${path.relative(process.cwd(), file)}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
