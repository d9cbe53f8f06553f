import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import path from "node:path";
import { DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import { findApprovals, installApprovals, writeApproval } from "../../../bundles/approvals/store";
import { NOTHING } from "../../../bundles/permissions/asks";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World } from "./world";

const good = deployment({ image: "example/runtime:1" });
const bad = deployment({ image: "example/runtime:missing" });

describe("a failed update with rollback: auto", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const careful = { rollback: "auto", timeoutSeconds: 4 };
  const imageOf = async (): Promise<unknown> => JSON.stringify(await world.there("Deployment", "acme", "apps/v1"));

  it("is rolled back, including new and removed objects, and succeeds once fixed", async () => {
    const release = world.release("shop", careful);
    const first = { "01_a.yaml": [configMap("a", { v: "1" }), good], "02_old.yaml": configMap("old") };
    await release.up(first);
    const digest = release.state?.digest;
    const second = { "01_a.yaml": [configMap("a", { v: "2" }), configMap("new"), bad] };
    const message = await release.fails(second);
    assert.match(message, new RegExp(`ImagePullBackOff[^]*It was rolled back to ${digest}$`));
    assert.doesNotMatch(message, /Created objects stay/, "they went with the rollback");
    assert.equal(release.state?.digest, digest);
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "old"]);
    assert.deepEqual((await world.there("ConfigMap", "a"))?.["data"], { v: "1" });
    assert.match(String(await imageOf()), /example\/runtime:1"/);
    assert.deepEqual((await world.there("ConfigMap", "bundle-shop"))?.["data"], { digest });
    // It is not what was asked for, whatever a refresh finds.
    assert.deepEqual(await release.changes(second), ["digest"]);
    await release.refresh();
    assert.deepEqual(await release.changes(second), ["digest"]);
    // The same once more tries again, and comes to the same end.
    assert.match(await release.fails(second), /It was rolled back to/);
    await release.up({ "01_a.yaml": [configMap("a", { v: "3" }), good] });
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("is rolled back together with the kinds that it added", async () => {
    const group = `${world.namespace}.example.com`;
    const release = world.release("shop", careful);
    await release.up({ "a.yaml": configMap("a") });
    const next = { "01_kind.yaml": [crd(group), gadget(group, "one")], "02_b.yaml": [configMap("a"), bad] };
    assert.match(await release.fails(next), /It was rolled back to/);
    const name = `gadgets.${group}`;
    const definition = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name };
    assert.equal(await world.client.get(definition), undefined);
    assert.equal(release.state?.inventory.length, 1);
    await release.up({ "01_kind.yaml": [crd(group), gadget(group, "one")], "02_b.yaml": configMap("a") });
    await release.down();
  });

  it("is rolled back with kinds whose new fields its objects use", async () => {
    const group = `${world.namespace}.example.com`;
    const release = world.release("shop", careful);
    const size = { type: "integer" };
    await release.up({ "01_kind.yaml": [crd(group), gadget(group, "one", { size: 1 })], "02_a.yaml": [good] });
    const more = crd(group, { size, color: { type: "string" } });
    const colored = gadget(group, "one", { size: 1, color: "red" });
    assert.match(await release.fails({ "01_kind.yaml": [more, colored], "02_a.yaml": [bad] }), /It was rolled back to/);
    const there = await world.there("Gadget", "one", `${group}/v1`);
    assert.deepEqual(there?.["spec"], { size: 1 });
    await release.down();
  });

  it("stays incomplete if the previous content is unavailable, and succeeds once fixed", async () => {
    const release = world.release("shop", careful);
    await release.up({ "a.yaml": [configMap("a", { v: "1" }), good] });
    rmSync(path.join(world.folder, "cache"), { recursive: true });
    const message = await release.fails({ "a.yaml": [configMap("a", { v: "2" }), bad] });
    assert.match(message, /ImagePullBackOff[^]*It could not be rolled back to sha256:\w+: .*not in the cache any more/);
    assert.deepEqual(await release.changes({ "a.yaml": [configMap("a", { v: "2" }), bad] }), ["incomplete"]);
    await release.refresh();
    assert.match(release.state?.drift?.join() ?? "", /^an update to sha256:\w+ did not come to its end$/);
    assert.deepEqual(await release.changes({ "a.yaml": [configMap("a", { v: "2" }), bad] }), ["drift", "incomplete"]);
    await release.up({ "a.yaml": [configMap("a", { v: "3" }), good] });
    assert.equal(release.state?.incomplete, undefined);
    assert.deepEqual((await world.there("ConfigMap", "a"))?.["data"], { v: "3" });
    assert.deepEqual(release.state?.inventory.length, 2);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("reports both reasons if the previous content does not become ready either", async () => {
    const release = world.release("shop", careful);
    await release.up({ "a.yaml": [configMap("a", { v: "1" })] });
    await release.up({ "01_a.yaml": [configMap("a", { v: "2" }), good] });
    // Somebody took a field of the content before, so that it can't be had back.
    const theirs = { ...configMap("a", { v: "2" }), metadata: { name: "a", namespace: world.namespace } };
    const url = `/api/v1/namespaces/${world.namespace}/configmaps/a?fieldManager=somebody&force=true`;
    await world.client.connection.send({
      method: "PATCH",
      path: url,
      contentType: "application/apply-patch+yaml",
      body: JSON.stringify({ ...theirs, data: { v: "theirs" } }),
      timeoutMs: 5_000,
    });
    const message = await release.fails({ "01_a.yaml": [bad] });
    assert.match(
      message,
      /ImagePullBackOff[^]*It could not be rolled back to sha256:\w+: .*managed by others.*somebody/s,
    );
    await release.up({ "01_a.yaml": [good] });
    await release.down();
  });

  it("is rolled back to the content before a canceled update, and not at all after a first one", async () => {
    const release = world.release("shop", careful);
    await release.up({ "a.yaml": [configMap("a", { v: "1" }), good] });
    const digest = release.state?.digest;
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1_000);
    const stopped = release.up({ "a.yaml": [configMap("a", { v: "2" }), bad] }, {}, { signal: stop.signal });
    assert.match(await messageOf(stopped), /^stopped, because the update was canceled\n/);
    assert.deepEqual((await world.there("ConfigMap", "a"))?.["data"], { v: "2" });
    assert.match(
      await release.fails({ "a.yaml": [configMap("a", { v: "2" }), bad] }),
      new RegExp(`back to ${digest}$`),
    );
    assert.deepEqual((await world.there("ConfigMap", "a"))?.["data"], { v: "1" });
    await release.down();

    const first = world.release("first", careful);
    assert.doesNotMatch(await first.fails({ "a.yaml": bad }), /taken back/);
    assert.doesNotMatch(await first.fails({ "a.yaml": [configMap("b"), bad] }), /taken back/);
    await first.down();
  });

  it("is not rolled back to content that was denied meanwhile", async () => {
    await installApprovals(world.client);
    try {
      const release = world.release("shop", { ...careful, approval: "more" });
      const first = { "a.yaml": [configMap("a", { v: "1" })] };
      await release.up(first);
      const bundle = { name: "shop", namespace: world.namespace };
      const digest = release.state?.digest ?? "";
      await writeApproval(world.client, { bundle, digest, decision: "Denied", asks: NOTHING });
      const message = await release.fails({ "a.yaml": [configMap("a", { v: "2" }), bad] });
      assert.match(
        message,
        /ImagePullBackOff[^]*It could not be rolled back to .*: bundle .* was denied by kwok-admin/,
      );
      assert.deepEqual((await world.there("ConfigMap", "a"))?.["data"], { v: "2" });
      assert.equal((await findApprovals(world.client, bundle)).length, 1);
      await release.down();
    } finally {
      for (const { apiVersion, kind, metadata } of [DEFINITION, POLICY_BINDING, POLICY]) {
        await world.client.remove({ apiVersion, kind, name: metadata.name });
      }
    }
  });
});
