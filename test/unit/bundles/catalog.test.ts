import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { BundleCache } from "../../../bundles/cache";
import { chooseBundle } from "../../../bundles/catalog/choose";
import { readPackage, type CatalogPackage } from "../../../bundles/catalog/read";
import { resolveSource } from "../../../bundles/bundle";
import { Refused } from "../../../bundles/errors";
import type { FileTree } from "../../../bundles/tree/tree";
import { resolve, treeOf, type Caller } from "../../../provider/resources/bundleRelease/wanted/content";
import { tarOf } from "./archives";
import { operator } from "./registry/operators";
import { temporaryFolder, treeOf as treeWith, write } from "./samples";
import { addImage, serve, type Pages } from "./server";

const digestOf = (version: string): string => `sha256:${version.replaceAll(/\D/g, "").padEnd(64, "0")}`;
const bundle = (version: string) => ({
  schema: "olm.bundle",
  name: `shop.v${version}`,
  package: "shop",
  image: `registry.example.com/shop@${digestOf(version)}`,
  properties: [
    { type: "olm.gvk", value: { group: "a", kind: "B", version: "v1" } },
    { type: "olm.package", value: { packageName: "shop", version } },
  ],
});
const channel = (name: string, ...entries: object[]) => ({ schema: "olm.channel", name, package: "shop", entries });
const entry = (version: string, more: object = {}) => ({ name: `shop.v${version}`, ...more });

