import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../../toolchain/root";

const LOADER = path.join(projectRoot(), "foundation/loader/codeCache.js");

describe("the code cache of a bundle", () => {
  let folder: string;
  let bundle: string;

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-code-")));
    bundle = path.join(folder, "entry.0123.cjs");
    const functions = ["one", "two"].map(
      (name) => `exports.${name} = (list) => list.map((x) => "${name}" + x).join();`,
    );
    const all = [
      '"use strict";exports.fail = () => { throw new Error("no"); };',
      ...functions,
      'exports.place = () => [require("./beside").value, module.filename, __filename, __dirname];',
      'exports.later = () => import("node:path");',
    ];
    fs.writeFileSync(bundle, all.join("\n"));
    fs.writeFileSync(path.join(folder, "beside.js"), "exports.value = 7;");
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  /** What an expression about the loaded bundle is, in a process of its own. */
  const ask = async (expression: string, ...flags: string[]): Promise<unknown> => {
    const script = `const bundle = require(${JSON.stringify(LOADER)}).load(${JSON.stringify(bundle)});
      Promise.resolve(${expression}).then((value) => console.log(JSON.stringify(value)));`;
    const program = path.join(folder, "program.js");
    fs.writeFileSync(program, script);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, program]);
    assert.equal(stderr, "", "a user reads it");
    return JSON.parse(stdout) as unknown;
  };
  const caches = (): string[] => fs.readdirSync(folder).filter((file) => file.endsWith(".v8"));
  const size = (): number => fs.statSync(path.join(folder, caches()[0] ?? "none")).size;

  it("resolves modules as require does", async () => {
    const seen = [7, bundle, bundle, folder];
    for (let run = 1; run <= 2; run++) {
      assert.deepEqual(await ask("bundle.place()"), seen);
      assert.equal(await ask("bundle.later().then((path) => path.sep)"), path.sep);
      assert.equal(await ask('bundle.one(["a"])'), "onea");
    }
  });

  it("reports errors at their positions in the file", async () => {
    const [line = ""] = fs.readFileSync(bundle, "utf8").split("\n");
    const column = line.indexOf("new Error") + 1;
    const stack = "(() => { try { bundle.fail(); } catch (error) { return error.stack; } })()";
    for (let run = 1; run <= 2; run++)
      assert.match(String(await ask(stack)), new RegExp(`entry\\.0123\\.cjs:1:${column}`));
  });

  it("grows with the functions that other processes call, until it has all of them", async () => {
    await ask("bundle.one([1])");
    const first = size();
    await ask("bundle.two([1])");
    const second = size();
    assert.ok(second > first, `${second} bytes after ${first}`);
    for (let run = 3; run <= 4; run++) await ask("bundle.two([1])");
    assert.equal(size(), second);
  });

  it("serves all loads of a process, each with exports of its own", async () => {
    const again = `require(${JSON.stringify(LOADER)}).load(${JSON.stringify(bundle)})`;
    assert.deepEqual(await ask(`[bundle.one([1]), ${again}.one([2]), ${again} === bundle]`), ["one1", "one2", false]);
    const [runs = ""] = fs.readdirSync(folder).filter((file) => file.endsWith(".runs"));
    assert.equal(fs.readFileSync(path.join(folder, runs), "utf8"), ".", "it was compiled once");
  });

  it("is created again if it is damaged", async () => {
    await ask("bundle.one([1])");
    const first = size();
    const file = path.join(folder, caches()[0] ?? "");
    for (const damaged of [Buffer.alloc(0), Buffer.from("nothing"), fs.readFileSync(file).subarray(0, first / 2)]) {
      fs.writeFileSync(file, damaged);
      assert.equal(await ask("bundle.one([1])"), "one1");
      assert.ok(size() >= first);
    }
  });

  it("is separate for a V8 with other flags", async () => {
    await ask("bundle.one([1])");
    await ask("bundle.one([1])", "--no-opt");
    assert.equal(caches().length, 2);
  });

  it("is skipped if it cannot be written", async () => {
    fs.mkdirSync(path.join(folder, "gone"));
    const other = path.join(folder, "gone", "entry.cjs");
    fs.copyFileSync(bundle, other);
    bundle = other;
    const removed = `(require("node:fs").rmSync(${JSON.stringify(path.dirname(other))}, { recursive: true }), bundle.one([1]))`;
    assert.equal(await ask(removed), "one1");
  });
});
