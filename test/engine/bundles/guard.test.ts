import assert from "node:assert/strict";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import { allow, claim } from "../manifests/allowed";
import { configMap, deployment, statefulSet } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { messageOf, World } from "./world";

/** Claims of bundles that protect data: nothing deletes them unless the stack's config allows it by name. */
describe("a bundle that protects data", function () {
  this.timeout(60_000);
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(async () => {
    allow();
    await world.close();
  });
  const namespaceOf = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const isThere = async (name: string): Promise<boolean> =>
    (await world.there("PersistentVolumeClaim", name)) !== undefined;

  it("rejects an update or a destroy that deletes a claim until the claim is allowed by name", async () => {
    const release = world.release("shop", { protectData: true });
    const set = statefulSet({ whenScaled: "Delete", replicas: 2 });
    await release.up({ "a.yaml": [configMap("a"), claim("disk"), set] });
    const next = { "a.yaml": [configMap("b"), set] };
    const said = await messageOf(release.preview(next));
    assert.match(
      said,
      /^bundle \S+\/shop: this update would delete a claim with its data, so nothing was deleted:\n.*\/disk \(1 GiB/,
    );
    assert.equal(await release.fails(next), said);
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"], "something was applied");
    const scaled = { "a.yaml": [configMap("a"), claim("disk"), statefulSet({ whenScaled: "Delete", replicas: 1 })] };
    assert.match(await messageOf(release.preview(scaled)), /scaling down would delete a claim[^]*\/data-acme-1 /);
    assert.match(await release.fails(scaled), /scaling down would delete a claim[^]*\/data-acme-1 /);

    const old = { inputs: release.inputs!, state: release.state! };
    const moved = { ...release.inputs!, namespace: "elsewhere" };
    const diff = bundleRelease.diff(world.context(), release.id, old, moved);
    assert.match(await messageOf(diff), /replacing it would delete claims[^]*data-acme-0 [^]*data-acme-1 [^]*\/disk /);
    assert.match(await messageOf(release.down()), /deleting it would delete claims[^]*data-acme-0 [^]*\/disk /);
    assert.ok(await isThere("disk"));

    allow(`${world.namespace}/disk`);
    await release.preview(next);
    await release.up(next);
    assert.ok(!(await isThere("disk")) && (await isThere("data-acme-1")));
    allow(`${world.namespace}/*`);
    await release.down();
    assert.ok(!(await isThere("data-acme-1")));
  });

  it("deletes a new claim in a rollback of the update that added it", async () => {
    const release = world.release("shop", { protectData: true, rollback: "auto", timeoutSeconds: 4 });
    await release.up({ "a.yaml": [configMap("a"), claim("old")] });
    const broken = {
      "a.yaml": [configMap("a"), claim("old"), claim("new"), deployment({ image: "example/runtime:missing" })],
    };
    assert.match(await release.fails(broken), /It was rolled back to/);
    assert.ok((await isThere("old")) && !(await isThere("new")));
  });

  it("rejects deleting or recreating a claim's owner and deleting a namespace with claims of others", async () => {
    const name = `${world.namespace}-own`;
    const release = world.release("shop", {
      protectData: true,
      replace: ["v1/ConfigMap"],
      allowDeletion: ["Namespace"],
    });
    const owner = (v: string) => ({ ...configMap("owner", { v }), immutable: true });
    await release.up({ "a.yaml": [namespaceOf(name), owner("1")] });
    const uid = (await world.there("ConfigMap", "owner"))?.metadata.uid;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    await world.client.apply(claim("collected", { ownerReferences, namespace: world.namespace }));
    await world.client.apply(claim("claim-ann", { namespace: name }));
    const recreated = { "a.yaml": [namespaceOf(name), owner("2")] };
    assert.match(
      await messageOf(release.preview(recreated)),
      /recreating ConfigMap owner would delete a claim[^]*\/collected /,
    );
    assert.match(await release.fails(recreated), /recreating ConfigMap owner would delete a claim[^]*\/collected /);
    assert.match(await messageOf(release.preview({ "a.yaml": owner("1") })), /this update would[^]*-own\/claim-ann /);
    assert.match(await messageOf(release.down()), /-own\/claim-ann [^]*\/collected /);
    await world.client.remove({ apiVersion: "v1", kind: "Namespace", name });
  });
});
