/** `npx tsx toolchain/release/sdk.ts SCHEMA FOLDER` writes the archives of the SDKs for Python and Go, and prints their paths. */

import { execFile } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { version } from "../../package.json";
import { projectRoot } from "../root";
import { ensureTools } from "../tools/ensure";
import { sdkGenerator } from "../tools/sdkGenerator";

const run = promisify(execFile);

/** The SDK for Node.js is the npm package. */
const ARCHIVED = ["python", "go"] as const;

/** Writes the source of an SDK into a folder, from the file of a package schema. */
export async function generateSdk(schema: string, language: "nodejs" | "python" | "go", folder: string): Promise<void> {
  const { programs } = await ensureTools(projectRoot(), [sdkGenerator]);
  await run(programs["sdk-generator"] ?? "", [schema, language, folder]);
}

/**
 * Writes the SDK for Node.js as JavaScript with typings. Checks no types, which a test does. Returns what Pulumi reads
 * of its package.json: from where it installs the provider.
 */
export async function writeNodeSdk(schema: string, folder: string): Promise<object> {
  const source = fs.mkdtempSync(path.join(tmpdir(), "stackyard-sdk-"));
  try {
    await generateSdk(schema, "nodejs", source);
    const { config } = ts.readConfigFile(path.join(source, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
      readonly config: { readonly compilerOptions: object };
    };
    const own = { noCheck: true, sourceMap: false, declarationMap: false, types: [], lib: ["es2022"], outDir: folder };
    const project = { ...config, compilerOptions: { ...config.compilerOptions, ...own } };
    const { fileNames, options } = ts.parseJsonConfigFileContent(project, ts.sys, source);
    ts.createProgram(fileNames, options).emit();
    const manifest = path.join(source, "package.json");
    fs.copyFileSync(manifest, path.join(folder, "package.json"));
    return (JSON.parse(fs.readFileSync(manifest, "utf8")) as { readonly pulumi: object }).pulumi;
  } finally {
    fs.rmSync(source, { recursive: true, force: true });
  }
}

async function writeArchives(schema: string, folder: string): Promise<void> {
  const temporary = fs.mkdtempSync(path.join(tmpdir(), "stackyard-sdks-"));
  try {
    for (const language of ARCHIVED) {
      await generateSdk(schema, language, path.join(temporary, language));
      const file = path.join(folder, `stackyard-sdk-${language}-${version}.tar.gz`);
      await run("tar", ["-czf", file, "--owner=0", "--group=0", "-C", temporary, language]);
      process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
    }
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const [schema = "", folder = "."] = process.argv.slice(2);
  writeArchives(path.resolve(schema), path.resolve(folder)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
