import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { languageHosts, sdkGenerator } from "../../tools/pulumiLanguages";
import { pythonEnvironment } from "../../tools/pythonEnvironment";
import { testYard } from "../runtime/yard";
import type { Place } from "../runtime/world";
import { Example } from "./example";

const run = promisify(execFile);

/** The language hosts that can be built are too old to generate an SDK, so the generators that newer ones call do. */
async function generateSdk(place: Place, language: string, folder: string): Promise<void> {
  const schema = path.join(projectRoot(), "provider", "package.schema.json");
  await run("sdk-generator", [schema, language, folder], { env: { ...process.env, ...place.env } });
}

/** Up, change and destroy; each but the last is followed by a preview without changes. */
async function walk(example: Example): Promise<void> {
  await example.up();
  const outputs = JSON.parse(await example.outputs()) as Record<string, unknown>;
  assert.equal(outputs["host"], "https://shop-runtime.shop.example.com");
  assert.equal(outputs["cpu"], 2);
  assert.match(String(outputs["address"]), /^ray:\/\/main-ray-head-svc\.team-ray/);
  assert.match(String(outputs["digest"]), /^sha256:/);
  await example.set("version", "1.1.0");
  await example.set("workers", "2");
  const said = await example.up();
  assert.match(said, /ManifestSet shop-runtime-runtime-objects updated/);
  assert.match(said, /ManifestSet main-ray-main-objects updated/);
  await example.destroy();
  assert.doesNotMatch(await example.project.must("pulumi", "stack", "export", "-s", "here"), /stackyard:index/);
}

describe("a program with components", function () {
  this.timeout(900_000); // The first time the hosts are built.
  let place: Place;
  const examples: Example[] = [];
  before(async () => {
    const yard = await testYard();
    const { path: folders } = await ensureTools(projectRoot(), [languageHosts, sdkGenerator]);
    const PATH = [...folders, yard.env["PATH"] ?? process.env["PATH"]].join(path.delimiter);
    place = { ...yard, env: { ...yard.env, PATH } };
  });
  afterEach(async () => {
    for (const example of examples.splice(0)) await example.project.remove();
  });

  const exampleIn = async (language: string, env: Readonly<Record<string, string>>): Promise<Example> => {
    const example = await Example.of({ ...place, env: { ...place.env, ...env } }, language);
    examples.push(example);
    return example;
  };

  it("in Python has a runtime, a Ray cluster and a bundle", async function () {
    const environment = await pythonEnvironment("pulumi", projectRoot());
    if ("missing" in environment) {
      console.log(`      skipped: ${environment.missing}`);
      return this.skip();
    }
    const { python } = environment;
    const PATH = [path.dirname(python), place.env["PATH"]].join(path.delimiter);
    const example = await exampleIn("python", { PATH, PYTHONPATH: "./packages" });
    const { folder } = example.project;
    const [source, sdk] = [path.join(folder, "sdk"), path.join(folder, "packages")];
    await generateSdk(place, "python", source);
    const offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"];
    await run(python, ["-m", "pip", "install", ...offline, "--target", sdk, source]);
    await run(python, ["-m", "compileall", "-q", sdk]);
    await walk(example);
  });

  it("in Go has a runtime, a Ray cluster and a bundle", async () => {
    const example = await exampleIn("go", { GOFLAGS: "-mod=mod", CGO_ENABLED: "0" });
    const sdk = path.join(example.project.folder, "sdks", "stackyard");
    await generateSdk(place, "go", sdk);
    // The SDK names the oldest version that it runs with, which may not be there.
    const newest = `-require=github.com/pulumi/pulumi/sdk/v3@v${sdkGenerator.version}`;
    await run("go", ["mod", "edit", newest], { cwd: sdk });
    await walk(example);
  });

  it("in TypeScript has an SDK that compiles", async () => {
    const example = await exampleIn("runtimes", {});
    const sdk = path.join(example.project.folder, "sdk");
    await generateSdk(place, "nodejs", sdk);
    symlinkSync(path.join(projectRoot(), "node_modules"), path.join(sdk, "node_modules"));
    const compiler = path.join(projectRoot(), "node_modules", "typescript", "bin", "tsc");
    await run(process.execPath, [compiler, "--noEmit", "--project", sdk]);
  });
});
