import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { digestsOf } from "../../../toolchain/check/digests";
import { importGraph, readSources } from "../../../toolchain/check/importGraph";
import { projectRoot } from "../../../toolchain/root";

describe("the digest of a file for its checks", () => {
  const graph = new Map([
    ["top.ts", ["middle.ts"]],
    ["middle.ts", ["bottom.ts", "circle.ts"]],
    ["circle.ts", ["middle.ts"]],
    ["bottom.ts", []],
    ["other.ts", []],
  ]);
  const contents = new Map([...graph.keys()].map((file) => [file, `text of ${file}`]));

  /** Files whose digest differs after a change. */
  function changedBy(now: ReadonlyMap<string, string>, nowGraph = graph, common = "same"): string[] {
    const before = digestsOf(graph, contents, "same");
    return [...digestsOf(nowGraph, now, common)].flatMap(([file, digest]) =>
      before.get(file) === digest ? [] : [file],
    );
  }

  it("stays the same when nothing changes", () => {
    assert.deepEqual(changedBy(contents), []);
  });

  it("changes with the file and with everything that it imports", () => {
    assert.deepEqual(changedBy(new Map(contents).set("top.ts", "x")), ["top.ts"]);
    assert.deepEqual(changedBy(new Map(contents).set("circle.ts", "x")), ["top.ts", "middle.ts", "circle.ts"]);
    assert.deepEqual(changedBy(new Map(contents).set("bottom.ts", "x")), [
      "top.ts",
      "middle.ts",
      "circle.ts",
      "bottom.ts",
    ]);
  });

  it("changes when an imported file is deleted", () => {
    const without = new Map([...graph].filter(([file]) => file !== "bottom.ts"));
    assert.deepEqual(changedBy(contents, without.set("middle.ts", ["circle.ts"])), [
      "top.ts",
      "middle.ts",
      "circle.ts",
    ]);
  });

  it("changes with the common inputs of all checks", () => {
    assert.equal(changedBy(contents, graph, "another version of the compiler").length, graph.size);
  });
});

describe("the checks of types and lint rules", function () {
  this.timeout(60_000);
  const root = projectRoot();
  let folder: string;

  const write = (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text);

  /** What the checks of the folder print, and their exit code. */
  const check = (): Promise<{ code: number; printed: string }> =>
    new Promise((resolve) => {
      const program = `require(${JSON.stringify(path.join(root, "toolchain", "check", "typesAndLint.ts"))})
        .typesAndLint(process.cwd()).then((code) => { process.exitCode = code; })`;
      const child = execFile(
        process.execPath,
        ["--import", path.join(root, "node_modules", "tsx", "dist", "loader.mjs"), "--eval", program],
        { cwd: folder },
        (_, stdout, stderr) => resolve({ code: child.exitCode ?? 1, printed: stdout + stderr }),
      );
    });

  beforeEach(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-check-")));
    fs.mkdirSync(path.join(folder, "node_modules"));
    for (const name of [".bin", "oxlint"])
      fs.symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      lib: ["es2024"],
      types: [],
      strict: true,
      resolveJsonModule: true,
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions: { ...compilerOptions, noUnusedLocals: true } }));
    write(
      ".oxlintrc.jsonc",
      '{ "categories": { "correctness": "off" }, "rules": { "typescript/no-floating-promises": "error" }, "options": { "typeAware": true } }',
    );
    write("one.ts", "export const one = (): number => 1;\n");
    write("two.ts", 'import { one } from "./one";\nexport const two = (): void => {\n  one();\n};\n');
    write("three.ts", "export const three = 3;\n");
  });
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  it("skip files that passed, and report a fault that a change causes in another file", async () => {
    const first = await check();
    assert.match(first.printed, /^3 of 3 files changed/m);
    assert.equal(first.code, 0, first.printed);
    assert.match((await check()).printed, /^0 of 3 files changed/m);

    // The promise floats in two.ts, which did not change.
    write("one.ts", "export const one = (): Promise<number> => Promise.resolve(1);\n");
    for (const time of ["the first time", "again"]) {
      const { code, printed } = await check();
      assert.match(printed, /^2 of 3 files changed/m, time);
      assert.match(printed, /no-floating-promises[^]*two\.ts/);
      assert.equal(code, 1);
    }
  });

  it("report a fault that a change of an imported JSON file causes", async () => {
    write("value.json", '{ "value": 1 }');
    write("three.ts", 'import { value } from "./value.json";\nexport const three: number = value;\n');
    assert.equal((await check()).code, 0);
    write("value.json", '{ "value": "1" }');
    const { code, printed } = await check();
    assert.match(printed, /^1 of 3 files changed[^]*TS2322|TS2322[^]*^1 of 3 files changed/m);
    assert.equal(code, 1);
  });

  it("report wrong types, missing modules and unused names", async () => {
    write("three.ts", 'import "./none";\nexport const three: number = "3";\nconst unused = 1;\n');
    const { code, printed } = await check();
    assert.equal(code, 1);
    for (const error of ["TS2882", "TS2322", "TS6133"]) assert.ok(printed.includes(error), `${error}: ${printed}`);
  });
});

describe("the import graph", () => {
  it("includes imports of types, declarations and folders, and imports at run time", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-imports-"));
    try {
      fs.mkdirSync(path.join(folder, "room"));
      const texts = {
        "a.ts": 'import type { B } from "./b";\nexport * from "./room";\nconst c = import("./c.js");\nimport "./none";',
        "b.ts": 'import { a } from "package";\ntype A = typeof import("./a");',
        "c.d.ts": "export {};",
        "room/index.ts": 'const b = require("../b") as unknown;',
      };
      for (const [file, text] of Object.entries(texts)) fs.writeFileSync(path.join(folder, file), text);
      assert.deepEqual(Object.fromEntries(importGraph(readSources(folder))), {
        "a.ts": ["b.ts", "room/index.ts", "c.d.ts"],
        "b.ts": ["a.ts"],
        "c.d.ts": [],
        "room/index.ts": ["b.ts"],
      });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
