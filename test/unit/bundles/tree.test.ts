import assert from "node:assert/strict";
import fc from "fast-check";
import { Refused } from "../../../bundles/errors";
import { LIMITS } from "../../../bundles/limits";
import { TreeBuilder } from "../../../bundles/tree/builder";
import { cleanDirectory, cleanPath, linkTarget } from "../../../bundles/tree/paths";
import { contentDigest, makeTree } from "../../../bundles/tree/tree";
import { treeOf } from "./samples";

const builder = (directory = "", image = false): TreeBuilder =>
  new TreeBuilder({ directory, keep: ["manifests"], image });

/** Entries as an archive would include them. */
function fill(into: TreeBuilder, files: Readonly<Record<string, string>>): TreeBuilder {
  for (const [raw, text] of Object.entries(files)) {
    const path = into.entry(raw);
    if (text.startsWith("-> ")) into.link(path, text.slice(3));
    else if (text.startsWith("=> ")) into.hardLink(path, text.slice(3));
    else into.file(path, Buffer.from(text));
  }
  return into;
}
const built = (into: TreeBuilder): Record<string, string> =>
  Object.fromEntries([...into.build().files].map(([path, bytes]) => [path, bytes.toString()]));
const refused = (files: Readonly<Record<string, string>>, expected: RegExp, into = builder()): void => {
  assert.throws(
    () => fill(into, files).build(),
    (error) => error instanceof Refused && expected.test(error.message),
  );
};

describe("the digest of a bundle's content", () => {
  const path = fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,2}$/);
  const files = fc.uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 8 })), {
    selector: ([name]) => name,
    maxLength: 6,
  });
  const digest = (entries: readonly (readonly [string, Uint8Array])[]): string =>
    contentDigest(makeTree(entries.map(([name, bytes]) => [name, Buffer.from(bytes)] as const)));

  it("does not depend on the order of files", () => {
    fc.assert(fc.property(files, (entries) => assert.equal(digest(entries), digest(entries.toReversed()))));
  });

  it("changes with every path and every content", () => {
    fc.assert(
      fc.property(files, files, (a, b) => {
        const text = (entries: typeof a): string => JSON.stringify(entries.map(([n, c]) => [n, [...c]]).sort());
        assert.equal(digest(a) === digest(b), text(a) === text(b));
      }),
    );
    assert.notEqual(contentDigest(treeOf({ "a/b": "" })), contentDigest(treeOf({ "a/b": "" }, ["a/c"])));
    assert.equal(contentDigest(treeOf({ "a/b": "" })), contentDigest(treeOf({ "a/b": "" }, ["a"])));
  });

  it("ignores committed whiteout files, which no image can contain", () => {
    const of = (files: Readonly<Record<string, string>>, directory = ""): string =>
      contentDigest(fill(builder(directory), files).build());
    const opaque = { "manifests/.wh..wh..opq": "", "manifests/b/.wh..wh..opq": "", ".wh..wh..opq": "" };
    assert.equal(of({ ...opaque, "manifests/a": "a" }), contentDigest(treeOf({ "manifests/a": "a" }, ["manifests/b"])));
    assert.equal(
      of({ "x/.wh..wh..opq": "", "x/manifests/a": "a" }, "x"),
      contentDigest(treeOf({ "manifests/a": "a" })),
    );
    assert.deepEqual(built(fill(builder(), { "manifests/.wh..wh..opq": "kind: Pod" })), {
      "manifests/.wh..wh..opq": "kind: Pod",
    });
  });

  it("stays the same in every release", () => {
    assert.equal(
      contentDigest(treeOf({ "manifests/a.yaml": "a" }, ["manifests/b"])),
      "sha256:5416302e5b1aaf0b8f358019358f8ae88e0103312d14b372d01961ee5dd3f5d7",
    );
  });
});

describe("the root folder of a bundle", () => {
  it("must exist; otherwise the error lists the names that do", () => {
    refused(
      { "shop-1.4/manifests/a": "a", "README.md": "b" },
      /^it has no folder "shop-1\.5"; at its root it has README\.md, shop-1\.4$/,
      builder("shop-1.5"),
    );
    refused({ "deploy/prod/a": "a" }, /no folder "deploy\/test"; at its root it has deploy/, builder("deploy/test"));
    refused({}, /no folder "deploy"; at its root it has nothing/, builder("deploy"));
  });

  it("may be empty", () => {
    const empty = builder("deploy");
    empty.folder(empty.entry("deploy"));
    assert.deepEqual(built(empty), {});
  });
});