const OBJECTS = [
  { schema: "olm.package", name: "shop", defaultChannel: "stable" },
  ...["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "2.0.0", "2.1.0-rc.1"].map(bundle),
  channel(
    "stable",
    entry("1.0.0"),
    entry("1.1.0", { replaces: "shop.v1.0.0" }),
    entry("1.2.0", { replaces: "shop.v1.1.0", skips: ["shop.v1.0.0"] }),
    entry("1.3.0", { replaces: "shop.v1.2.0" }),
    entry("1.4.0", { replaces: "shop.v1.3.0", skipRange: ">=1.1.0 <1.2.0" }),
    entry("2.0.0", { replaces: "shop.v1.4.0" }),
  ),
  channel("candidate", entry("2.1.0-rc.1", { replaces: "shop.v2.0.0" })),
  { ...bundle("9.0.0"), package: "other" },
  { schema: "olm.package", name: "other" },
];
const yaml = (objects: readonly object[]): string => objects.map((one) => `---\n${dump(one)}`).join("");

describe("a package in a catalog", () => {
  const shop: CatalogPackage = readPackage(
    treeWith({ "shop/catalog.yaml": yaml(OBJECTS), "README.md": "# x" }),
    "shop",
  );
  const chosen = (version: string, installed?: string, inChannel?: string): string => {
    const from = shop.bundles.find((one) => one.version === installed);
    return chooseBundle(shop, { package: "shop", version, channel: inChannel }, from).version;
  };

  it("is installed in the newest version of the range", () => {
    assert.equal(chosen(">=1.2 <2"), "1.4.0");
    assert.equal(chosen("*"), "2.0.0");
    assert.equal(chosen(">=2.1.0-rc.0"), "2.1.0-rc.1");
    assert.equal(chosen("1.1.0"), "1.1.0");
  });

  it("becomes the newest version that replaces or skips the installed one", () => {
    const cases: [range: string, installed: string, next: string][] = [
      [">=1 <2", "1.0.0", "1.2.0"],
      [">=1 <1.2", "1.0.0", "1.1.0"],
      [">=1 <2", "1.1.0", "1.4.0"],
      [">=1 <2", "1.2.0", "1.3.0"],
      [">=1 <2", "1.4.0", "1.4.0"],
      ["*", "1.4.0", "2.0.0"],
      ["*", "1.3.0", "1.4.0"],
    ];
    for (const [range, installed, next] of cases) assert.equal(chosen(range, installed), next, `${installed} ${range}`);
  });

  it("is refused where no version of the range may follow the installed one", () => {
    assert.throws(
      () => chosen(">=2 <3", "1.2.0"),
      /version 1\.2\.0 of shop is installed, which may become 1\.3\.0, not 2\.0\.0; allow one of these versions first, or/,
    );
    assert.throws(() => chosen("<1.2", "1.3.0"), /which may become 1\.4\.0, not 1\.1\.0/);
    assert.throws(() => chosen("*", "2.0.0", "candidate"), /may become 2\.1\.0-rc\.1|has no version \*/);
  });

  it("is refused with what there is", () => {
    assert.throws(() => chosen(">=3"), /has no version >=3; it has 2\.1\.0-rc\.1, 2\.0\.0, 1\.4\.0/);
    assert.throws(() => chosen("newest"), /found "newest"; expected a range/);
    assert.throws(() => chosen("*", undefined, "beta"), /has no channel beta with bundles; it has candidate, stable/);
    const tree = (objects: readonly object[]) => treeWith({ "a.yaml": yaml(objects) });
    assert.throws(() => readPackage(tree(OBJECTS), "shopp"), /no bundle of package shopp; did you mean shop\?/);
    for (const broken of [{ image: undefined }, { properties: [] }, { properties: "x" }])
      assert.throws(
        () => readPackage(tree([{ ...bundle("1.0.0"), ...broken }]), "shop"),
        /has no image, or no version/,
      );
    assert.throws(() => readPackage(treeWith({ "a.yaml": "a: [" }), "shop"), /a\.yaml:\d.*found text that is no YAML/);
  });
});

describe("a source of type catalog", () => {
  const root = temporaryFolder();
  const resolved = async (more: object, before?: readonly string[]): Promise<string> => {
    const base = mkdtempSync(join(root(), "catalog-"));
    await write(base, { "shop/index.yaml": yaml(OBJECTS) });
    const cache = new BundleCache(() => undefined, join(base, "cache"));
    const source = { type: "catalog", path: "shop", package: "shop", version: ">=1 <2", ...more } as const;
    return (await resolveSource(source, { base, cache, before, keep: undefined })).digest;
  };

  it("stands for the image of the next version", async () => {
    assert.equal(await resolved({}), digestOf("1.4.0"));
    assert.equal(await resolved({}, [digestOf("1.0.0")]), digestOf("1.2.0"));
    assert.equal(await resolved({ anyUpgrade: true }, [digestOf("1.0.0")]), digestOf("1.4.0"));
  });

  it("is refused if the installed content is unknown to the catalog", async () => {
    await assert.rejects(resolved({}, [digestOf("7.7.7")]), (error) => {
      assert.ok(error instanceof Refused);
      assert.match(
        error.message,
        /^shop >=1 <2 of shop: the installed content \(sha256:777\w+\) is no version of shop/,
      );
      return true;
    });
  });
});

describe("a release of an operator from a catalog in a registry", () => {
  const pages: Pages = {};
  const root = temporaryFolder();
  const cache = process.env["XDG_CACHE_HOME"];
  let site: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    site = await serve(pages);
    offer("1.0.0", "1.1.0");
  });
  beforeEach(() => (process.env["XDG_CACHE_HOME"] = mkdtempSync(join(root(), "cache-"))));
  after(() => {
    site.close();
    if (cache === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cache;
  });

  const host = (): string => site.url.replace("http://", "");
  const layer = (files: Readonly<Record<string, string>>): Buffer =>
    tarOf(Object.entries(files).map(([path, content]) => ({ path, content })));

  /** Replaces the catalog by one with these versions. */
  function offer(...versions: string[]): void {
    const objects = versions.map((version) => {
      const files = operator((one) => Object.assign(one.csv["metadata"] as object, { name: `shop.v${version}` }));
      return { ...bundle(version), image: `${host()}/shop@${addImage(pages, "shop", layer(files))}` };
    });
    const entries = versions.map((version, at) => entry(version, { replaces: `shop.v${versions[at - 1]}` }));
    const content = yaml([...objects, channel("stable", ...entries)]);
    addImage(pages, "catalog:latest", layer({ "configs/shop/catalog.yaml": content }));
  }

  const inputs = (version: string) => ({
    sources: [{ type: "catalog", ref: `${host()}/catalog`, package: "shop", version, plainHttp: true }],
    format: "registry+v1",
  });
  const caller: Caller = { signal: new AbortController().signal, log: () => undefined };
  const nameIn = ({ files }: FileTree): string =>
    /shop\.v[\d.]+/.exec(String(files.get("manifests/cache.clusterserviceversion.yaml")))?.[0] ?? "";

  it("has the content of its digest after the catalog and the cache have changed", async () => {
    const first = await resolve(inputs("<1.1"), caller, undefined);
    const range = inputs("*");
    process.env["XDG_CACHE_HOME"] = mkdtempSync(join(root(), "cache-"));
    assert.equal(nameIn(await treeOf({ ...range, ...first }, caller)), "shop.v1.0.0");

    const next = await resolve(range, caller, first.sourceDigests);
    assert.equal(nameIn(await treeOf({ ...range, ...next }, caller)), "shop.v1.1.0");
  });

  it("names the version that the catalog has now if only the digest of the content is given", async () => {
    const { digest } = await resolve(inputs("<1.1"), caller, undefined);
    process.env["XDG_CACHE_HOME"] = mkdtempSync(join(root(), "cache-"));
    await assert.rejects(
      treeOf({ ...inputs("*"), digest }, caller),
      new RegExp(
        `^Refused: shop 1\\.1\\.0 of ${host()}/catalog:latest: the content has the digest sha256:\\w+\\. The content ${digest} of`,
      ),
    );
    assert.equal(nameIn(await treeOf({ ...inputs("1.0.0"), digest }, caller)), "shop.v1.0.0");
  });
});
