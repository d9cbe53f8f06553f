import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import type { Tool } from "../../../toolchain/tools/table";
import { sdkGenerator } from "../../tools/pulumiLanguages";
import type { Place } from "../runtime/world";
import { Example } from "./example";

const run = promisify(execFile);

/** A place where Pulumi finds these language hosts, and the generators of SDKs. */
export async function withTools(place: Place, ...hosts: Tool[]): Promise<Place> {
  const { path: folders } = await ensureTools(projectRoot(), [...hosts, sdkGenerator]);
  const PATH = [...folders, place.env["PATH"] ?? process.env["PATH"]].join(path.delimiter);
  return { ...place, env: { ...place.env, PATH } };
}

/** The language hosts that can be built are too old to generate an SDK, so the generators that newer ones call do. */
export async function generateSdk(place: Place, language: string, folder: string): Promise<void> {
  const schema = path.join(projectRoot(), "provider", "package.schema.json");
  await run("sdk-generator", [schema, language, folder], { env: { ...process.env, ...place.env } });
}

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
  await generateSdk(place, "python", source);
  const offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"];
  await run(python, ["-m", "pip", "install", ...offline, "--target", sdk, source]);
  await run(python, ["-m", "compileall", "-q", sdk]);
  return example;
}

/** A program in Go with its SDK. */
export async function goExample(place: Place, name: string): Promise<Example> {
  const example = await Example.of({ ...place, env: { ...place.env, GOFLAGS: "-mod=mod", CGO_ENABLED: "0" } }, name);
  const sdk = path.join(example.project.folder, "sdks", "stackyard");
  await generateSdk(place, "go", sdk);
  // The SDK names the oldest version that it runs with, which may not be there.
  const newest = `-require=github.com/pulumi/pulumi/sdk/v3@v${sdkGenerator.version}`;
  await run("go", ["mod", "edit", newest], { cwd: sdk });
  return example;
}

/** A program in TypeScript with the SDK that `nodeSdk` compiled. */
export async function typescriptExample(
  place: Place,
  name: string,
  sdk: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Example> {
  const env = { PULUMI_NODEJS_TYPESCRIPT: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const example = await Example.of({ ...place, env: { ...place.env, ...env } }, name, secrets);
  const modules = path.join(example.project.folder, "node_modules", "@pulumi");
  const own = path.join(projectRoot(), "node_modules", "@pulumi");
  rmSync(modules);
  mkdirSync(modules);
  for (const each of readdirSync(own)) symlinkSync(path.join(own, each), path.join(modules, each));
  symlinkSync(path.join(sdk, "bin"), path.join(modules, "stackyard"));
  return example;
}

/** Generates and compiles the SDK for Node.js in a folder, and checks all examples in TypeScript with it. */
export async function nodeSdk(place: Place, folder: string): Promise<void> {
  const root = projectRoot();
  const tsc = (project: string) =>
    run(process.execPath, [path.join(root, "node_modules", "typescript", "bin", "tsc"), "--project", project]);
  await generateSdk(place, "nodejs", folder);
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await tsc(folder);
  // As it is published.
  copyFileSync(path.join(folder, "package.json"), path.join(folder, "bin", "package.json"));
  const examples = path.join(root, "examples");
  const files = readdirSync(examples, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("index.ts"))
    .map((file) => path.join(examples, file));
  const own = readFileSync(path.join(path.dirname(files[0]!), "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(own) as { compilerOptions: object };
  const paths = { "@pulumi/stackyard": [path.join(folder, "bin", "index.d.ts")] };
  const project = { compilerOptions: { ...compilerOptions, types: ["node"], noEmit: true, paths }, files };
  writeFileSync(path.join(folder, "examples.json"), JSON.stringify(project));
  await tsc(path.join(folder, "examples.json"));
}
