import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { buildAsset } from "../../../cli/teraslice/assets/build";
import { readBundle } from "../../../provider/resources/terasliceJob/master/bundle";
import { TerasliceMaster } from "../../doubles/teraslice/master";

describe("a built asset", () => {
  let folder: string;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };

  beforeEach(() => (folder = path.join(mkdtempSync(path.join(tmpdir(), "stackyard-asset-")), "mine")));
  afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

  /** Unpacks a bundle, and prints these of its exports. */
  async function run(zip: Uint8Array, what: string): Promise<{ readonly stdout: string; readonly out: string }> {
    const out = path.join(folder, "out");
    const reader = new ZipReader(new Uint8ArrayReader(zip), { useWebWorkers: false });
    for (const entry of await reader.getEntries()) {
      if (!entry.directory) write(path.join("out", entry.filename), await entry.getData(new TextWriter()));
    }
    const script = `const all = await import(${JSON.stringify(path.join(out, "index.js"))}); const { ASSETS, words } = all; console.log(${what});`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    return { stdout, out };
  }

  it("is its unchanged folder, and the same zip file for the same sources", async () => {
    write("asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("noop/processor.js", "module.exports = 1;");
    const { zip, fileName } = await buildAsset(folder, 24);
    assert.equal(fileName, "mine-v1.0.0-bundle.zip");
    assert.equal((await readBundle(zip)).name, "mine");
    assert.deepEqual((await buildAsset(folder, 24)).zip, zip);
  });

  it("is bundled with its imports if there is an index next to asset/asset.json", async () => {
    write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("asset/src/index.ts", 'import { one } from "./one"; export const ASSETS: object = { one };');
    write("asset/src/one.ts", "export const one: number = 1;");
    const { zip, asset, fileName } = await buildAsset(folder, 24);
    assert.deepEqual([fileName, asset.nodeVersion], ["mine-v1.0.0-node-24-bundle.zip", 24]);
    const double = new TerasliceMaster();
    assert.equal((await double.store.assets.save(zip)).id, asset.id, "a master gives it the id that we expect");
  });

  for (const kind of ["bundled", "unchanged"]) {
    it(`gets its missing dependencies without a change of its folder: ${kind}`, async () => {
      write("../one/package.json", JSON.stringify({ name: "one", version: "1.0.0", main: "one.js" }));
      write("../one/one.js", "exports.one = 'installed';");
      write("package.json", JSON.stringify({ name: "around", version: "1.0.0" }));
      write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
      const dependencies = { one: `file:${path.join(folder, "../one")}` };
      write("asset/package.json", JSON.stringify({ name: "mine", version: "1.0.0", dependencies }));
      write(
        `asset/${kind === "bundled" ? "index" : "noop"}.js`,
        'import { one } from "one"; export const ASSETS = one;',
      );
      const { zip } = await buildAsset(folder, 24);
      if (kind === "bundled") assert.equal((await run(zip, "ASSETS")).stdout, "installed\n");
      const names = (await new ZipReader(new Uint8ArrayReader(zip), { useWebWorkers: false }).getEntries()).map(
        ({ filename }) => filename,
      );
      assert.equal(names.includes("node_modules/one/one.js"), kind === "unchanged", names.join());
      assert.deepEqual(readdirSync(path.join(folder, "asset")).includes("node_modules"), false);
    });
  }

  it("says why its dependencies can't be installed", async () => {
    write("asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("package.json", JSON.stringify({ name: "mine", dependencies: { one: "file:/does/not/exist" } }));
    await assert.rejects(buildAsset(folder, 24), /the dependencies of \S+ can't be installed by npm install .*: npm/);
    write("pnpm-lock.yaml", "");
    const { PATH } = process.env;
    process.env["PATH"] = folder;
    try {
      await assert.rejects(buildAsset(folder, 24), /can't be installed by pnpm .*: pnpm is not on PATH/);
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("runs on its own, with static files and the globals of CommonJS", async () => {
    write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("asset/__static_assets/words.txt", "hello");
    write("asset/lib/old.js", "module.exports = { folder: __dirname, files: require('node:fs') };");
    write(
      "asset/index.js",
      [
        'import { createRequire } from "node:module";',
        'import old from "./lib/old.js";',
        "const require = createRequire(import.meta.url);",
        "class Noop {}",
        'export const ASSETS = { noop: { Processor: Noop }, name: Noop.name, os: require("node:os").EOL };',
        'export const words = old.files.readFileSync(old.folder + "/__static_assets/words.txt", "utf8");',
      ].join("\n"),
    );
    const { stdout, out } = await run((await buildAsset(folder, 24)).zip, "ASSETS.name, words");
    assert.equal(readFileSync(path.join(out, "package.json"), "utf8"), '{ "type": "module" }\n');
    assert.equal(stdout, "Noop hello\n");
  });

  it("keeps its own folder and modules beside another asset in the same process", async () => {
    const build = async (name: string): Promise<string> => {
      write("asset/asset.json", JSON.stringify({ name, version: "1.0.0" }));
      write("asset/lib/old.js", "module.exports = () => [__dirname, __filename, require(process.env.MODULE)];");
      write("asset/index.js", 'import old from "./lib/old.js";\nexport const ASSETS = {};\nexport const words = old;');
      const { out } = await run((await buildAsset(folder, 24)).zip, "1");
      renameSync(out, path.join(folder, name));
      write(`${name}/own.cjs`, `module.exports = ${JSON.stringify(name)};`);
      return path.join(folder, name, "index.js");
    };
    const files = [await build("first"), await build("second")];
    const script = `const all = []; for (const file of ${JSON.stringify(files)}) all.push(await import(file));
      console.log(JSON.stringify(all.map(({ words }) => words())));`;
    const env = { ...process.env, MODULE: "./own.cjs" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    assert.deepEqual(
      JSON.parse(stdout),
      files.map((file) => [path.dirname(file), file, path.basename(path.dirname(file))]),
    );
  });

  it("omits native code of Teraslice's logger, and contains WebAssembly as bytes", async () => {
    write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    // As the package looks for what it compiled, which is not there or can't be bundled.
    const native = "for (const one of ['Release']) require('./build/' + one + '/DTraceProviderBindings');";
    write("asset/node_modules/dtrace-provider/index.js", native);
    write("asset/node_modules/dtrace-provider/package.json", JSON.stringify({ main: "index.js" }));
    write("asset/node_modules/log/index.js", "try { require('dtrace-provider'); } catch { exports.plain = true; }");
    write("asset/code.wasm", "bytes");
    const lines = ['import { plain } from "log";', 'import code from "./code.wasm";'];
    write("asset/index.js", [...lines, "export const ASSETS = { plain, code };"].join("\n"));
    const { stdout } = await run(
      (await buildAsset(folder, 24)).zip,
      "ASSETS.plain, Buffer.from(ASSETS.code).toString()",
    );
    assert.equal(stdout, "true bytes\n");
  });

  it("is rejected if it is not an asset or cannot be bundled", async () => {
    await assert.rejects(buildAsset(folder, 24), /expected one with asset\.json or asset\/asset\.json/);
    write("asset.json", JSON.stringify({ name: "mine" }));
    await assert.rejects(buildAsset(folder, 24), /is no asset: its asset\.json has no version/);
    write("asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("index.js", "import './absent.js';");
    await assert.rejects(buildAsset(folder, 24), /index\.js can't be bundled: .*absent/s);
  });
});
