import assert from "node:assert/strict";
import { dump } from "js-yaml";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import type { Properties } from "../../../foundation/pulumi/resource";
import { testKubeconfig } from "../manifests/yard";
import { tarOf } from "../../unit/bundles/archives";
import { addImage, serve, type Pages } from "../../unit/bundles/server";
import { World } from "./world";

const VERSIONS = ["1.0.0", "1.1.0", "1.2.0", "2.0.0"];

describe("a release from a catalog in a registry", () => {
  let world: World;
  /** What the registry has. */
  const pages: Pages = {};
  let registry: Awaited<ReturnType<typeof serve>>;
  before(async function () {
    this.timeout(300_000);
    world = await new World(await testKubeconfig()).open();
    registry = await serve(pages);
    offer("1.1.0");
  });
  after(async () => {
    registry.close();
    await world.close();
  });

  /** Offers a catalog of the versions up to one. */
  function offer(newest: string): void {
    const offered = VERSIONS.slice(0, VERSIONS.indexOf(newest) + 1);
    const host = registry.url.replace("http://", "");
    const bundles = offered.map((version) => {
      const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" }, data: { version } };
      const digest = addImage(pages, "shop", tarOf([{ path: "manifests/a.yaml", content: dump(map) }]));
      const properties = [{ type: "olm.package", value: { packageName: "shop", version } }];
      return {
        schema: "olm.bundle",
        name: `shop.v${version}`,
        package: "shop",
        image: `${host}/shop@${digest}`,
        properties,
      };
    });
    const entries = offered.map((version, at) => ({ name: `shop.v${version}`, replaces: `shop.v${VERSIONS[at - 1]}` }));
    const channel = { schema: "olm.channel", name: "stable", package: "shop", entries };
    const content = [...bundles, channel].map((one) => `---\n${dump(one)}`).join("");
    addImage(pages, "catalog:latest", tarOf([{ path: "configs/shop/catalog.yaml", content }]));
  }

  const wish = (version: string): Properties => ({
    sources: [
      {
        type: "catalog",
        ref: `${registry.url.replace("http://", "")}/catalog:latest`,
        package: "shop",
        version,
        plainHttp: true,
      },
    ],
  });
  const version = async (): Promise<unknown> => (await world.there("ConfigMap", "shop"))?.["data"];

  it("takes each step of the range that the catalog offers, and no other", async () => {
    const release = world.release("shop");
    await release.up({}, wish(">=1 <2"));
    assert.deepEqual(await version(), { version: "1.1.0" });
    assert.deepEqual(await release.changes({}, wish(">=1 <2")), []);

    offer("2.0.0");
    assert.deepEqual(await release.changes({}, wish(">=1 <2")), ["digest"]);
    await release.preview({}, wish(">=1 <2"));
    const given = { ...release.inputs, ...wish(">=2"), digest: undefined, sourceDigests: undefined } as Properties;
    const { failures } = await bundleRelease.check(release.context(), given, {
      old: release.inputs as unknown as Properties,
      seed: "",
    });
    assert.match(
      failures[0]?.reason ?? "",
      /version 1\.1\.0 of shop is installed, which may become 1\.2\.0, not 2\.0\.0/,
    );
    await release.up({}, wish(">=1 <2"));
    assert.deepEqual(await version(), { version: "1.2.0" });
    await release.up({}, wish("*"));
    assert.deepEqual(await version(), { version: "2.0.0" });
    await release.down();
  });
});
