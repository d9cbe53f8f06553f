/**
 * `npm run package [FOLDER]` writes the npm packages, and prints the paths of their files: `stackyard`, which Pulumi
 * programs install, and `stackyard-cli`, the command line. Both are built: an installation compiles and writes nothing.
 */

import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { bundle, bundleCheck, lazily, NEVER, pack, unused, writeLicenses, writeManifest, writeProgram } from "./bundle";
import { buildCommandLine } from "./commandLine";
import { writeNodeSdk } from "./sdk";
import { projectRoot } from "../root";

/** Pulumi's packages are the program's own: two copies would not know each other's resources. */
const PEERS = ["@pulumi/pulumi", "@pulumi/kubernetes", "@pulumi/aws"];

/** Only for a platform; `@pulumi/aws` only for what is on AWS. */
const OPTIONAL = ["@pulumi/kubernetes", "@pulumi/aws"];

/** The copy of Pulumi's SDK, which makes the messages. */
const DEPENDENCIES = ["google-protobuf"];

/** The platform of a stack, as one file. */
const PLATFORM = `
require("./foundation/schema/interpreted");
module.exports = require("./components/platform/program");
`;

/** Apart from the bundles: Node.js shows the line that throws. */
const INDEX = `"use strict";
const fault = require("./nodeVersion.cjs");
if (fault !== undefined) throw Object.assign(new Error(fault), { stack: "Error: " + fault });
const platform = { enumerable: true, value: () => require("./platform.cjs").platform() };
module.exports = Object.defineProperty(require("./sdk/index.js"), "platform", platform);
`;

/** The same for ES modules: Node.js finds the names in the file of the SDK. */
const MODULE = `import library from "./index.cjs";
export * from "./sdk/index.js";
export const { platform } = library;
`;

const TYPES = `import * as pulumi from "@pulumi/pulumi";
export * from "./sdk/index";
/**
 * The platform of a stack: the program of a repository of its own exports this function. Its settings are those of the
 * stack file. Returns the outputs of the stack. Throws a RunError that lists every fault of the settings.
 */
export declare function platform(): Promise<pulumi.Inputs>;
`;

const PROVIDER = `
const components = () => require("node:module").createRequire(__filename)("./components.cjs").serveComponents();
(process.argv[2] === "--components" ? components() : require("./provider/main").run()).catch((error) => {
  process.stderr.write((error instanceof Error ? error.message : String(error)) + "\\n");
  process.exit(1);
});
`;

/** It has Pulumi's SDK: a program in another language has no npm packages. */
const COMPONENTS = `module.exports = require("./provider/components/main");`;

/** Runs the command line: that of the project, else this version of it. */
const START = `const { createRequire } = require("node:module");
const { version } = require("../package.json");
const name = "stackyard-cli";
const args = process.argv.slice(2);
let found;
for (const from of [process.cwd() + "/", __filename]) {
  try {
    found ??= createRequire(from).resolve(name + "/bin/stackyard");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
  }
}
if (found !== undefined) {
  process.argv[1] = found;
  require(found);
} else {
  const npm = ["exec", "--yes", "--package", name + "@" + version, "--", "stackyard", ...args];
  const { status, error } = require("node:child_process").spawnSync("npm", npm, { stdio: "inherit" });
  if (error !== undefined) process.stderr.write("stackyard: npm, which installs " + name + ", does not start: " + error.message + "\\n");
  process.exitCode = status ?? 1;
}
`;

/**
 * The schema for programs, with the repository of package.json, from whose releases Pulumi downloads the executable for a
 * program with an SDK.
 */
