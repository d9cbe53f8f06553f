import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { projectRoot } from "../../../../toolchain/root";
import { fresh, run } from "../../../../foundation/loader/fresh";

describe("a bundle", () => {
  let root: string;
  const write = (file: string, text: string): void => fs.writeFileSync(path.join(root, file), text);
  const value = (): unknown => {
    const file = fresh("entry.ts", { root });
    return (createRequire(__filename)(file) as { value: unknown }).value;
  };
  /** A time that differs from whatever the file has, in either direction. */
  const date = (file: string, seconds: number): void => fs.utimesSync(path.join(root, file), seconds, seconds);

  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-bundle-")));
    write("entry.ts", 'import { word } from "./part";\nexport const value: string = word;\n');
    write("part.ts", 'export const word = "one";\n');
    write("package-lock.json", "{}");
    for (const file of ["entry.ts", "part.ts", "package-lock.json"]) date(file, 1_700_000_000);
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  it("is built if it is missing, and used again while nothing changes", () => {
    assert.equal(value(), "one");
    const folder = path.join(root, "node_modules/.cache/stackyard");
    const before = fs.statSync(path.join(folder, "entry.json")).mtimeMs;
    assert.equal(fresh("entry.ts", { root }), fresh("entry.ts", { root }));
    assert.equal(fs.statSync(path.join(folder, "entry.json")).mtimeMs, before);
  });

  it("leaves no process of the bundler behind", async () => {
    // Not in this process, whose loader has one of its own.
    const script = `const { execFileSync } = require("node:child_process");
      require(${JSON.stringify(path.join(projectRoot(), "foundation/loader/fresh.js"))}).fresh("entry.ts", { root: ${JSON.stringify(root)} });
      const until = Date.now() + 20_000;
      (function look() {
        const lines = execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" }).split("\\n");
        const left = lines.filter((line) => line.trim().startsWith(process.pid + " ") && /esbuild(?!.*defunct)/.test(line));
        if (left.length === 0) console.log("none");
        else if (Date.now() > until) console.log(left);
        else return setTimeout(look, 50);
        process.exit();
      })();`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { cwd: projectRoot() });
    assert.equal(stdout, "none\n");
  });

  it("is used unchanged once it is sealed, whatever times its sources have", () => {
    fresh("entry.ts", { root, sealed: true });
    const folder = path.join(root, "node_modules/.cache/stackyard");
    const before = fs.readdirSync(folder);
    write("part.ts", 'export const word = "two";\n');
    assert.equal(value(), "one");
    assert.deepEqual(fs.readdirSync(folder), before);
    fresh("entry.ts", { root, sealed: true });
    assert.equal(value(), "two");
  });

  it("reports a build before it starts, and nothing while nothing changes", () => {
    const record = path.join(root, "node_modules/.cache/stackyard/entry.json");
    const reported: boolean[] = [];
    const onBuild = () => reported.push(fs.existsSync(record));
    fresh("entry.ts", { root, onBuild });
    fresh("entry.ts", { root, onBuild });
    assert.deepEqual(reported, [false]);
  });

  it("maps an error of the program to its position in the sources", async () => {
    write("part.ts", "// One line more.\nexport const word = (): never => {\n  throw new Error(`no ${1}`);\n};\n");
    write("entry.ts", 'import { word } from "./part";\nexport = async () => word();\n');
    const program = run("entry.ts", { root }) as () => Promise<void>;
    await assert.rejects(program(), (error: Error) => {
      assert.match(error.stack ?? "", /no 1\n.*part\.ts:3:9/);
      return true;
    });
  });

  it("is built again when a source changes to a newer or an older file", () => {
    assert.equal(value(), "one");
    write("part.ts", 'export const word = "two";\n');
    assert.equal(value(), "two");
    write("part.ts", 'export const word = "six";\n');
    date("part.ts", 1_600_000_000);
    assert.equal(value(), "six");
  });

  it("is built again when the installed or the external packages change", () => {
    fresh("entry.ts", { root });
    const record = path.join(root, "node_modules/.cache/stackyard/entry.json");
    const stamp = (): string => fs.readFileSync(record, "utf8");
    const first = stamp();
    write("package-lock.json", '{ "other": true }');
    fresh("entry.ts", { root });
    assert.notEqual(stamp(), first);
    fresh("entry.ts", { root, external: ["something"] });
    assert.ok((JSON.parse(stamp()) as { external: string[] }).external.includes("something"));
  });

  it("is built again when its record or its file is damaged or missing", () => {
    const file = fresh("entry.ts", { root });
    fs.rmSync(file);
    assert.equal(value(), "one");
    write("node_modules/.cache/stackyard/entry.json", '{"bundle":');
    assert.equal(fresh("entry.ts", { root }), file);
  });

  it("is not built from sources that do not compile, and the error has file and line", () => {
    write("part.ts", "export const word = ;\n");
    assert.throws(() => fresh("entry.ts", { root }), /part\.ts:1:/);
  });

  it("is kept for a while after it is built again, because a process may still read it", () => {
    const first = fresh("entry.ts", { root });
    write("part.ts", 'export const word = "two";\n');
    const second = fresh("entry.ts", { root });
    assert.notEqual(first, second);
    assert.ok(fs.existsSync(first));
  });
});
