import assert from "node:assert/strict";
import { parentRef } from "../../../provider/resources/bundleRelease/applySet";
import { RECORD_LABEL } from "../../../kubernetes/owners/annotations";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { messageOf, World, type Release } from "./world";

const owner = (name: string, value: string | null) => ({ annotations: { [`stackyard.dev/owner-${name}`]: value } });
const set = (name: string, value: string | null) => ({ annotations: { [`applyset.kubernetes.io/${name}`]: value } });

/** What someone with access to ConfigMaps may write to the metadata of a note. */
const DAMAGE: Readonly<Record<string, object>> = {
  "has no labels": { labels: null },
  "has the labels of another bundle": { labels: { "stackyard.dev/bundle": "other", [RECORD_LABEL]: null } },
  "has no annotations": { annotations: null },
  "has damaged claims": owner("claims", "{"),
  "has a generation that is no number": owner("generation", "many"),
  "has a generation without a successor": owner("generation", String(Number.MAX_SAFE_INTEGER)),
  "has kinds and namespaces that do not exist": {
    annotations: {
      ...set("contains-group-kinds", "../../x,Foo.bar,ConfigMap.,a/b?c").annotations,
      ...set("additional-namespaces", "../x,kube-system,NOT LEGAL").annotations,
    },
  },
  "lists no kinds": set("contains-group-kinds", null),
};

describe("a note of a release that was changed by hand", () => {
  let world: World;
  let release: Release;
  const files = { "a.yaml": [configMap("a"), configMap("b")] };
  const fewer = { "a.yaml": configMap("a", { now: "changed" }) };
  const damage = (metadata: object) =>
    world.client.merge(parentRef({ name: "shop", namespace: world.namespace }), { metadata });
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    release = world.release("shop", {}, "one");
    await release.up(files);
  });
  afterEach(() => world.close());

  for (const [how, metadata] of Object.entries(DAMAGE)) {
    it(`stays its owner's, who restores it, if it ${how}`, async () => {
      await damage(metadata);
      assert.match(
        await messageOf(world.release("shop", {}, "two").preview(files)),
        /belongs to (stack|another owner)/,
      );
      await release.refresh();
      await release.preview(fewer);
      await release.up(fewer);
      assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
      const { labels = {} } = (await world.there("ConfigMap", "bundle-shop"))?.metadata ?? {};
      assert.equal(labels["stackyard.dev/bundle"], "shop");
      await release.up(files);
      await damage(metadata);
      await release.refresh();
      await release.down();
      assert.deepEqual(await world.configMaps(), []);
    });
  }

  it("shows no control characters of a foreign owner, and a destroy warns of what it leaves", async () => {
    const metadata = {
      annotations: { ...owner("id", "x\u001b[2J").annotations, ...owner("backend", "\n\u202e").annotations },
    };
    await damage(metadata);
    const message = await release.fails(fewer);
    assert.match(message, /belongs to stack platform\/one in \ufffd\ufffd, which/);
    await damage(owner("generation", null));
    assert.match(await release.fails(fewer), /its owner id is x\ufffd\[2J/);
    await damage(owner("generation", "1"));
    await release.down();
    assert.match(world.said("warning"), /^left ConfigMap \S+\/bundle-shop alone: .* belongs to stack platform\/one/m);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop"]);
  });
});
