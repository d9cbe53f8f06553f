import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import { Client } from "../../../kubernetes/client/client";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import { parentRef } from "../../../provider/resources/bundleRelease/applySet";
import type { ReleaseInputs, ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { reconcileRelease } from "../../../provider/resources/bundleRelease/reconcile/reconcile";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { messageOf, World, type Files, type Release } from "./world";

describe("the reconciliation of a bundle release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const earlier = ({ inputs, state }: Release) => ({ inputs: inputs as ReleaseInputs, state: state as ReleaseState });
  const reconcile = (release: Release, was = earlier(release)) => reconcileRelease(release.context(), release.id, was);
  const mapRef = (name: string) => world.ref("v1", "ConfigMap", name);
  const dataOf = async (name: string) => (await world.there("ConfigMap", name))?.["data"];
  const annotate = (ref: Ref, annotations: object) => world.client.merge(ref, { metadata: { annotations } });
  const note = () => parentRef({ name: "shop", namespace: world.namespace });
  const changedBy = (field: string, by: string) => ({ text: `${field} (changed by ${by})`, managers: [by] });
  const files = { "a.yaml": [configMap("a"), configMap("b"), deployment()] };

  it("restores what differs; state, generation and the next preview stay as they are", async () => {
    const release = world.release();
    await release.up(files);
    const clean = { standing: "clean", repaired: [], left: [] };
    assert.deepEqual(await reconcile(release), clean);
    await world.client.remove(mapRef("b"));
    await world.changeAs(mapRef("a"), { data: { a: "changed" } }, "kubectl-edit");
    await world.changeAs(world.ref("apps/v1", "Deployment", "acme"), { spec: { replicas: 3 } }, "kubectl", "/scale");
    const { standing, repaired, left } = await reconcile(release);
    assert.deepEqual([standing, left], ["repaired", []]);
    assert.deepEqual(repaired, [
      { object: `ConfigMap ${world.namespace}/a`, ...changedBy("data.a", "kubectl-edit") },
      { object: `ConfigMap ${world.namespace}/b`, text: "it was missing" },
      { object: `Deployment ${world.namespace}/acme`, ...changedBy("spec.replicas", "kubectl") },
    ]);
    assert.deepEqual(await dataOf("a"), configMap("a")["data"]);
    assert.deepEqual(await reconcile(release), clean);
    const before = structuredClone(release.state);
    assert.ok(await release.refresh());
    assert.deepEqual(release.state, { ...before, drift: undefined });
    assert.deepEqual(await release.changes(files), []);
    assert.match((await world.client.get(note()))?.metadata.annotations?.["stackyard.dev/reconciled-at"] ?? "", /^20/);
    assert.equal((await release.up({ "a.yaml": [configMap("a", { a: "new" })] })).generation, 2);
    await release.down();
  });

  it("leaves fields of other managers, and names them, unless the release forces", async () => {
    const release = world.release();
    await release.up(files);
    await world.client.remove(mapRef("b"));
    await world.changeAs(mapRef("a"), { data: { a: "theirs" } }, "their-controller");
    const { standing, repaired, left } = await reconcile(release);
    assert.deepEqual([standing, repaired.map(({ object }) => object)], ["differs", [`ConfigMap ${world.namespace}/b`]]);
    assert.match(left[0]?.text ?? "", /^fields are managed by others: \.data\.a by "their-controller"/);
    assert.deepEqual(left[0]?.managers, ["their-controller"]);
    assert.deepEqual(await dataOf("a"), { a: "theirs" });
    await release.up(files, { force: true });
    await world.changeAs(mapRef("a"), { data: { a: "theirs" } }, "their-controller");
    assert.equal((await reconcile(release)).repaired[0]?.text, "data.a (changed by their-controller)");
    await release.down();
  });

  it("leaves alone what is being changed, paused, of another owner, or not what the state says", async () => {
    const release = world.release();
    await release.up(files);
    const old = structuredClone(earlier(release));
    await world.client.remove(mapRef("b"));
    const found = async (was = earlier(release)) => {
      const { standing, reason, repaired } = await reconcile(release, was);
      assert.deepEqual(repaired, []);
      return `${standing}: ${reason}`;
    };
    await annotate(note(), { "stackyard.dev/reconcile": "disabled" });
    assert.equal(await found(), "paused: stackyard.dev/reconcile is disabled");
    await annotate(note(), { "stackyard.dev/reconcile": null, "stackyard.dev/owner-phase": "applying" });
    assert.match(await found(), /^busy: an update did not come to its end/);
    await annotate(note(), { "stackyard.dev/owner-phase": "applied" });
    const { inputs, state } = old;
    assert.match(await found({ inputs, state: { ...state, incomplete: {} } }), /^differs: its last update failed/);
    const other = world.release("shop", {}, "other");
    other.inputs = inputs;
    assert.match(
      (await reconcile(other, { inputs, state: { ...state, ownerId: "somebody-else" } })).reason ?? "",
      /^belongs to stack/,
    );
    await release.up({ "a.yaml": [configMap("a", { a: "new" }), configMap("b"), deployment()] });
    await world.client.remove(mapRef("b"));
    assert.match(await found(old), /^differs: the cluster has generation 2 of it, and the state generation 1/);
    assert.deepEqual(await dataOf("a"), { a: "new" });
    await world.client.remove(note());
    assert.match(await found(), /^differs: ConfigMap \S+\/bundle-shop does not record its owner/);
    assert.equal(await world.there("ConfigMap", "b"), undefined);
    await release.up(files);
    await release.down();
  });

  it("never recreates data, and nothing that would run again", async () => {
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "migrate" },
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "example/job:1" }] } } },
    };
    const release = world.release();
    await release.up({ "a.yaml": [configMap("a"), job] });
    await world.client.remove(world.ref("batch/v1", "Job", "migrate"), { propagationPolicy: "Background" });
    const { standing, left } = await reconcile(release);
    assert.deepEqual(left, [
      {
        object: `Job ${world.namespace}/migrate`,
        text: "it is missing, and a Job is restored by an update only",
      },
    ]);
    assert.equal(standing, "differs");
    await annotate(mapRef("a"), { "stackyard.dev/reconcile": "disabled" });
    await world.client.merge(mapRef("a"), { data: { a: "paused" } });
    assert.equal((await reconcile(release)).repaired.length, 0);
    await release.down();
  });

  it("needs the content by its digest, and its approval", async () => {
    const release = world.release("shop", { approval: "always" });
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "reader" },
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
    };
    const asked: Files = { "a.yaml": [configMap("a"), role] };
    await release.up(asked, { approval: "never" });
    await world.changeAs(mapRef("a"), { data: { a: "changed" } }, "kubectl-patch");
    try {
      const { inputs, state } = earlier(release);
      const withdrawn = { inputs: { ...inputs, approval: "always" }, state };
      assert.match(await messageOf(reconcile(release, withdrawn)), /bundle \S+\/shop at sha256:\S+ must be approved/);
      assert.deepEqual(await dataOf("a"), { a: "changed" });
    } finally {
      for (const { apiVersion, kind, metadata } of [DEFINITION, POLICY_BINDING, POLICY]) {
        await world.client.remove({ apiVersion, kind, name: metadata.name });
      }
    }
    rmSync(`${world.folder}/cache`, { recursive: true, force: true });
    world.bundle("shop", { "a.yaml": [configMap("a", { a: "other content" }), role] });
    assert.match(await messageOf(reconcile(release)), /is not in the cache any more/);
    assert.deepEqual(await dataOf("a"), { a: "changed" });
    world.bundle("shop", asked);
    assert.equal((await reconcile(release)).standing, "repaired");
    await release.down();
  });

  it("leaves nothing behind when the release is deleted at the same time", async () => {
    const many = Array.from({ length: 20 }, (_, number) => configMap(`m${number}`));
    for (const pauseMs of [0, 20, 60]) {
      const release = world.release();
      await release.up({ "a.yaml": many });
      for (const { metadata } of many) await world.client.remove(mapRef(metadata.name));
      const was = earlier(release);
      const repair = reconcile(release, was).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      await release.down();
      await repair;
      assert.deepEqual(await world.configMaps(), []);
    }
  });

  it("leaves nothing behind when it ends between the last two requests of the deletion", async () => {
    const release = world.release();
    await release.up({ "a.yaml": [configMap("a")] });
    const { metadata } = (await world.client.get(mapRef("a"))) as KubeObject;
    const { name, namespace, labels, annotations } = metadata;
    const restoredMap = { ...configMap("a"), metadata: { name, namespace, labels, annotations } };
    const remove = Reflect.get(Client.prototype, "remove");
    let restored = false;
    Client.prototype.remove = async function (ref, options) {
      if (ref.name === note().name && !restored) {
        restored = true;
        await world.client.create(restoredMap);
        await annotate(note(), { "stackyard.dev/reconciled-at": new Date().toISOString() });
      }
      return remove.call(this, ref, options);
    };
    try {
      await release.down();
    } finally {
      Client.prototype.remove = remove;
    }
    assert.deepEqual(await world.configMaps(), []);
  });
});
