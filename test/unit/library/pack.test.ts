import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { extract } from "tar";
import { publishedSchema, writePackage } from "../../../toolchain/release/package";

const ROOT = path.join(__dirname, "..", "..", "..");
const run = promisify(execFile);

/** A program that creates a component and a resource on Pulumi's mocks, and prints what is registered. */
const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
pulumi.runtime.setMocks({
  newResource: ({ type, name, inputs }) => {
    console.log(type + " " + name);
    return { id: name + "-id", state: { ...inputs, endpoint: { address: "ray://main" } } };
  },
  call: () => ({}),
}, "own", "here", false);
const stackyard = require("stackyard");
const cluster = { kubeconfig: { content: pulumi.secret("kind: Config") } };
const ray = new stackyard.RayCluster("main", { cluster, mode: "static" });
new stackyard.ManifestSet("set", { cluster: "https://10.0.0.1", name: "set", namespace: "default", objects: [] });
ray.endpoint.apply(({ address }) => console.log(address, ray instanceof pulumi.ComponentResource));
`;

describe("the package in another program", function () {
  this.timeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-library-"));
  const installed = path.join(folder, "node_modules", "stackyard");
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const node = async (text: string, name = "program.cjs"): Promise<string> => {
    // Without the lines of the package that node shows of an uncaught error.
    const { stdout } = await run(process.execPath, [write(name, text)], { cwd: folder }).catch(
      ({ stderr = "" }: { stderr?: string }) => assert.fail(stderr.slice(-2_000)),
    );
    return stdout;
  };
  before(async () => {
    mkdirSync(installed, { recursive: true });
    await extract({ file: await writePackage(ROOT, folder), cwd: installed, strip: 1 });
    // Only what the package asks for, and what a TypeScript program has.
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(installed, "package.json"), "utf8"),
    ) as {
      readonly [kind: string]: Readonly<Record<string, string>>;
    };
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, "@types/node": "" })) {
      const link = path.join(folder, "node_modules", name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(ROOT, "node_modules", name), link);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("exports the components and resources of the schema, and the platform, and runs no program", async () => {
    const names = JSON.parse(await node('console.log(JSON.stringify(Object.keys(require("stackyard"))))')) as string[];
    const schema = readFileSync(path.join(installed, "provider", "package.schema.json"), "utf8");
    const { resources } = JSON.parse(schema) as { resources: object };
    for (const token of Object.keys(resources)) assert.ok(names.includes(token.split(":")[2] ?? ""), token);
    assert.ok(names.includes("platform"));
  });

  it("has the built programs and the charts, without sources and tests, in a few megabytes", () => {
    const files = globSync("**/*", { cwd: installed }).filter((name) => statSync(path.join(installed, name)).isFile());
    const others = files.filter((name) => !/^(sdk|charts)\//.test(name)).sort();
    assert.deepEqual(others, [
      "LICENSE",
      "LICENSES-BUNDLED.txt",
      "README.md",
      "bin/stackyard",
      "index.cjs",
      "index.d.ts",
      "index.mjs",
      "nodeVersion.cjs",
      "package.json",
      "platform.cjs",
      "provider/components.cjs",
      "provider/package.schema.json",
      "provider/provider.cjs",
      "provider/pulumi-resource-",
      "provider/pulumi-resource-stackyard",
    ]);
    const bytes = files.reduce((sum, name) => sum + statSync(path.join(installed, name)).size, 0);
    assert.ok(bytes < 15e6, `${bytes} bytes`);
    assert.match(
      readFileSync(path.join(installed, "LICENSES-BUNDLED.txt"), "utf8"),
      /^zod \S+ \(MIT\)\n\nMIT License$/m,
    );
  });

  it("compiles nothing, writes nothing, and changes no variable of the program", async () => {
    const listed = () =>
      globSync("**/*", { cwd: installed }).map((name) => `${name} ${statSync(path.join(installed, name)).mtimeMs}`);
    const before = listed();
    const text = `require("@pulumi/pulumi"); const before = JSON.stringify(process.env); require("stackyard");
      console.log(before === JSON.stringify(process.env), Object.keys(require.cache).some((file) => /esbuild|tsx/.test(file)));`;
    assert.equal(await node(text), "true false\n");
    assert.deepEqual(listed(), before);
  });

  it("names in its schema where a release of its repository has executables", () => {
    const text = '{"name":"stackyard"}';
    assert.equal(publishedSchema(text), text);
    assert.deepEqual(JSON.parse(publishedSchema(text, { url: "git+https://github.com/acme/data.git" })), {
      name: "stackyard",
      repository: "https://github.com/acme/data",
      pluginDownloadURL: "github://api.github.com/acme/data",
    });
  });

  it("names the Node.js that it requires on an older one", async () => {
    const args = ["--require", path.join(__dirname, "../../fixtures/oldNode.cjs")];
    const line = /(?:^|Error: )(\S[^\n]*) needs Node\.js 22\.15 or newer; this is 20\.1\.0 \(\S+\)\]?\n/;
    for (const entry of ["index.cjs", "index.mjs", "bin/stackyard", "provider/pulumi-resource-stackyard"]) {
      const started = run(process.execPath, [...args, path.join(installed, entry)], { cwd: folder });
      await assert.rejects(started, ({ stderr }: { stderr: string }) => line.test(stderr) && !/^ +at /m.test(stderr));
    }
  });

  it("exports the same names to ES modules", async () => {
    const text = `import * as all from "stackyard"; import { createRequire } from "node:module";
      const lacking = Object.keys(createRequire(import.meta.url)("stackyard")).filter((name) => all[name] === undefined);
      console.log(JSON.stringify(lacking), typeof all.platform, typeof all.RayCluster);`;
    assert.equal(await node(text, "program.mjs"), "[] function function\n");
  });

  it("is loaded in a fraction of the time that Pulumi's SDK takes", async () => {
    const text = `require("@pulumi/pulumi"); const { cpuUsage } = process; const before = cpuUsage();
      require("stackyard"); const { user, system } = cpuUsage(before); console.log((user + system) / 1_000);`;
    const milliseconds = await Promise.all([node(text, "a.cjs"), node(text, "b.cjs"), node(text, "c.cjs")]);
    assert.ok(Math.min(...milliseconds.map(Number)) < 150, milliseconds.join());
  });

  it("creates components and resources", async () => {
    const text = await node(PROGRAM);
    assert.match(text, /^stackyard:index:RayCluster main$/m);
    assert.match(text, /^stackyard:index:ManifestSet set$/m);
    assert.match(text, /^ray:\/\/main true$/m);
  });

  it("reports every fault of a platform's config", async () => {
    const text = await node(`
      const pulumi = require("@pulumi/pulumi");
      pulumi.runtime.setMocks({ newResource: () => ({}), call: () => ({}) }, "stackyard", "here", false);
      pulumi.runtime.setAllConfig({ "stackyard:ray": '{"main": {"mod": "static"}}', "stackyard:rai": "{}" });
      require("stackyard").platform().catch((error) => console.log(error.message));`);
    assert.match(text, /stackyard:ray\.main\.mod: found an unknown key; .*; did you mean mode$/m);
    assert.match(text, /stackyard:rai: found an unknown key; .*; did you mean ray$/m);
  });

  it("has types that a strict compiler accepts and enforces, with documentation", async () => {
    const options = { module: "nodenext", target: "es2023", strict: true, noEmit: true, skipLibCheck: false };
    const compilerOptions = { ...options, exactOptionalPropertyTypes: true, types: ["node"] };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["typed.cts", "typed.mts"] }));
    write("typed.mts", 'import { platform } from "stackyard"; export const run: () => Promise<object> = platform;');
    write(
      "typed.cts",
      `import * as pulumi from "@pulumi/pulumi";
       import * as stackyard from "stackyard";
       const cluster = { kubeconfig: { content: pulumi.secret("kind: Config") } };
       const ray = new stackyard.RayCluster("main", { cluster, mode: "static", reservedCpu: pulumi.output(1) });
       export const address: pulumi.Output<object> = ray.endpoint;
       // @ts-expect-error There is no such mode.
       new stackyard.RayCluster("other", { cluster, mode: "statik" });
       // @ts-expect-error There is no such argument.
       new stackyard.RayCluster("other", { cluster, mode: "static", rai: 1 });
       // @ts-expect-error A cluster is required.
       new stackyard.RayCluster("other", { mode: "static" });`,
    );
    const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
    await run(process.execPath, [tsc, "--project", folder]).catch((error: { stdout?: string }) =>
      assert.fail(error.stdout),
    );
    const typings = readFileSync(path.join(installed, "sdk", "rayCluster.d.ts"), "utf8");
    assert.match(typings, /\*\/\n +reservedCpu\?: pulumi\.Input<number/);
  });
});