describe("an untrusted path", () => {
  it("is normalized", () => {
    assert.equal(cleanPath("./a//b/./c/"), "a/b/c");
    assert.equal(cleanPath("./"), "");
    assert.equal(cleanDirectory("."), "");
    assert.equal(cleanDirectory("ab"), "ab");
    assert.equal(cleanDirectory(undefined), "");
  });

  it("never leads out of the tree", () => {
    const name = fc.constantFrom("..", ".", "", "a", "...", "..a", "a..", "/", "\0", "\\", "C:");
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        const raw = names.join("/");
        let clean: string;
        try {
          clean = cleanPath(raw);
        } catch (error) {
          return assert.ok(error instanceof Refused);
        }
        assert.ok(!raw.startsWith("/") && !raw.split("/").includes(".."), raw);
        assert.ok(clean === "" || clean.split("/").every((each) => !["", ".", ".."].includes(each)), clean);
      }),
      { numRuns: 1000 },
    );
  });

  it("is rejected if it is longer or deeper than any file system allows", () => {
    assert.throws(() => cleanPath("a".repeat(256)), /name longer than 255 bytes/);
    assert.throws(() => cleanPath("ä".repeat(128)), /name longer than 255 bytes/);
    assert.throws(() => cleanPath("a/".repeat(65)), /more than 64 folders/);
    assert.throws(() => cleanPath("abcdefgh/".repeat(500)), /longer than 4096 bytes/);
  });

  it("is followed as a link only inside the tree", () => {
    assert.equal(linkTarget("a/b/c", "../d"), "a/d");
    assert.equal(linkTarget("a/b", "./c//d/.."), "a/c");
    assert.equal(linkTarget("a/b", "../../c"), undefined);
    assert.equal(linkTarget("a/b", "/etc/passwd"), undefined);
    assert.equal(linkTarget("a/b", "../../a/c"), undefined);
  });
});

describe("a tree builder", () => {
  it("keeps the files of the format below the root, and a few of the other names", () => {
    const files = {
      "x/manifests/a": "1",
      "x/README": "2",
      "manifests/b": "3",
      "y/manifests/c": "4",
      "x/manifestsx/d": "5",
    };
    const tree = fill(builder("x"), files).build();
    assert.deepEqual([...tree.files.keys()], ["manifests/a"]);
    assert.deepEqual(tree.others, ["README", "manifestsx"]);
  });

  it("follows links to files of the bundle, and copies hard links", () => {
    const files = {
      "manifests/a": "1",
      "manifests/b": "-> a",
      "manifests/c": "-> ./b",
      "manifests/d": "=> manifests/a",
    };
    assert.deepEqual(built(fill(builder(), files)), {
      "manifests/a": "1",
      "manifests/b": "1",
      "manifests/c": "1",
      "manifests/d": "1",
    });
  });

  it("rejects all other links", () => {
    refused(
      { "manifests/a": "-> ../../etc/passwd" },
      /"manifests\/a" is a link to "\.\.\/\.\.\/etc\/passwd", out of the source/,
    );
    refused({ "manifests/a": "-> /etc/passwd" }, /out of the source/);
    refused({ "other/a": "-> /etc/passwd" }, /out of the source/);
    refused(
      { "manifests/a": "-> b/../c" },
      /"manifests\/a" is a link to "manifests\/b", which is no file of the source/,
    );
    refused({ "manifests/a": "-> a" }, /is a link to "a", out of the source or in a circle/);
    refused({ "manifests/a": "-> b", "manifests/b": "-> a" }, /in a circle/);
    refused({ "manifests/a": "=> manifests/b" }, /no file of the source/);
    refused({ "manifests/a": "=> ../x" }, /has \.\. in it/);
    refused({ manifests: "x" }, /"manifests" is no folder/);
    refused({ manifests: "-> other" }, /"manifests" is no folder/, builder("", true));
  });

  it("rejects a duplicate file, and a file below a file", () => {
    refused({ "manifests/a": "1", "./manifests/a": "2" }, /"manifests\/a" is in it twice/);
    refused(
      { "manifests/a": "1", "manifests/a/b": "2" },
      /"manifests\/a\/b" is below "manifests\/a", which is no folder/,
    );
    refused({ "manifests/a/b": "1", "manifests/a": "2" }, /"manifests\/a" is in it twice/);
  });

  it("rejects misleading names", () => {
    for (const name of ["a\\b", "a\u001b[2J", "a\u202eb", "a\ufffd"]) {
      refused({ [`manifests/${name}`]: "" }, /expected a plain name/);
    }
    refused({ "C:/manifests/a": "" }, /drive of Windows/);
  });

  it("rejects content beyond the limits before it is read", () => {
    const limits = { ...LIMITS, fileBytes: 10, keptBytes: 15, keptFiles: 3, entries: 5 };
    const small = (): TreeBuilder => new TreeBuilder({ directory: "", keep: ["manifests"], image: false }, limits);
    assert.throws(() => small().room("manifests/a", 11), /has more than/);
    refused({ "manifests/a": "123456789", "manifests/b": "123456789" }, /the bundle's files have more than/, small());
    refused(
      { "manifests/a": "", "manifests/b": "", "manifests/c": "", "manifests/d": "" },
      /more than 3 files/,
      small(),
    );
    refused({ a: "", b: "", c: "", d: "", e: "", f: "" }, /more than 5 entries/, small());
    refused({ "manifests/a": "1234567890", "manifests/b": "-> a" }, /the bundle's files have more than/, small());
  });

  it("reads only the bundle from an image, where later layers win", () => {
    const image = builder("", true);
    fill(image, {
      "etc/mtab": "-> /proc/mounts",
      "lib/systemd/a\\x2db.slice": "",
      "bin/a": "=> /bin/b",
      "manifests/a": "1",
    });
    image.special(image.entry("dev/null"), "a device");
    fill(image, { "manifests/a": "2", "manifests/b": "3", "manifests/c/d": "4" });
    fill(image, { "manifests/c": "5" });
    assert.deepEqual(built(image), { "manifests/a": "2", "manifests/b": "3", "manifests/c": "5" });
    assert.throws(
      () => image.special(image.entry("manifests/x"), "a device"),
      /"manifests\/x" is a device; expected only/,
    );
    assert.throws(() => image.entry("a/../../b"), /has \.\. in it/);
  });
});
