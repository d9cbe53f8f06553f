import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World } from "./world";

describe("the readiness wait of a release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());

  const untilThere = async (group: string, name: string): Promise<void> => {
    const isThere = () => world.there("Gadget", name, `${group}/v1`).catch(() => undefined);
    while (!(await isThere())) await sleep(50);
  };

  const setStatus = async (group: string, name: string, status: object): Promise<void> => {
    const { status: code } = await world.client.connection.send({
      method: "PATCH",
      path: `/apis/${group}/v1/namespaces/${world.namespace}/gadgets/${name}/status`,
      contentType: "application/merge-patch+json",
      body: JSON.stringify({ status }),
      timeoutMs: 5_000,
    });
    assert.equal(code, 200);
  };

  it("follows a custom resource's own rule and reports an unmet one after the timeout", async () => {
    const group = `${world.namespace}.example.com`;
    const ruled = gadget(group, "one", { size: 1 }, { "stackyard.dev/ready-when": "{.status.phase}=Running" });
    const files = { "01_kind.yaml": [crd(group), ruled], "02_after.yaml": configMap("after") };
    const release = world.release();
    const message = await release.fails(files, { timeoutSeconds: 2 });
    assert.match(
      message,
      /not ready after 2 seconds:\n- Gadget \S+\/one: \.status\.phase is nothing, and is to be Running/,
    );
    assert.equal(await world.there("ConfigMap", "after"), undefined);
    const going = release.up(files);
    await sleep(300);
    await setStatus(group, "one", { phase: "Running" });
    await going;
    assert.ok(await world.there("ConfigMap", "after"));
    await release.down();
  });

  it("follows a CEL rule on any object and reports the values that it found", async () => {
    const group = `${world.namespace}.example.com`;
    const ruled = gadget(
      group,
      "one",
      { size: 2 },
      { "stackyard.dev/ready-when": "self.status.ready == self.spec.size" },
    );
    const note = { ...configMap("note"), data: { state: "new" } };
    const metadata = {
      name: "note",
      annotations: { "stackyard.dev/ready-when": 'self.data.?done.orValue("") == "yes"' },
    };
    const files = {
      "01_kind.yaml": [crd(group), ruled],
      "02_note.yaml": { ...note, metadata },
      "03_after.yaml": configMap("after"),
    };
    const release = world.release();
    const message = await release.fails(files, { timeoutSeconds: 2 });
    assert.match(
      message,
      /Gadget \S+\/one: self\.status\.ready == self\.spec\.size is not true: self\.status\.ready is nothing, self\.spec\.size is 2/,
    );
    const going = release.up(files);
    await sleep(300);
    await setStatus(group, "one", { ready: 2 });
    while (!(await world.there("ConfigMap", "note"))) await sleep(50);
    await sleep(300);
    assert.equal(await world.there("ConfigMap", "after"), undefined);
    await world.client.merge(world.ref("v1", "ConfigMap", "note"), { data: { done: "yes" } });
    await going;
    assert.ok(await world.there("ConfigMap", "after"));
    await release.down();
  });

  it("fails if a failed-when rule holds for a while; an old failure does not fail an update", async () => {
    const group = `${world.namespace}.example.com`;
    const annotations = {
      "stackyard.dev/failed-when": 'self.status.phase == "Failed"',
      "stackyard.dev/ready-when": "has(self.status.address)",
    };
    const files = (size: number) => ({ "01_kind.yaml": [crd(group), gadget(group, "one", { size }, annotations)] });
    const release = world.release("shop", { timeoutSeconds: 60 });
    const going = messageOf(release.up(files(1)));
    await untilThere(group, "one");
    await setStatus(group, "one", { phase: "Failed" });
    assert.match(
      await going,
      /cannot become ready:\n- Gadget \S+\/one: it failed: self\.status\.phase == "Failed": self\.status\.phase is Failed/,
    );
    const fixed = release.up(files(2));
    await sleep(500);
    await setStatus(group, "one", { phase: "Fine", address: "10.0.0.1" });
    await fixed;
    await release.down();
  });

  it("rejects an invalid rule before anything is changed, also in a preview", async () => {
    const files = {
      "01_first.yaml": configMap("first"),
      "02_wrong.yaml": {
        ...configMap("wrong"),
        metadata: { name: "wrong", annotations: { "stackyard.dev/ready-when": "data.x = 1" } },
      },
    };
    const release = world.release();
    const expected =
      /manifests\/02_wrong\.yaml:1: stackyard\.dev\/ready-when: found "data\.x = 1": Unexpected character: =/;
    assert.match(await messageOf(release.preview(files)), expected);
    assert.match(await release.fails(files), expected);
    assert.deepEqual(await world.configMaps(), []);
  });

  it("waits for a Job to complete and rejects a change of the completed Job", async () => {
    const job = (image: string) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "work" },
      spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image }] } } },
    });
    const release = world.release();
    await release.up({ "01_job.yaml": job("example/runtime:done"), "02_after.yaml": configMap("after") });
    const live = await world.there("Job", "work", "batch/v1");
    const { succeeded } = live?.["status"] as { succeeded?: number };
    assert.equal(succeeded, 1);
    const message = await release.fails({ "01_job.yaml": job("example/runtime:next") });
    assert.match(
      message,
      /manifests\/01_job\.yaml:1: Job \S+\/work: spec\.template: field is immutable\. .*stackyard\.dev\/replace/,
    );
    await release.down();
  });

  it("waits for a webhook that temporarily rejects every request", async () => {
    const webhook = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: world.namespace },
    };
    await world.client.apply({
      ...webhook,
      webhooks: [
        {
          name: "away.example.com",
          clientConfig: { service: { namespace: world.namespace, name: "away", path: "/" } },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE", "UPDATE"] },
          ],
          objectSelector: { matchLabels: { held: "yes" } },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    await sleep(500);
    const held = { ...configMap("held"), metadata: { name: "held", labels: { held: "yes" } } };
    const release = world.release("shop", { timeoutSeconds: 60 });
    const going = release.up({ "a.yaml": held });
    while (!/waiting until a webhook lets ConfigMap \S+\/held pass/.test(world.said("status"))) await sleep(100);
    await world.client.remove({ ...webhook, name: world.namespace });
    await going;
    await release.down();
  });

  it("ends when it is canceled and records the created objects", async () => {
    const stop = new AbortController();
    const release = world.release();
    const files = { "01_a.yaml": configMap("a"), "02_b.yaml": deployment({ image: "example/runtime:missing" }) };
    const message = messageOf(release.up(files, {}, { signal: stop.signal }));
    await sleep(800);
    stop.abort();
    assert.match(await message, /stopped, because the update was canceled\nCreated objects stay .*ConfigMap \S+\/a/);
    assert.equal(release.state?.inventory.length, 2);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });
});
