import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FEATURES } from "../../../components/features";
import { importGraph, readSources, sourceFiles } from "../../../toolchain/check/importGraph";
import { circlesOf, folderCircles, roomOf } from "./circles";

const root = join(__dirname, "..", "..", "..");
const sources = (folder: string): string[] => globSync(`${folder}/**/*.ts`, { cwd: root }).sort();

/** Tests and benchmarks may import every room. */
const graph = importGraph(
  readSources(
    root,
    sourceFiles(root).filter((file) => !["test", "bench"].includes(roomOf(file))),
  ),
);

const BASE = ["foundation", "kubernetes", "bundles", "provider"];
const PROGRAMS = ["foundation", "components", "runtime"];

/** Folders whose parts still use each other in a circle. It only gets shorter. */
const CIRCLES: readonly string[] = [];

/** What each room may use. The platform program is a room of its own. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  foundation: [],
  kubernetes: ["foundation"],
  bundles: ["foundation", "kubernetes"],
  provider: ["foundation", "kubernetes", "bundles", "components"],
  components: ["foundation"],
  runtime: ["foundation", "components"],
  "program.js": ["foundation"],
  examples: [],
  "index.ts": ["foundation", "components"],
  policy: ["foundation"],
  engine: [...BASE, ...PROGRAMS],
  service: [...BASE, ...PROGRAMS, "engine"],
  cli: [...BASE, ...PROGRAMS, "engine", "policy"],
  toolchain: [...BASE, ...PROGRAMS, "engine"],
};

describe("the source tree", () => {
  it("lets a top-level folder import only from the folders below it", () => {
    const strays = [...graph].flatMap(([file, imports]) =>
      imports
        .filter((to) => roomOf(to) !== roomOf(file) && !BELOW[roomOf(file)]!.includes(roomOf(to)))
        .map((to) => `${file} imports ${to}`),
    );
    assert.deepEqual(strays, []);
  });

  it("lets no feature import another feature or the platform", () => {
    const features = new Set(FEATURES.map(({ name }) => `components/${name}`));
    const folderOf = (file: string): string => file.split("/").slice(0, 2).join("/");
    const strays = [...graph].flatMap(([file, imports]) =>
      features.has(folderOf(file))
        ? imports
            .filter((to) => folderOf(to) !== folderOf(file))
            .filter((to) => features.has(folderOf(to)) || /^components\/(features\.ts|platform\/)/.test(to))
            .map((to) => `${file} imports ${to}`)
        : [],
    );
    assert.deepEqual(strays, []);
    for (const feature of features) assert.ok(graph.has(`${feature}/feature.ts`), feature);
  });

  it("reads states of Pulumi through their store only", () => {
    const open = /\/(store|stateStore|checkpoint|pending|repair|damage)\.ts$/;
    const inside = "engine/pulumi/state/";
    const strays = [...graph].flatMap(([file, imports]) =>
      file.startsWith(inside)
        ? []
        : imports.filter((to) => to.startsWith(inside) && !open.test(to)).map((to) => `${file} imports ${to}`),
    );
    assert.deepEqual(strays, []);
  });

  it("has no files that import each other in a cycle", () => {
    assert.deepEqual(circlesOf(graph), []);
  });

  it("has no folder whose files and subfolders import each other in a cycle", () => {
    const found = folderCircles(graph);
    const fresh = found.filter(({ folder }) => !CIRCLES.includes(folder));
    assert.deepEqual(fresh, []);
    const folders = new Set(found.map(({ folder }) => folder));
    assert.deepEqual(
      CIRCLES.filter((folder) => !folders.has(folder)),
      [],
      "these have none any more: remove them from the list",
    );
  });

  it("detects a cycle of folders without a cycle of files", () => {
    const folders = new Map([
      ["top.ts", ["a/one.ts"]],
      ["a/one.ts", ["a/b/two.js"]],
      ["a/b/two.js", ["c/three.ts"]],
      ["c/three.ts", ["a/four.ts"]],
      ["a/four.ts", []],
    ]);
    assert.deepEqual(folderCircles(folders), [
      { folder: ".", rooms: ["a", "c"], imports: ["a/b/two.js → c/three.ts", "c/three.ts → a/four.ts"] },
    ]);
  });

  it("detects a cycle of files", () => {
    const circle = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ]);
    assert.deepEqual(circlesOf(circle), [["a", "b", "c"]]);
  });

  it("has at most 15 files in each folder", () => {
    const files = new Map<string, number>();
    for (const folder of [...graph.keys()].map((file) => dirname(file))) {
      files.set(folder, (files.get(folder) ?? 0) + 1);
    }
    assert.deepEqual(
      [...files].filter(([, number]) => number > 15),
      [],
    );
  });

  it("has an import rule for every top-level folder", () => {
    const rooms = new Set([...graph.keys()].map(roomOf));
    assert.deepEqual(
      [...rooms].filter((room) => !(room in BELOW)),
      [],
    );
    assert.ok(graph.size > 800, `found only ${graph.size} files`);
    assert.ok([...graph.values()].flat().length > 3000);
  });

  it("reads stack config and the environment only in decoders", () => {
    const reads =
      /pulumi\.Config\b|\ballConfig\(|\bgetConfig\(|import \{[^}]*\bConfig\b[^}]*\} from "@pulumi|process\.env\b/;
    const readers = [...sources("components"), ...sources("runtime"), "index.ts"].filter((file) =>
      reads.test(readFileSync(join(root, file), "utf8")),
    );
    assert.deepEqual(readers, [
      "components/platform/config/decode.ts",
      // A script that runs in a pod.
      "components/teraslice/podConfig/secretConfig.ts",
      "runtime/decodeConfig.ts",
    ]);
  });

  it("has no import of Pulumi in plans", () => {
    const strays = sources("components")
      .filter((file) => /(^|\/)(plan|names)\.ts$/.test(file))
      .filter((file) => /from "@pulumi\//.test(readFileSync(join(root, file), "utf8")));
    assert.deepEqual(strays, []);
  });

  it("gives every component and resource a unique token", () => {
    const tokensIn = (file: string): string[] => {
      const text = readFileSync(join(root, file), "utf8");
      return [...text.matchAll(/stackyard:index:([A-Za-z]+)"|component\("([A-Za-z]+)"\)/g)].map((m) => m[1] ?? m[2]!);
    };
    // Tokens of classes, for code that must not load the SDK.
    const copies = "components/resources/tokens.ts";
    const tokens = sources("components").flatMap((file) => (file === copies ? [] : tokensIn(file)));
    for (const token of tokensIn(copies)) assert.ok(tokens.includes(token), `${copies}: no class has ${token}`);
    assert.ok(tokens.length >= 5, `found only ${tokens.join(", ")}`);
    assert.deepEqual(tokens.toSorted(), [...new Set(tokens)].toSorted());
  });
});
