import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unpack } from "../../../bundles/archive/unpack";
import { openAs } from "../../../cli/bundle/source/open";
import { BundleCache } from "../../../bundles/cache";
import { Refused } from "../../../bundles/errors";
import type { Source } from "../../../foundation/bundleSources";
import { Readable } from "node:stream";
import { readTree } from "../../../bundles/tree/readTree";
import { tarOf, type Entry } from "./archives";
import { Repository } from "./repository";
import { temporaryFolder } from "./samples";

type Files = Readonly<Record<string, string>>;

/** `-> target` is a link, `=> target` a hard link. */
const entryOf = ([path, text]: readonly [string, string]): Entry =>
  text.startsWith("-> ")
    ? { path, type: "SymbolicLink", target: text.slice(3) }
    : text.startsWith("=> ")
      ? { path, type: "Link", target: text.slice(3) }
      : { path, content: text };

/** Content of the folder of an archive, whatever its format. */
async function inArchive(files: Files, directory = "", keep?: readonly string[]): Promise<Record<string, string>> {
  const bytes = tarOf(Object.entries(files).map(entryOf));
  const tree = await readTree({ directory, keep }, (builder) => unpack(Readable.from([bytes]), builder));
  return Object.fromEntries([...tree.files].map(([path, content]) => [path, content.toString()]));
}

const KARPENTER = {
  "pkg/apis/crds/pools.yaml": "kind: X",
  "pkg/apis/crds/more/claims.yaml": "kind: Y",
  "charts/crd/Chart.yaml": "name: crd",
  "charts/crd/crds": "-> ../../pkg/apis/crds",
};

