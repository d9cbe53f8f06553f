import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { BundleCache } from "../../../bundles/cache";
import { findRendering, keepRendering } from "../../../provider/functions/renderChart";

describe("a cached rendering of a chart", () => {
  let folder: string;
  let cache: BundleCache;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-renderings-"));
    cache = new BundleCache((message) => assert.fail(message), folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const OBJECTS = [{ apiVersion: "v1", kind: "Secret", metadata: { name: "one" }, stringData: { token: "s3cret-ü" } }];
  const filesOf = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));

  it("is found only by its own inputs", async () => {
    await keepRendering(cache, "values 1", OBJECTS);
    assert.deepEqual(await findRendering(cache, "values 1"), OBJECTS);
    assert.equal(await findRendering(cache, "values 2"), undefined);
  });

  it("cannot be read without its inputs", async () => {
    await keepRendering(cache, "password: hunter2", OBJECTS);
    const files = filesOf();
    assert.ok(files.length > 0);
    for (const file of files) assert.doesNotMatch(`${file} ${readFileSync(file, "latin1")}`, /s3cret|hunter2|token/);
  });

  it("is ignored if its file is damaged", async () => {
    await keepRendering(cache, "values 1", OBJECTS);
    for (const file of filesOf().filter((each) => each.includes("content"))) {
      const bytes = readFileSync(file);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(file, bytes);
    }
    assert.equal(await findRendering(cache, "values 1"), undefined);
  });
});
