import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectFolder } from "../../../cli/project/folder";

describe("the project of an installed command line", () => {
  const base = mkdtempSync(path.join(tmpdir(), "stackyard-project-"));
  after(() => rmSync(base, { recursive: true, force: true }));

  it("is the nearest platform above, also from its runtimes, and this folder without one", () => {
    const runtime = path.join(base, "platform", "runtime");
    mkdirSync(path.join(runtime, "deep"), { recursive: true });
    writeFileSync(path.join(base, "platform", "Pulumi.yaml"), "name: stackyard\nruntime: nodejs\n");
    writeFileSync(path.join(runtime, "Pulumi.yaml"), "name: stackyard-runtime\n");
    writeFileSync(path.join(runtime, "deep", "Pulumi.yaml"), "name: [broken\n");
    for (const folder of ["platform", "platform/runtime", "platform/runtime/deep"]) {
      assert.equal(projectFolder(path.join(base, folder)), path.join(base, "platform"), folder);
    }
    assert.equal(projectFolder(base), base);
  });
});
