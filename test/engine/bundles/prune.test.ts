import assert from "node:assert/strict";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, World } from "./world";

describe("the pruning of a bundle", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const namespace = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const live = (name: string) => world.client.get({ apiVersion: "v1", kind: "Namespace", name });
  const kind = (group: string) =>
    world.client.get({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      name: `gadgets.${group}`,
    });

  it("deletes removed objects once the others are ready, unless an annotation disables it", async () => {
    const release = world.release();
    const kept = {
      ...configMap("kept"),
      metadata: { name: "kept", annotations: { "stackyard.dev/prune": "disabled" } },
    };
    await release.up({ "a.yaml": [configMap("a"), configMap("b"), kept] });
    await release.up({ "a.yaml": configMap("a") });
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "kept"]);
    assert.match(world.said("info"), /ConfigMap \S+\/kept stays: its annotation stackyard\.dev\/prune says so/);
    const labels = (await world.there("ConfigMap", "kept"))?.metadata.labels ?? {};
    assert.deepEqual(labels, {}, "it still belongs to the bundle");
    await release.down();
    assert.deepEqual(await world.configMaps(), ["kept"]);
  });

  it("deletes a kind with the bundle's own resources and keeps a kind that others use", async () => {
    const group = `${world.namespace}.example.com`;
    const release = world.release();
    await release.up({ "a.yaml": [configMap("a"), crd(group), gadget(group, "ours")] });
    const foreign = gadget(group, "theirs");
    await world.client.apply({ ...foreign, metadata: { name: "theirs", namespace: world.namespace } });
    await release.up({ "a.yaml": configMap("a") });
    assert.equal(await world.there("Gadget", "ours", `${group}/v1`), undefined);
    assert.ok(await world.there("Gadget", "theirs", `${group}/v1`), "an object of somebody else went");
    assert.match(
      world.said("warning"),
      /CustomResourceDefinition gadgets\.\S+ stays: it holds what is not the bundle's: Gadget \S+\/theirs/,
    );

    const name = `apiextensions.k8s.io/v1/CustomResourceDefinition/gadgets.${group}`;
    await release.up({ "a.yaml": [configMap("a"), crd(group)] }, { adopt: [name] });
    await release.up({ "a.yaml": configMap("a") }, { allowDeletion: ["CustomResourceDefinition"] });
    assert.equal(await kind(group), undefined);
    await release.down();
  });

  it("keeps a namespace with objects of others and deletes an empty one", async () => {
    const [full, empty] = [`${world.namespace}-full`, `${world.namespace}-empty`];
    const release = world.release();
    const inside = { ...configMap("ours"), metadata: { name: "ours", namespace: full } };
    await release.up({ "a.yaml": [namespace(full), namespace(empty), inside] });
    await world.client.apply({ ...configMap("theirs"), metadata: { name: "theirs", namespace: full } });
    await release.down();
    assert.equal(await live(empty), undefined);
    assert.ok(await live(full));
    assert.deepEqual(await world.configMaps(full), ["theirs"]);
    assert.match(world.said("warning"), new RegExp(`Namespace ${full} stays: .*ConfigMap ${full}/theirs`));
    await world.client.remove({ apiVersion: "v1", kind: "Namespace", name: full });
  });

  it("deletes a namespace of the bundle that contains the bundle's own record", async () => {
    const name = `${world.namespace}-own`;
    const release = world.release("shop", { namespace: name });
    await release.up({ "01_a.yaml": configMap("a"), "02_b.yaml": [namespace(name)] });
    assert.deepEqual(await world.configMaps(name), ["a", "bundle-shop"]);
    await release.down();
    assert.equal(await live(name), undefined);
  });

  it("reports the finalizer that blocks a deletion and continues on the next update", async () => {
    const release = world.release();
    const held = { ...configMap("held"), metadata: { name: "held", finalizers: ["example.com/hold"] } };
    await release.up({ "a.yaml": [configMap("a"), held] });
    const message = await release.fails({ "a.yaml": configMap("a") }, { timeoutSeconds: 1 });
    assert.match(
      message,
      /not gone after 1 seconds:\n- ConfigMap \S+\/held: held by its finalizers example\.com\/hold/,
    );
    assert.ok(release.state?.inventory.includes(`v1/ConfigMap/${world.namespace}/held`));
    await world.client.merge(world.ref("v1", "ConfigMap", "held"), { metadata: { finalizers: null } });
    await release.up({ "a.yaml": configMap("a") });
    assert.deepEqual(release.state?.inventory, [`v1/ConfigMap/${world.namespace}/a`]);
  });
});
