import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { loadLazily } from "../../../../foundation/loader/lazy";

describe("a lazily loaded module", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-lazy-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
    delete (globalThis as Record<string, unknown>)["loadedLazily"];
  });

  const loads = () => (globalThis as Record<string, unknown>)["loadedLazily"] ?? 0;
  const moduleWith = (content: string): string => {
    const file = path.join(folder, "module.js");
    writeFileSync(file, `globalThis.loadedLazily = (globalThis.loadedLazily ?? 0) + 1;\n${content}\n`);
    return file;
  };

  it("runs once, on its first use", () => {
    const file = moduleWith("module.exports = { answer: 42 };");
    loadLazily(file);
    const required = createRequire(__filename)(file) as { answer: number };
    assert.equal(loads(), 0);
    assert.deepEqual([required.answer, required.answer, loads()], [42, 42, 1]);
  });

  it("is a namespace for a program that imports it as a whole, and does not run then", () => {
    const file = moduleWith("exports.__esModule = true; exports.answer = 42;");
    loadLazily(file, { namespace: true });
    const required = createRequire(__filename)(file) as { __esModule: boolean; answer: number };
    assert.deepEqual([required.__esModule, loads()], [true, 0]);
    assert.deepEqual([required.answer, loads()], [42, 1]);
  });
});
