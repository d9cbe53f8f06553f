import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { BundleCache, defaultCacheFolder } from "../../../provider/bundles/cache";
import { contentDigest, makeTree } from "../../../provider/bundles/tree/tree";
import { temporaryFolder, treeOf } from "./samples";

describe("The cache of bundles", () => {
  const folder = temporaryFolder();
  const contents = (): string[] => readdirSync(join(folder(), "content"));
  const file = (tree: ReturnType<typeof treeOf>): string => join(folder(), "content", contentDigest(tree).slice(7));
  const sized = (name: string, kilobytes: number) => treeOf({ [`manifests/${name}`]: Buffer.alloc(kilobytes * 1024) });

  it("gives back what it was given, with empty folders and the names beside", async () => {
    const path = fc.stringMatching(/^[a-zü]{1,4}(\/[a-z]{1,3})?$/);
    const files = fc.uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 20 })), {
      selector: ([name]) => name,
      maxLength: 5,
    });
    const cache = new BundleCache(join(folder(), "all"));
    await fc.assert(
      fc.asyncProperty(files, fc.string(), async (entries, key) => {
        const tree = makeTree(
          entries.map(([name, bytes]) => [name, Buffer.from(bytes)] as const),
          ["manifests/z"],
          ["README"],
        );
        await cache.keep(key, tree);
        assert.deepEqual(await cache.find(key), tree);
      }),
      { numRuns: 50 },
    );
    assert.equal(await cache.find("another key"), undefined);
  });

  it("keeps one content once, readable by its owner only", async () => {
    const cache = new BundleCache(folder());
    const tree = treeOf({ "manifests/a": "a" });
    await Promise.all(["one", "two", "three"].map((key) => cache.keep(key, tree)));
    assert.equal(contents().length, 1);
    assert.equal(statSync(file(tree)).mode & 0o777, 0o600);
    assert.deepEqual(await cache.find("two"), tree);
  });

  it("takes damaged content for missing, and is mended by the next writer", async () => {
    const cache = new BundleCache(folder());
    const tree = treeOf({ "manifests/a": "damaged" });
    await cache.keep("key", tree);
    for (const bytes of [
      "",
      "{}",
      "null\n",
      '{"files":[["a",1]],"folders":[],"others":[]}\nxx',
      '{"files":[[1,"b"]]}\n',
    ]) {
      writeFileSync(file(tree), bytes);
      assert.equal(await cache.find("key"), undefined);
      await cache.keep("key", tree);
      assert.deepEqual(await cache.find("key"), tree);
    }
  });

  it("removes what was not read for the longest time, never what it was just given", async () => {
    const cache = new BundleCache(join(folder(), "small"), 100 * 1024);
    const at = (tree: ReturnType<typeof treeOf>): string =>
      join(folder(), "small/content", contentDigest(tree).slice(7));
    const [a, b, c, large] = [sized("a", 40), sized("b", 41), sized("c", 42), sized("large", 200)];
    await cache.keep("a", a);
    await utimes(at(a), 1, 1);
    await cache.keep("b", b);
    await utimes(at(b), 2, 2);
    assert.ok(await cache.find("a"));
    await cache.keep("c", c);
    assert.deepEqual(
      [!!(await cache.find("a")), !!(await cache.find("b")), !!(await cache.find("c"))],
      [true, false, true],
    );
    assert.equal(readdirSync(join(folder(), "small/origins")).length, 2);
    await cache.keep("large", large);
    assert.ok(await cache.find("large"));
    assert.equal(readdirSync(join(folder(), "small/content")).length, 1);
  });

  it("removes what a killed process left half written", async () => {
    const cache = new BundleCache(join(folder(), "killed"));
    await cache.keep("a", sized("a", 1));
    const left = join(folder(), "killed/content/abc.def");
    writeFileSync(left, "half");
    await cache.keep("b", sized("b", 1));
    assert.equal(readdirSync(join(folder(), "killed/content")).length, 3);
    await utimes(left, 1, 1);
    await cache.keep("c", sized("c", 1));
    assert.deepEqual(
      readdirSync(join(folder(), "killed/content")).filter((name) => name.includes(".")),
      [],
    );
  });

  it("is in the user's cache folder", () => {
    const before = process.env["XDG_CACHE_HOME"];
    process.env["XDG_CACHE_HOME"] = "/some/where";
    assert.equal(defaultCacheFolder(), "/some/where/stackyard/bundles");
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
  });
});
