import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { dump } from "js-yaml";
import { BundleCache } from "../../../bundles/cache";
import { chooseBundle } from "../../../bundles/catalog/choose";
import { readPackage, type CatalogPackage } from "../../../bundles/catalog/read";
import { resolveSource } from "../../../bundles/bundle";
import { Refused } from "../../../bundles/errors";
import { temporaryFolder, treeOf, write } from "./samples";

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
  const shop: CatalogPackage = readPackage(treeOf({ "shop/catalog.yaml": yaml(OBJECTS), "README.md": "# x" }), "shop");
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
    const tree = (objects: readonly object[]) => treeOf({ "a.yaml": yaml(objects) });
    assert.throws(() => readPackage(tree(OBJECTS), "shopp"), /no bundle of package shopp; did you mean shop\?/);
    for (const broken of [{ image: undefined }, { properties: [] }, { properties: "x" }])
      assert.throws(
        () => readPackage(tree([{ ...bundle("1.0.0"), ...broken }]), "shop"),
        /has no image, or no version/,
      );
    assert.throws(() => readPackage(treeOf({ "a.yaml": "a: [" }), "shop"), /a\.yaml:\d.*found text that is no YAML/);
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
