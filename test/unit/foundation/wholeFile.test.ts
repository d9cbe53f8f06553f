import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeFolder } from "../../../foundation/wholeFile";

describe("a folder that is made", () => {
  const base = mkdtempSync(path.join(tmpdir(), "stackyard-folder-"));
  after(() => rmSync(base, { recursive: true, force: true }));

  it("has its parents, and may be there already, also from another process at the same time", async () => {
    const folder = path.join(base, "a", "b", "c");
    await Promise.all([makeFolder(folder), makeFolder(folder)]);
    await makeFolder(folder);
    assert.ok(existsSync(folder));
  });

  it("is an error where a file system takes none, and no endless search for a parent", async function () {
    if (process.platform !== "linux") return this.skip();
    await assert.rejects(makeFolder("/proc/stackyard/cache"), { code: "ENOENT" });
  });
});
