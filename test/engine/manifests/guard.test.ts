import assert from "node:assert/strict";
import { allow, claim } from "./allowed";
import { configMap, deployment, statefulSet, World } from "./world";
import { testKubeconfig } from "./yard";

/** Claims of sets that protect data: nothing deletes them unless the stack's config allows it by name. */
describe("a manifest set that protects data", function () {
  this.timeout(60_000);
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(async () => {
    allow();
    await world.close();
  });

  const set = () => world.set({ protectData: true, timeoutSeconds: 30 });
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => assert.fail("it went well"),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Error);
    return error.message;
  };
  const namespaceOf = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

  it("rejects an update without a claim, also in a preview, until the claim is allowed by name", async () => {
    const one = set();
    await one.up([configMap("a"), claim("disk"), claim("other")]);
    const uid = (await world.claim("disk")).metadata.uid;
    const said = await refusal(one.preview([configMap("b"), claim("other")]));
    assert.match(
      said,
      /this update would delete a claim with its data, so nothing was deleted:\n {2}- set-\w+\/disk \(1 GiB, volume pvc-\S+\)\n/,
    );
    assert.match(
      said,
      new RegExp(`pulumi config set --stack test --path 'stackyard:allowDataLoss\\[0\\]' ${world.namespace}/disk$`),
    );
    assert.equal(await one.fails([configMap("b"), claim("other")]), said);
    assert.equal(await world.client.get(world.ref("v1", "ConfigMap", "b")), undefined, "something was applied");
    assert.equal((await world.claim("disk")).metadata.uid, uid);

    allow(`${world.namespace}/other`);
    assert.match(await refusal(one.preview([configMap("b"), claim("other")])), /allowDataLoss\[1\]' \S+\/disk$/);
    allow(`${world.namespace}/disk`);
    await one.preview([configMap("b"), claim("other")]);
    await one.up([configMap("b"), claim("other")]);
    assert.deepEqual(await world.everything(), ["PersistentVolumeClaim other"]);
    assert.match(await refusal(one.down()), /deleting it would delete a claim[^]*\/other/);
    allow(`${world.namespace}/*`);
    await one.down();
    assert.deepEqual(await world.everything(), []);
  });

  it("rejects deleting or scaling down StatefulSets whose claims would be deleted", async () => {
    const one = set();
    const [going, staying] = [
      statefulSet({ whenScaled: "Delete", replicas: 2 }),
      statefulSet({ name: "keep", whenDeleted: "Retain" }),
    ];
    await one.up([going, staying, deployment({ name: "web" })]);
    const scaled = await refusal(
      one.preview([statefulSet({ whenScaled: "Delete", replicas: 1 }), staying, deployment({ name: "web" })]),
    );
    assert.match(scaled, /scaling down would delete a claim with its data[^]*data-acme-1 /);
    assert.doesNotMatch(scaled, /data-acme-0/);
    // Claims that stay are nobody's loss.
    await one.up([going, deployment({ name: "web" })]);
    await world.claim("data-keep-0");
    const said = await refusal(one.down());
    assert.match(said, /claims with their data[^]*data-acme-0 [^]*data-acme-1 /);
    assert.doesNotMatch(said, /data-keep-0/);
    await world.statefulSet();
    // What a runtime has goes as its templates say.
    one.inputs = { ...one.inputs!, protectData: false };
    await one.down();
    assert.deepEqual(await world.everything(), ["PersistentVolumeClaim data-keep-0"]);
  });

  it("rejects deleting a namespace with claims of others and objects that own claims", async () => {
    const name = `${world.namespace}-own`;
    const one = set();
    await one.up([namespaceOf(name), configMap("owner")]);
    const owner = await world.must(world.ref("v1", "ConfigMap", "owner"));
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid ?? "" }];
    await world.client.apply({ ...claim("collected", { ownerReferences, namespace: world.namespace }) });
    await world.client.apply({ ...claim("claim-ann", { namespace: name }) });
    const said = await refusal(one.down());
    assert.match(said, new RegExp(`- ${name}/claim-ann [^]*- ${world.namespace}/collected `));
    assert.match(await refusal(one.preview([configMap("owner")])), /\/claim-ann /);
    assert.ok(await world.client.get({ apiVersion: "v1", kind: "Namespace", name }));
    allow(`${name}/*`, `${world.namespace}/collected`);
    await one.down();
    assert.equal(await world.client.get({ apiVersion: "v1", kind: "Namespace", name }), undefined);
  });

  it("rejects a replacement in a preview and explains the format of an allowance", async () => {
    const one = set();
    await one.up([claim("disk")]);
    allow("*/*");
    const { manifestSet } = await import("../../../provider/resources/manifestSet/manifestSet.js");
    const old = { inputs: one.inputs!, state: one.state! };
    const diff = (more: object) => manifestSet.diff(world.context(), one.id, old, { ...one.inputs!, ...more });
    const said = await refusal(diff({ namespace: "elsewhere" }));
    assert.match(said, /replacing it would delete[^]*\/disk /);
    assert.match(said, /stackyard:allowDataLoss\[0\]: found "\*\/\*"; expected <namespace>\/<claim>/);
    assert.deepEqual((await diff({ protectData: false })).changes, {});
    // What the next set takes over stays.
    const annotations = { "stackyard.dev/adopt": `${world.namespace}.next` };
    await world.client.merge(world.ref("v1", "PersistentVolumeClaim", "disk"), { metadata: { annotations } });
    await diff({ name: "next" });
    allow(`${world.namespace}/disk`);
    await one.down();
  });
});
