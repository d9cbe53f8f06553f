import assert from "node:assert/strict";
import type { ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { configMap, statefulSet } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World, type Release } from "./world";

describe("the owner of a release's objects", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const parent = () => world.there("ConfigMap", "bundle-shop");
  const annotationsOf = async (name: string) => (await world.there("ConfigMap", name))?.metadata.annotations ?? {};

  /** As a version without owner ids would have left it. */
  const asBefore = async (release: Release): Promise<void> => {
    release.state = { ...(release.state as ReleaseState), ownerId: undefined };
    for (const name of await world.configMaps()) {
      const annotations = { [OWNER_ANNOTATION]: null };
      await world.client.merge(world.ref("v1", "ConfigMap", name), { metadata: { annotations } });
    }
  };

  it("is the instance that applied them last: an older one leaves them alone, their disks and the note too", async () => {
    const files = { "01_a.yaml": [configMap("a"), statefulSet()] };
    const [first, second] = [world.release(), world.release()];
    await first.up(files);
    const claim = world.ref("v1", "PersistentVolumeClaim", "data-acme-0");
    const uid = (await world.client.get(claim))?.metadata.uid;
    await second.up(files);
    assert.equal((await annotationsOf("a"))[OWNER_ANNOTATION], second.state?.ownerId);
    assert.ok(await first.refresh());
    assert.deepEqual(await first.changes(files), []);
    await first.down();
    assert.match(world.said("info"), /left .*ConfigMap \S+\/a.* alone: .* name another owner than bundle \S+\/shop/);
    assert.ok(await parent());
    assert.equal((await world.client.get(claim))?.metadata.uid, uid);
    assert.deepEqual(await second.changes(files), []);
    await second.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("takes over what a creation that was killed had made, however often that happened", async () => {
    await world.release().up({ "01_a.yaml": [configMap("a"), configMap("b")] });
    const broken = { ...configMap("c"), data: { wrong: { not: "text" } } };
    await assert.rejects(world.release().up({ "01_c.yaml": broken }));
    const last = world.release();
    await last.up({ "01_c.yaml": configMap("c") });
    assert.deepEqual(await world.configMaps(), ["bundle-shop", "c"]);
    assert.doesNotMatch(JSON.stringify(await annotationsOf("bundle-shop")), /former/);
    await last.down();
  });

  it("leaves what another instance has when it leaves the bundle", async () => {
    const [first, second] = [world.release(), world.release()];
    await first.up({ "01_a.yaml": [configMap("a"), configMap("b")] });
    await second.up({ "01_a.yaml": [configMap("a"), configMap("b")] });
    await first.up({ "01_a.yaml": [configMap("a", { now: "first" })] });
    assert.ok(await world.there("ConfigMap", "b"));
  });

  it("is not asked for where a state of before has none, and shows no change there", async () => {
    const files = { "01_a.yaml": [configMap("a"), configMap("b")] };
    const release = world.release();
    await release.up(files);
    await asBefore(release);
    assert.ok(await release.refresh());
    assert.deepEqual(await release.changes(files), []);
    const changed = { "01_a.yaml": [configMap("a", { a: "c" }), configMap("b")] };
    world.logged.length = 0;
    await release.preview(changed);
    assert.match(
      world.said("info"),
      /1 object changed:\n~ ConfigMap \S+\/a \(manifests\/01_a.yaml:1\)\n {4}data.a: [^\n]+$/m,
    );
    assert.doesNotMatch(world.said("info"), /owner-id/);
    const before = release.state;
    await release.up(changed);
    assert.equal((await annotationsOf("a"))[OWNER_ANNOTATION], release.state?.ownerId);
    assert.deepEqual(await annotationsOf("b"), {});
    release.state = before; // The update was killed.
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("is a newer one than that of a state of before, when there is any", async () => {
    const [first, second] = [world.release(), world.release()];
    await first.up({ "01_a.yaml": configMap("a") });
    await asBefore(first);
    await second.up({ "01_a.yaml": configMap("a") });
    await first.down();
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
  });
});