describe("links within a source", () => {
  const root = temporaryFolder();
  /** A new folder. */
  const folder = (): string => mkdtempSync(join(root(), "links-"));

  it("lead to files and folders beside the bundle's folder, also through other links", async () => {
    assert.deepEqual(await inArchive(KARPENTER, "charts/crd"), {
      "Chart.yaml": "name: crd",
      "crds/more/claims.yaml": "kind: Y",
      "crds/pools.yaml": "kind: X",
    });
    const chain = {
      ...{
        current: "-> releases/v2",
        "releases/v2/manifests": "-> ../shared/by-name",
        "releases/shared/by-name": "-> real",
      },
      ...{ "releases/shared/real/a.yaml": "-> ../../../top.yaml", "top.yaml": "a: 1" },
    };
    assert.deepEqual(await inArchive(chain, "current", ["manifests"]), { "manifests/a.yaml": "a: 1" });
    assert.deepEqual(await inArchive({ "real.yaml": "a: 1", "x/manifests/hard.yaml": "=> real.yaml" }, "x"), {
      "manifests/hard.yaml": "a: 1",
    });
  });

  it("give the same content from a folder, an archive and a commit, whose format is recognized", async () => {
    const place = folder();
    for (const [path, text] of Object.entries(KARPENTER)) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      if (text.startsWith("-> ")) symlinkSync(text.slice(3), join(place, path));
      else writeFileSync(join(place, path), text);
    }
    const archive = join(folder(), "charts.tar");
    writeFileSync(archive, tarOf(Object.entries(KARPENTER).map(entryOf)));
    const repository = await Repository.make(folder(), KARPENTER);
    const ref = { commit: repository.git("rev-parse", "HEAD") };
    const sources: Source[] = [
      { type: "local", path: place, directory: "charts/crd" },
      { type: "local", path: archive, directory: "charts/crd" },
      { type: "git", repository: `file://${repository.folder}`, ref, directory: "charts/crd" },
    ];
    const digests = await Promise.all(
      sources.map(async (source) => {
        const cache = new BundleCache(() => undefined, folder());
        const bundle = await openAs([source], undefined, { base: "/", cache, signal: undefined });
        assert.equal(bundle.format.name, "helm");
        assert.deepEqual([...bundle.tree.files.keys()], ["Chart.yaml", "crds/more/claims.yaml", "crds/pools.yaml"]);
        return bundle.digest;
      }),
    );
    assert.equal(new Set(digests).size, 1);
  });

  it("recognizes a kustomization beside many other files", async () => {
    const place = folder();
    for (let at = 0; at < 40; at++) writeFileSync(join(place, `a${at}.yaml`), "");
    writeFileSync(join(place, "kustomization.yaml"), "resources: [a1.yaml]");
    const cache = new BundleCache(() => undefined, folder());
    const reader = { base: "/", cache, signal: undefined };
    assert.equal((await openAs([{ type: "local", path: place }], undefined, reader)).format.name, "kustomize");
  });

  const deep = Object.fromEntries(
    Array.from({ length: 14 }, (_, at) => [
      [`d${at}/a`, `-> ../d${at + 1}`],
      [`d${at}/b`, `-> ../d${at + 1}`],
    ]).flatMap((pairs) => pairs as [string, string][]),
  );
  const hostile: Readonly<Record<string, readonly [files: Files, expected: RegExp, directory?: string]>> = {
    "an absolute link": [{ "x/a": "-> /etc/passwd" }, /out of the source/, "x"],
    "a link above the source": [{ "x/a": "-> ../../etc/passwd" }, /out of the source/, "x"],
    "a link above the source, by a folder that is a link": [
      { "x/y/z/a": "-> up/../../b", "x/y/z/up": "-> ../../..", b: "1" },
      /out of the source/,
      "x",
    ],
    "a link to itself": [{ "x/a": "-> a" }, /in a circle/, "x"],
    "links in a circle outside of the bundle": [
      { "x/a": "-> ../b/c", "b/c": "-> d", "b/d": "-> c" },
      /in a circle/,
      "x",
    ],
    "a link to a folder that contains it": [{ "x/y/a": "-> ../..", "x/b": "1" }, /a folder that contains it/, "x"],
    "two folders with links to each other": [
      { "x/a": "-> ../p", "p/q": "-> ../r", "r/s": "-> ../p" },
      /a folder that contains it/,
      "x",
    ],
    "a link to nothing": [{ "x/a": "-> ../b" }, /"x\/a" is a link to "b", which is no file of the source/, "x"],
    "a hard link to nothing": [{ "x/a": "=> b" }, /which is no file of the source/, "x"],
    "a hard link to a later file": [{ "x/a": "=> b", b: "1" }, /which is no file of the source/, "x"],
    "a link to version control": [{ "x/a": "-> ../.git/config", ".git/config": "token" }, /no file of the source/, "x"],
    "a chain of many files": [
      {
        ...{ "x/a": "-> ../c0/l" },
        ...Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`c${at}/l`, `-> ../c${at + 1}/l`])),
      },
      /more than 8 times/,
      "x",
    ],
    "a file below a link": [{ "x/a": "-> b", "x/a/c": "1", "x/b/d": "2" }, /below "x\/a", which is no folder/, "x"],
    "a folder and a link of the same name": [{ "x/a/b": "1", x: "-> y", "y/a": "2" }, /is in it twice/, "x/a"],
    "folders that double with each link": [{ ...deep, "d14/f": "1" }, /more than/],
    "a bundle's folder that is a link out": [{ x: "-> ../y" }, /out of the source/, "x"],
    "a bundle's folder that is a link in a circle": [{ x: "-> y", y: "-> x" }, /more than 8 times/, "x/z"],
  };
  for (const [title, [files, expected, directory]] of Object.entries(hostile)) {
    it(`rejects ${title}`, async () => {
      await assert.rejects(inArchive(files, directory), (error) => {
        assert.ok(error instanceof Refused, (error as Error).stack);
        assert.match(error.message, expected);
        return true;
      });
    });
  }

  it("rejects links of a commit that lead out of it, wherever they are", async () => {
    for (const target of ["/etc/passwd", "../../../etc/passwd", "../p/up/../../b"]) {
      const repository = await Repository.make(folder(), { "p/up": "-> ../..", "p/a": "1", "x/l": `-> ${target}` });
      const ref = { commit: repository.git("rev-parse", "HEAD") };
      const source: Source = { type: "git", repository: `file://${repository.folder}`, ref, directory: "x" };
      const cache = new BundleCache(() => undefined, folder());
      await assert.rejects(openAs([source], "kustomize", { base: "/", cache, signal: undefined }), /out of the source/);
    }
  });

  it("gives Helm what git checks out", async () => {
    const repository = await Repository.make(folder(), KARPENTER);
    const listed = execFileSync("find", ["-L", "charts/crd", "-type", "f"], {
      cwd: repository.folder,
      encoding: "utf8",
    });
    const own = Object.keys(await inArchive(KARPENTER, "charts/crd")).map((path) => `charts/crd/${path}`);
    assert.deepEqual(listed.trim().split("\n").sort(), own.sort());
  });
});
