import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { packTree } from "../../../bundles/archive/pack";
import { unpack } from "../../../bundles/archive/unpack";
import { Refused } from "../../../bundles/errors";
import { TreeBuilder } from "../../../bundles/tree/builder";
import { contentDigest, type FileTree } from "../../../bundles/tree/tree";
import { treeOf } from "./samples";

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function unpacked(bytes: Buffer): Promise<FileTree> {
  const builder = new TreeBuilder({ directory: "", keep: ["manifests"], image: false });
  await unpack(once(bytes), builder);
  return builder.build();
}

describe("a bundle archive", () => {
  it("has the content of the bundle, and the same bytes for any order of files", async () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .map((text) => `f${text.replace(/[^\p{L}\d._-]/gu, "-")}`);
    const files = fc.dictionary(
      fc
        .tuple(name, fc.integer({ min: 1, max: 6 }))
        .map(([text, times]) => `manifests/${[...text.repeat(times)].slice(0, 60).join("")}`),
      fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      { minKeys: 1, maxKeys: 8 },
    );
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const tree = treeOf(given);
        const { bytes } = await packTree(tree);
        assert.equal(contentDigest(await unpacked(bytes)), contentDigest(tree));
        const backwards = await packTree(treeOf(Object.fromEntries(Object.entries(given).reverse())));
        assert.ok(backwards.bytes.equals(bytes));
      }),
      { numRuns: 50 },
    );
  });

  it("keeps long names, names of all alphabets, and empty folders", async () => {
    const tree = treeOf({ [`manifests/${"л".repeat(120)}.yaml`]: "1", [`manifests/${"x".repeat(250)}`]: "2" }, [
      "manifests/empty",
    ]);
    const found = await unpacked((await packTree(tree)).bytes);
    assert.deepEqual([...found.files.keys()], [...tree.files.keys()]);
    assert.deepEqual(found.emptyFolders, ["manifests/empty"]);
  });

  it("records neither the time nor the place of its creation", async () => {
    const { bytes } = await packTree(treeOf({ "manifests/a": "1" }));
    assert.deepEqual([bytes.readUInt32LE(4), bytes[9]], [0, 255]);
    const header = gunzipSync(bytes).subarray(0, 512).toString("latin1");
    // Rights, owner, group, size, time.
    const fields = header
      .slice(100, 148)
      .split("\0")
      .map((field) => field.trim());
    assert.deepEqual(fields.map(Number), [644, 0, 0, 1, 0, ...fields.slice(5).map(() => 0)]);
    assert.equal(header.slice(265, 329).replaceAll("\0", ""), "");
  });

  it("is not created if it would be taken for a decompression bomb", async () => {
    const files = { "manifests/a": Buffer.alloc(9 * 1024 * 1024) };
    await assert.rejects(
      packTree(treeOf(files)),
      (error) => error instanceof Refused && /200 times/.test(error.message),
    );
  });
});
