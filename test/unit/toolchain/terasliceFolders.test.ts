import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { terasliceFolders } from "../../../toolchain/yard/processNode/teraslice";

describe("built checkouts of Teraslice", () => {
  const root = mkdtempSync(path.join(tmpdir(), "stackyard-teraslice-"));
  after(() => rmSync(root, { recursive: true, force: true }));

  const checkout = (version: string): string => {
    const folder = path.join(root, version);
    const built = path.join(folder, "packages", "teraslice", "dist", "src");
    mkdirSync(built, { recursive: true });
    writeFileSync(path.join(built, "index.js"), "");
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ version }));
    return folder;
  };

  it("are those that TERASLICE names, oldest first", () => {
    const given = [checkout("3.18.0"), checkout("3.9.2")];
    const found = terasliceFolders({ TERASLICE: given.join(":") });
    assert.deepEqual(found, [
      { folder: given[1], version: "3.9.2" },
      { folder: given[0], version: "3.18.0" },
    ]);
  });

  it("are none where TERASLICE is empty", () => assert.deepEqual(terasliceFolders({ TERASLICE: "" }), []));

  it("are refused if they are not built", () => {
    const folder = path.join(root, "sources");
    assert.throws(
      () => terasliceFolders({ TERASLICE: folder }),
      /TERASLICE: .*sources.*index\.js does not exist; expected a built checkout of Teraslice/,
    );
  });
});
