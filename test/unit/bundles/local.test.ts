import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { fetchSource, openBundle, resolveSource } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import { HELM } from "../../../bundles/format/helm/helm";
import type { LocalSource } from "../../../bundles/sources/local";
import { cacheIn, configMap, temporaryFolder, write } from "./samples";

describe("a bundle in a folder", () => {
  const folder = temporaryFolder();
  const reader = () => ({ base: folder(), cache: cacheIn(join(folder(), "cache")) });
  const access = () => ({ ...reader(), keep: ["manifests"] });
  const at = (path: string, directory?: string): LocalSource => ({ type: "local", path, directory });
  const files = {
    "manifests/01_a.yaml": configMap("a"),
    "manifests/b.json": "{}",
    "node_modules/x/y": "-> /etc/passwd",
  };

  it("has a digest that depends only on its own files, not on where and when they were written", async () => {
    await write(join(folder(), "one"), files);
    await write(join(folder(), "two/nested"), { ...files, "README.md": "other" });
    await utimes(join(folder(), "two/nested/manifests/b.json"), 1, 1);
    await chmod(join(folder(), "two/nested/manifests/b.json"), 0o600);
    const first = await resolveSource(at("one"), access());
    assert.deepEqual((await resolveSource(at("two", "./nested/"), access())).digest, first.digest);
    const { tree, sources, digest } = await openBundle([at("one")], reader());
    assert.deepEqual([...tree.files.keys()], ["manifests/01_a.yaml", "manifests/b.json"]);
    assert.deepEqual([sources[0]?.digest, digest], [first.digest, first.digest]);
  });

  it("is rejected if its files changed since it was resolved", async () => {
    await write(join(folder(), "changed"), files);
    const { digest } = await resolveSource(at("changed"), access());
    assert.equal((await fetchSource(at("changed"), digest, access())).files.size, 2);
    await write(join(folder(), "changed"), { "manifests/c.yaml": "" });
    // What was here before is still here, also when the folder is gone.
    assert.equal((await fetchSource(at("nowhere"), digest, access())).files.size, 2);
    await rm(join(folder(), "cache"), { recursive: true });
    await assert.rejects(fetchSource(at("changed"), digest, access()), (error) => {
      assert.ok(error instanceof Refused);
      return /changed has the digest sha256:\w+; expected sha256:\w+: its files were changed/.test(error.message);
    });
  });

  it("is combined with other sources, as long as no file is in two of them", async () => {
    await write(join(folder(), "more"), { "manifests/02_c.yaml": configMap("c") });
    const { tree, digest, sources } = await openBundle([at("one"), at("more")], reader());
    assert.deepEqual([...tree.files.keys()], ["manifests/01_a.yaml", "manifests/02_c.yaml", "manifests/b.json"]);
    assert.equal((await openBundle([at("more"), at("one")], reader())).digest, digest);
    assert.equal(sources.length, 2);
    await assert.rejects(
      openBundle([at("one"), at("two", "nested")], reader()),
      /manifests\/01_a\.yaml is in one and in two; expected every file in one source only/,
    );
  });

  it("goes into a folder of the bundle, as a chart that another one needs", async () => {
    await write(join(folder(), "chart"), { "Chart.yaml": "name: shop", "templates/a.yaml": "" });
    await write(join(folder(), "library"), { "Chart.yaml": "name: common", "values.yaml": "" });
    const within = (into: string): LocalSource => ({ ...at("library"), into });
    const { tree } = await openBundle([at("chart"), within("charts/common/")], reader(), HELM);
    assert.deepEqual(
      [...tree.files.keys()],
      ["Chart.yaml", "charts/common/Chart.yaml", "charts/common/values.yaml", "templates/a.yaml"],
    );
    // What the format reads is below its own root, not below that of the source.
    const plain = await openBundle([at("one"), { ...at("more", "manifests"), into: "manifests/sub" }], reader());
    assert.ok(plain.tree.files.has("manifests/sub/02_c.yaml"));
    await assert.rejects(
      openBundle([at("chart"), within("../out")], reader(), HELM),
      /has \.\. in it; expected one inside/,
    );
    await assert.rejects(
      openBundle(
        [at("chart"), at("chart", "templates"), { ...at("chart", "templates"), into: "templates" }],
        reader(),
        HELM,
      ),
      /templates\/a\.yaml is in chart and in chart; expected every file in one source only/,
    );
  });

  it("may contain links to its own files, but no links out of it and no pipes", async () => {
    await write(join(folder(), "links"), { "manifests/a": "x", "manifests/b": "-> a" });
    assert.equal((await resolveSource(at("links"), access())).tree?.files.get("manifests/b")?.toString(), "x");
    await write(join(folder(), "out"), { "manifests/b": "-> ../../one/manifests/b.json" });
    await assert.rejects(resolveSource(at("out"), access()), /is a link to .*, out of the source/);
    await write(join(folder(), "around"), { manifests: "-> ../one/manifests" });
    await assert.rejects(resolveSource(at("around"), access()), Refused);
    await write(join(folder(), "pipe"), { "manifests/a": "x" });
    execFileSync("mkfifo", [join(folder(), "pipe/manifests/p")]);
    await assert.rejects(resolveSource(at("pipe"), access()), /"manifests\/p" is a device, a socket or a pipe/);
  });

  it("has the same digest as in an archive", async () => {
    const archive = join(folder(), "one.tgz");
    execFileSync("tar", ["-czf", archive, "-C", join(folder(), "one"), "manifests"]);
    assert.equal(
      (await resolveSource(at("one.tgz"), access())).digest,
      (await resolveSource(at("one"), access())).digest,
    );
    await write(folder(), { "broken.tgz": "x".repeat(600) });
    await assert.rejects(
      resolveSource(at("broken.tgz"), access()),
      /^Refused: broken\.tgz: it is no tar archive, or damaged/,
    );
    await assert.rejects(resolveSource(at("/dev/null"), access()), /is neither a folder nor a file/);
  });

  it("is reported if it does not exist or its directory is invalid", async () => {
    await assert.rejects(resolveSource(at("nowhere"), access()), (error) => {
      assert.ok(error instanceof Unavailable && !error.passing);
      return /^nowhere can't be read: ENOENT/.test(error.message);
    });
    await assert.rejects(resolveSource(at("one", "../two"), access()), /"\.\.\/two" has \.\. in it/);
    await assert.rejects(resolveSource(at("one", "/two"), access()), /is absolute/);
  });
});
