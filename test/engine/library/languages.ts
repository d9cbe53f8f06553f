import { execFile } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { generateSdk } from "../../../toolchain/release/sdk";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { sdkGenerator } from "../../../toolchain/tools/sdkGenerator";
import type { Tool } from "../../../toolchain/tools/table";
import type { Place } from "../runtime/world";
import { Example } from "./example";

const run = promisify(execFile);

/** A place where Pulumi finds these language hosts. */
export async function withTools(place: Place, ...hosts: Tool[]): Promise<Place> {
  const { path: folders } = await ensureTools(projectRoot(), hosts);
  const PATH = [...folders, place.env["PATH"] ?? process.env["PATH"]].join(path.delimiter);
  return { ...place, env: { ...place.env, PATH } };
}

const SCHEMA = path.join(projectRoot(), "provider", "package.schema.json");

/** A program in Python with its SDK. */
export async function pythonExample(
  place: Place,
  name: string,
  python: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Example> {
  const PATH = [path.dirname(python), place.env["PATH"]].join(path.delimiter);
  const example = await Example.of({ ...place, env: { ...place.env, PATH, PYTHONPATH: "./packages" } }, name, secrets);
  const { folder } = example.project;
  const [source, sdk] = [path.join(folder, "sdk"), path.join(folder, "packages")];
  await generateSdk(SCHEMA, "python", source);
  const offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"];
  await run(python, ["-m", "pip", "install", ...offline, "--target", sdk, source]);
  await run(python, ["-m", "compileall", "-q", sdk]);
  return example;
}

/** A program in Go with its SDK. */
export async function goExample(place: Place, name: string): Promise<Example> {
  const example = await Example.of({ ...place, env: { ...place.env, GOFLAGS: "-mod=mod", CGO_ENABLED: "0" } }, name);
  const sdk = path.join(example.project.folder, "sdks", "stackyard");
  await generateSdk(SCHEMA, "go", sdk);
  // The SDK names the oldest version that it runs with, which may not be there.
  const newest = `-require=github.com/pulumi/pulumi/sdk/v3@v${sdkGenerator.version}`;
  await run("go", ["mod", "edit", newest], { cwd: sdk });
  return example;
}

/** A program in TypeScript. */
export const typescriptExample = (place: Place, name: string, secrets: Readonly<Record<string, string>> = {}) =>
  Example.of(
    { ...place, env: { ...place.env, PULUMI_NODEJS_TYPESCRIPT: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" } },
    name,
    secrets,
  );

/** Checks the types of the SDK for Node.js, which is generated into a folder, and of all examples in TypeScript. */
export async function checkTypes(folder: string): Promise<void> {
  const root = projectRoot();
  const tsc = (project: string) =>
    run(process.execPath, [path.join(root, "node_modules", "typescript", "bin", "tsc"), "--project", project]);
  await generateSdk(SCHEMA, "nodejs", folder);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await tsc(folder);
  const examples = path.join(root, "examples");
  const files = readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("index.ts"))
    .map((file) => path.join(examples, file));
  const own = readFileSync(path.join(path.dirname(files[0]!), "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(own) as { compilerOptions: object };
  const paths = { stackyard: [path.join(folder, "bin", "index.d.ts")] };
  const project = { compilerOptions: { ...compilerOptions, types: ["node"], noEmit: true, paths }, files };
  writeFileSync(path.join(folder, "examples.json"), JSON.stringify(project));
  await tsc(path.join(folder, "examples.json"));
}