export function publishedSchema(text: string, repository: { readonly url?: string } = {}): string {
  const [, name] = /\bgithub\.com\/([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository.url ?? "") ?? [];
  if (name === undefined) return text;
  const address = {
    repository: `https://github.com/${name}`,
    pluginDownloadURL: `github://api.github.com/${name}`,
  };
  return `${JSON.stringify({ ...(JSON.parse(text) as object), ...address }, null, 2)}\n`;
}

/** Writes the programs of the provider, and its schema. */
function writePrograms(root: string, folder: string): void {
  // In a folder, Pulumi's CLI looks for a program of the second name, and its engine for one of the first.
  for (const name of ["stackyard", ""]) {
    writeProgram(path.join(folder, `pulumi-resource-${name}`), "..", 'require("./provider.cjs");\n');
  }
  const { repository } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    readonly repository?: { readonly url?: string };
  };
  const schema = fs.readFileSync(path.join(root, "provider", "package.schema.json"), "utf8");
  fs.writeFileSync(path.join(folder, "package.schema.json"), publishedSchema(schema, repository));
}

/** Builds the SDK, the platform, the provider and the charts into a folder. */
export async function buildPackage(root: string, folder: string): Promise<void> {
  const provider = path.join(folder, "provider");
  const platform = { external: ["@pulumi/*", "google-protobuf"], plugins: [lazily(root, "@pulumi/aws")] };
  const bundled = await Promise.all([
    bundleCheck(root, folder),
    bundle(root, PLATFORM, path.join(folder, "platform.cjs"), platform),
    bundle(root, PROVIDER, path.join(provider, "provider.cjs"), { external: NEVER }),
    bundle(root, COMPONENTS, path.join(provider, "components.cjs"), { plugins: [unused] }),
  ]);
  writeLicenses(root, bundled.flat(), folder);
  writePrograms(root, provider);
  const pulumi = await writeNodeSdk(path.join(provider, "package.schema.json"), path.join(folder, "sdk"));
  writeProgram(path.join(folder, "bin", "stackyard"), "..", START);
  fs.cpSync(path.join(root, "charts"), path.join(folder, "charts"), { recursive: true });
  for (const [name, text] of Object.entries({ "index.cjs": INDEX, "index.mjs": MODULE, "index.d.ts": TYPES }))
    fs.writeFileSync(path.join(folder, name), text);
  writeManifest(root, folder, {
    name: "stackyard",
    description: "Data platforms on Kubernetes as components of Pulumi",
    main: "./index.cjs",
    types: "./index.d.ts",
    exports: {
      ".": { types: "./index.d.ts", import: "./index.mjs", require: "./index.cjs" },
      "./package.json": "./package.json",
    },
    bin: { stackyard: "bin/stackyard" },
    files: ["LICENSES-BUNDLED.txt", "*.cjs", "*.mjs", "index.d.ts", "bin/", "sdk/", "provider/", "charts/"],
    pulumi,
    ranges: { dependencies: DEPENDENCIES, peerDependencies: PEERS },
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
  });
}

/** Writes the package for programs into a folder. Returns the path of its file. */
export const writePackage = (root: string, folder: string): Promise<string> =>
  packed(folder, "library.md", root, (parts) => buildPackage(root, parts));

/** Writes the package of the command line into a folder. Returns the path of its file. */
export const writeCommandLine = (root: string, folder: string): Promise<string> =>
  packed(folder, "cli.md", root, (parts) => buildCommandLine(root, parts));

async function packed(
  folder: string,
  page: string,
  root: string,
  write: (parts: string) => Promise<void>,
): Promise<string> {
  const parts = fs.mkdtempSync(path.join(tmpdir(), "stackyard-package-"));
  try {
    await write(parts);
    const readme = fs.readFileSync(path.join(root, "docs", page), "utf8");
    // Other pages are not in the package.
    fs.writeFileSync(path.join(parts, "README.md"), readme.replaceAll(/\[([^\]]+)\]\((?!https:)[^)]+\)/g, "$1"));
    return await pack(parts, folder);
  } finally {
    fs.rmSync(parts, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const folder = path.resolve(process.argv[2] ?? ".");
  Promise.all([writePackage(projectRoot(), folder), writeCommandLine(projectRoot(), folder)]).then(
    (files) => process.stdout.write(files.map((file) => `${path.relative(process.cwd(), file)}\n`).join("")),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
