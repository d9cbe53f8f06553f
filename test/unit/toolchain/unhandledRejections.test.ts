import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { load } from "js-yaml";
import { projectRoot } from "../../../toolchain/root";

const REQUIRED = "test/unhandledRejections.ts";
const TEST = `
it("forgets a promise", async () => {
  void Promise.reject(new Error("forgotten"));
  await new Promise((resolve) => setTimeout(resolve, 50));
});
`;

describe("an unhandled rejection", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-rejection-"));
  after(() => rmSync(folder, { recursive: true }));

  it("fails the test that runs", () => {
    const file = path.join(folder, "forgotten.test.cjs");
    writeFileSync(file, TEST);
    const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
    const args = [mocha, "--no-config", "--node-option", "import=tsx", "--require", REQUIRED, file];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: projectRoot(), encoding: "utf8" });
    assert.notEqual(status, 0, stdout);
    assert.match(stdout, /[12] failing[^]*Error: forgotten/);
  });

  for (const name of [".mocharc.yaml", ".mocharc.engine.yaml"]) {
    it(`fails the test that runs, with ${name}`, () => {
      const settings = load(readFileSync(path.join(projectRoot(), name), "utf8")) as { require: string[] };
      assert.ok(settings.require.includes(REQUIRED));
    });
  }
});
