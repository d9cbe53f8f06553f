import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { configMap, deployment, service } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, World } from "./world";

describe("the lifecycle of a bundle release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  it("creates objects, detects no changes, updates, prunes, and deletes everything", async () => {
    const release = world.release();
    const files = { "01_app.yaml": [configMap("a"), configMap("b"), service()], "02_web.yaml": deployment() };
    const state = await release.up(files);
    assert.deepEqual(state.inventory, [
      `v1/ConfigMap/${world.namespace}/a`,
      `v1/ConfigMap/${world.namespace}/b`,
      `v1/Service/${world.namespace}/acme`,
      `apps/v1/Deployment/${world.namespace}/acme`,
    ]);
    assert.match(state.digest, /^sha256:/);
    assert.ok(!JSON.stringify(state).includes("example/runtime"), "the state has the manifests");
    assert.deepEqual(await release.changes(files), []);

    const changed = { "01_app.yaml": [configMap("a", { a: "c" }), service()], "02_web.yaml": deployment() };
    assert.deepEqual(await release.changes(changed), ["digest"]);
    await release.up(changed);
    assert.equal((await world.there("ConfigMap", "a"))?.["data"]?.["a" as never], "c");
    assert.equal(await world.there("ConfigMap", "b"), undefined);
    assert.equal(release.state?.inventory.length, 3);

    await release.down();
    assert.deepEqual(await world.configMaps(), []);
    assert.equal(await world.there("Deployment", "acme", "apps/v1"), undefined);
    assert.equal(await world.there("Service", "acme"), undefined);
  });

  it("waits for a namespace that another resource creates at the same time", async () => {
    const name = `${world.namespace}-later`;
    const release = world.release("shop", { namespace: name });
    const done = release.up({ "a.yaml": configMap("a") });
    await sleep(600);
    const ref = { apiVersion: "v1", kind: "Namespace", name };
    await world.client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    assert.deepEqual((await done).inventory, [`v1/ConfigMap/${name}/a`]);
    assert.match(world.said("info"), /waits for namespace \S+-later, which does not exist yet/);
    await release.down();
    await world.client.remove(ref);
  });

  it("applies a kind and its resources from one file in any order and deletes them in reverse", async () => {
    const group = `${world.namespace}.example.com`;
    const release = world.release();
    await release.up({ "all.yaml": [gadget(group, "first"), crd(group), gadget(group, "second")] });
    assert.ok(await world.there("Gadget", "second", `${group}/v1`));
    await release.down();
    assert.deepEqual(world.said("warning"), "");
    const ref = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: `gadgets.${group}` };
    assert.equal(await world.client.get(ref), undefined);
  });

  it("rejects a kind that the cluster lacks and succeeds once another bundle provides it", async () => {
    const group = `${world.namespace}.example.com`;
    const dependent = world.release("dependent");
    const files = { "all.yaml": [configMap("beside"), gadget(group, "first")] };
    assert.match(await dependent.fails(files), /manifests\/all\.yaml:\d+: .*the cluster has no kind Gadget/s);
    assert.equal(await world.there("ConfigMap", "beside"), undefined, "something was made all the same");
    const provider = world.release("provider");
    await provider.up({ "crd.yaml": crd(group) });
    await dependent.up(files);
    assert.ok(await world.there("Gadget", "first", `${group}/v1`));
    await dependent.down();
    await provider.down();
  });

  it("applies a Secret again only if it changed", async () => {
    const secret = (password: string) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "login" },
      stringData: { password },
    });
    const release = world.release();
    await release.up({ "a.yaml": [secret("one"), configMap("a")] });
    const [before = "", other] = release.state?.fingerprints ?? [];
    assert.notEqual(before, "");
    await release.up({ "a.yaml": [secret("two"), configMap("a")] });
    assert.equal(
      Buffer.from(String((await world.there("Secret", "login"))?.["data"]?.["password" as never]), "base64").toString(),
      "two",
    );
    assert.notEqual(release.state?.fingerprints[0], before);
    assert.equal(release.state?.fingerprints[1], other);
    await release.down();
  });

  it("ignores the namespace of a cluster-scoped object", async () => {
    const release = world.release();
    const name = `${world.namespace}-class`;
    const metadata = { name, namespace: world.namespace };
    await release.up({ "a.yaml": { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata, value: 1 } });
    assert.deepEqual(release.state?.inventory, [`scheduling.k8s.io/v1/PriorityClass/${name}`]);
    await release.down();
  });

  it("continues after a failed update", async () => {
    const release = world.release("shop", { timeoutSeconds: 3 });
    const broken = {
      "01_a.yaml": configMap("a"),
      "02_b.yaml": deployment({ image: "example/runtime:missing" }),
      "03_c.yaml": configMap("c"),
    };
    const message = await release.fails(broken);
    assert.match(message, /Deployment .*\/acme: .*ImagePull|missing/s);
    assert.match(message, /Created objects stay for the next update: ConfigMap/);
    assert.equal(await world.there("ConfigMap", "c"), undefined, "the next wave did not wait");
    const [config = "", workload] = release.state?.fingerprints ?? [];
    assert.notEqual(config, "");
    assert.equal(workload, "");
    await release.up({ ...broken, "02_b.yaml": deployment() });
    assert.ok(await world.there("ConfigMap", "c"));
    await release.down();
  });

  it("reports the faults of all phases at once, and names only objects that exist", async () => {
    const release = world.release("faults", { timeoutSeconds: 3 });
    const other = { ...deployment(), metadata: { name: "other" } } as KubeObject;
    const wrong = { ...other, spec: { ...(other["spec"] as object), replicas: -1 } };
    const message = await release.fails({
      "01_a.yaml": [configMap("good"), configMap("bad", { "a key": "1" })],
      "02_b.yaml": [wrong, deployment()],
      "03_c.yaml": configMap("worse", { "b key": "1" }),
    });
    assert.match(message, /the cluster refused:\n(.*\n)*.*a key(.*\n)*.*(replicas|b key)(.*\n)*.*(replicas|b key)/);
    assert.match(message, /Created objects stay for the next update: ConfigMap \S+\/good$/);
    await release.up({ "01_a.yaml": configMap("good") });
    await release.down();
  });
});
