import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { BundleCache, defaultCacheFolder } from "../../../bundles/cache";
import { contentDigest, makeTree } from "../../../bundles/tree/tree";
import { projectRoot } from "../../../toolchain/root";
import { cacheIn, temporaryFolder, treeOf, write } from "./samples";

describe("the bundle cache", () => {
  const folder = temporaryFolder();
  const contents = (): string[] => readdirSync(join(folder(), "content"));
  const file = (tree: ReturnType<typeof treeOf>): string => join(folder(), "content", contentDigest(tree).slice(7));
  const sized = (name: string, kilobytes: number) => treeOf({ [`manifests/${name}`]: Buffer.alloc(kilobytes * 1024) });

  it("returns the tree that was stored, with empty folders and the names of other files", async () => {
    const path = fc.stringMatching(/^[a-zü]{1,4}(\/[a-z]{1,3})?$/);
    const files = fc.uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 20 })), {
      selector: ([name]) => name,
      maxLength: 5,
    });
    const cache = cacheIn(join(folder(), "all"));
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

  it("stores the same content once, readable only by its owner", async () => {
    const cache = cacheIn(folder());
    const tree = treeOf({ "manifests/a": "a" });
    await Promise.all(["one", "two", "three"].map((key) => cache.keep(key, tree)));
    assert.equal(contents().length, 1);
    assert.equal(statSync(file(tree)).mode & 0o777, 0o600);
    assert.deepEqual(await cache.find("two"), tree);
  });

  it("treats damaged content as missing, and repairs it on the next write", async () => {
    const cache = cacheIn(folder());
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

  it("evicts the least recently read content, but never the content just stored", async () => {
    const cache = cacheIn(join(folder(), "small"), 100 * 1024);
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

  it("removes partial files of a killed process", async () => {
    const cache = cacheIn(join(folder(), "killed"));
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

  it("reports once that it cannot be read or written, and then acts as if it were empty", async () => {
    const tree = treeOf({ "manifests/a": "a" });
    await cacheIn(folder()).keep("key", tree);
    // A file where a folder is expected stops everybody, root too.
    const reported: string[] = [];
    const broken = () => new BundleCache((message) => reported.push(message), file(tree));
    await broken().keep("key", tree);
    const cache = broken();
    assert.equal(await cache.find("key"), undefined);
    await cache.keep("key", tree);
    assert.equal(reported.length, 2);
    assert.match(
      reported[0] ?? "",
      /can't be written \(.*\); so content is fetched each time\. Expected a folder of your own with room in it: .* XDG_CACHE_HOME/,
    );
    assert.match(reported[1] ?? "", /can't be read \(ENOTDIR/);
  });

  it("keeps nothing of content that does not fit on the disk", async function () {
    // A disk of its own needs rights that not everybody has.
    const disk = join(folder(), "disk");
    mkdirSync(disk);
    const mount = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]);
    if (mount.status !== 0) return this.skip();
    const script = join(folder(), "fill.ts");
    const from = (path: string): string => JSON.stringify(join(projectRoot(), "bundles", path));
    await write(folder(), {
      "fill.ts": `
        import { BundleCache } from ${from("cache")};
        import { makeTree } from ${from("tree/tree")};
        const cache = new BundleCache(console.log, ${JSON.stringify(disk)});
        void cache.keep("key", makeTree([["manifests/a", Buffer.alloc(3e6)]])).then(() => cache.find("key")).then((found) => {
          console.log(found, require("node:fs").readdirSync(${JSON.stringify(join(disk, "content"))}));
        });`,
    });
    const command = `mount -t tmpfs -o size=1m none ${disk} && exec ${process.execPath} --import tsx ${script}`;
    const { stdout, stderr } = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", command], {
      encoding: "utf8",
      cwd: projectRoot(),
    });
    assert.match(stdout, /^the cache of bundles can't be written \(ENOSPC: .*\nundefined \[\]\n$/, stderr);
  }).timeout(20_000);

  it("supports concurrent readers, writers and evictions", async () => {
    const place = join(folder(), "shared");
    const limit = 100 * 1024;
    const trees = Array.from({ length: 12 }, (_, i) => sized(String(i), 20));
    const one = async (): Promise<void> => {
      const cache = cacheIn(place, limit);
      for (let turn = 0; turn < 60; turn++) {
        const tree = trees[Math.floor(Math.random() * trees.length)];
        if (tree === undefined) continue;
        const key = contentDigest(tree);
        const found = await cache.find(key);
        if (found === undefined) await cache.keep(key, tree);
        else assert.equal(contentDigest(found), key);
      }
    };
    await Promise.all(Array.from({ length: 6 }, one));
    const bytes = readdirSync(join(place, "content")).map((name) => statSync(join(place, "content", name)).size);
    assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= limit + 6 * 21 * 1024, String(bytes));
  }).timeout(20_000);

  it("is in the user's cache folder", () => {
    const before = process.env["XDG_CACHE_HOME"];
    process.env["XDG_CACHE_HOME"] = "/some/where";
    assert.equal(defaultCacheFolder(), "/some/where/stackyard/bundles");
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
  });
});
