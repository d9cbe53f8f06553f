import assert from "node:assert/strict";
import type { Ref } from "../../../kubernetes/objects/objects";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, World, type Release } from "./world";

describe("objects that a deleted release leaves in the cluster", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  /** A release of the same name, of a platform in another state backend. */
  const elsewhere = (more = {}): Release => {
    world.backend = "s3://elsewhere";
    return world.release("shop", more, "two");
  };
  const marksOn = async (ref: Ref) => {
    const { uid, labels = {}, annotations = {} } = (await world.client.get(ref))?.metadata ?? {};
    return { uid, id: annotations[OWNER_ANNOTATION], bundle: labels["stackyard.dev/bundle"] };
  };

  it("have no owner, so that another release takes over a kind without adoption", async () => {
    const group = `${world.namespace}.example.com`;
    const files = { "a.yaml": [crd(group), configMap("a")] };
    const ref = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: `gadgets.${group}` };
    const first = world.release();
    await first.up(files);
    const { uid } = await marksOn(ref);
    const other = { ...gadget(group, "one"), metadata: { name: "one", namespace: world.namespace } };
    await world.client.apply(other);
    await first.down();
    assert.match(
      world.said("warning"),
      /CustomResourceDefinition gadgets\.\S+ stays: it holds what is not the bundle's/,
    );
    assert.deepEqual(await marksOn(ref), { uid, id: undefined, bundle: undefined });
    const second = elsewhere();
    await second.preview(files);
    await second.up(files);
    assert.deepEqual(await marksOn(ref), { uid, id: second.state?.ownerId, bundle: "shop" });
    await world.client.remove({ ...other, ...other.metadata });
    await second.down();
    assert.equal((await marksOn(ref)).uid, undefined);
  });

  it("are all objects of a retained release, without its record and without an owner", async () => {
    const retained = { retained: true };
    const files = { "a.yaml": [configMap("a"), configMap("b")] };
    const ref = world.ref("v1", "ConfigMap", "a");
    const first = world.release("shop", retained);
    await first.up(files);
    const { uid } = await marksOn(ref);
    await first.down();
    assert.match(world.said("info"), /^kept ConfigMap \S+\/a, ConfigMap \S+\/b, without an owner$/m);
    assert.deepEqual(await world.configMaps(), ["a", "b"]);
    assert.deepEqual(await marksOn(ref), { uid, id: undefined, bundle: undefined });
    const second = elsewhere(retained);
    await second.up(files);
    assert.deepEqual(await marksOn(ref), { uid, id: second.state?.ownerId, bundle: "shop" });
  });

  it("keep the marks of another owner", async () => {
    const first = world.release("shop", { retained: true });
    await first.up({ "a.yaml": [configMap("a"), configMap("b")] });
    const ref = world.ref("v1", "ConfigMap", "a");
    await world.client.merge(ref, { metadata: { annotations: { [OWNER_ANNOTATION]: "another" } } });
    await first.down();
    assert.equal((await marksOn(ref)).id, "another");
    assert.match(world.said("info"), /^kept ConfigMap \S+\/b, without an owner$/m);
  });
});
