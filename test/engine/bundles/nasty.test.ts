import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { configMap, service } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World } from "./world";

describe("a release in a cluster that changed", () => {
  let world: World;
  let group: string;
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    group = `${world.namespace}.example.com`;
  });
  afterEach(() => world.close());
  const kind = () => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    name: `gadgets.${group}`,
  });

  /** Applies the kind, and waits until the version is served. */
  async function served(definition: object, version: string): Promise<void> {
    await world.client.apply(definition as never);
    for (let tries = 0; (await world.client.discovery.version(group, "Gadget")) !== `${group}/${version}`; tries++) {
      assert.ok(tries < 1200, `${version} is not served after a minute`);
      await sleep(50);
    }
    await sleep(200);
  }

  it("updates a kind and uses its new fields in the same update", async () => {
    const release = world.release();
    const size = { type: "integer" };
    await release.up({ "a.yaml": [crd(group, { size }), gadget(group, "one")] });
    const colour = { type: "string" };
    const grown = (spec: object) => ({ "a.yaml": [crd(group, { size, colour }), gadget(group, "one", spec)] });
    await release.preview(grown({ size: 1, colour: "red" }));
    assert.match(world.said("info"), /~ Gadget \S+\/one/);
    const wrong = await messageOf(release.preview(grown({ size: 1, colour: "red", colr: "x" })));
    assert.match(wrong, /Gadget \S+\/one: \^\.spec\.colr: .*did you mean colour\?/);
    await release.up(grown({ size: 1, colour: "red" }));
    const live = await world.there("Gadget", "one", `${group}/v1`);
    assert.deepEqual(live?.["spec"], { size: 1, colour: "red" });
    await release.down();
    assert.equal(await world.client.get(kind()), undefined);
  });

  it("finds its objects when their API version is no longer served", async () => {
    const release = world.release();
    const both = crd(group);
    const [v1] = both.spec.versions;
    const versions = [v1, { ...v1, name: "v2", storage: false }] as unknown as typeof both.spec.versions;
    const wide = { ...both, spec: { ...both.spec, versions } };
    await served(wide, "v2");
    await release.up({ "a.yaml": [configMap("a"), gadget(group, "one")] });
    const uid = (await world.there("Gadget", "one", `${group}/v1`))?.metadata.uid;
    // The operator stores them as v2 and serves v1 no longer.
    const last = [
      { ...v1, served: false, storage: false },
      { ...v1, name: "v2" },
    ] as unknown as typeof versions;
    await served({ ...wide, spec: { ...both.spec, versions: last } }, "v2");
    const next = { ...gadget(group, "one", { size: 2 }), apiVersion: `${group}/v2` };
    await release.up({ "a.yaml": [configMap("a"), next] });
    assert.equal((await world.there("Gadget", "one", `${group}/v2`))?.metadata.uid, uid);
    await served({ ...wide, spec: { ...both.spec, versions } }, "v2");
    await release.up({ "a.yaml": [configMap("a"), gadget(group, "one")] });
    await served({ ...wide, spec: { ...both.spec, versions: last } }, "v2");
    await release.down();
    assert.equal(await world.there("Gadget", "one", `${group}/v2`), undefined, "it was left behind");
    await world.client.remove(kind());
  });

  it("restores a deleted kind with its resources", async () => {
    const release = world.release();
    const files = { "a.yaml": [configMap("a"), crd(group), gadget(group, "one")] };
    await release.up(files);
    await world.client.remove(kind());
    for (let tries = 0; (await world.client.get(kind())) && tries < 100; tries++);
    assert.ok(await release.refresh());
    assert.equal(release.inputs?.drift?.length, 2);
    await release.up(files);
    assert.ok(await world.there("Gadget", "one", `${group}/v1`));
    await world.client.remove(kind());
    await release.up({ "a.yaml": [configMap("b")] });
    assert.deepEqual(await world.configMaps(), ["b", "bundle-shop"]);
    await release.down();
  });

  it("is not blocked by an aggregated API server that does not answer", async () => {
    const own = `${world.namespace}-own`;
    const away = {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `v1.${group}` },
      spec: {
        ...{ group, version: "v1", groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true },
        service: { namespace: world.namespace, name: "away", port: 443 },
      },
    };
    await world.client.apply(away);
    try {
      const release = world.release();
      const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: own } };
      await release.up({ "a.yaml": [configMap("a"), service(), place] });
      assert.ok(await release.refresh());
      await release.up({ "a.yaml": [configMap("a")] });
      assert.match(world.said("warning"), new RegExp(`Namespace ${own} stays: .*${group}/v1`));
      await release.down();
      assert.deepEqual(await world.configMaps(), []);
    } finally {
      await world.client.remove({ ...away, name: away.metadata.name });
      await world.client.remove({ apiVersion: "v1", kind: "Namespace", name: own });
    }
  });

  it("keeps an object when its API version changes", async () => {
    const scaler = (version: string, spec: object) => ({
      apiVersion: `autoscaling/${version}`,
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 3, ...spec },
    });
    const release = world.release();
    await release.up({ "a.yaml": scaler("v1", { targetCPUUtilizationPercentage: 50 }) });
    const uid = (await world.there("HorizontalPodAutoscaler", "web", "autoscaling/v2"))?.metadata.uid;
    const target = { type: "Utilization", averageUtilization: 60 };
    const next = { "a.yaml": scaler("v2", { metrics: [{ type: "Resource", resource: { name: "cpu", target } }] }) };
    await release.preview(next);
    assert.doesNotMatch(world.said("info"), /to be removed/);
    await release.up(next);
    assert.equal((await world.there("HorizontalPodAutoscaler", "web", "autoscaling/v2"))?.metadata.uid, uid);
    assert.equal(release.state?.inventory.length, 1);
    await release.down();
  });

  it("applies objects above the annotation limit and rejects objects above the cluster's limit", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("large", { text: "x".repeat(600_000) }) });
    const text = { type: "string" };
    const files = {
      "a.yaml": [
        crd(group, { size: { type: "integer" }, text }),
        gadget(group, "huge", { size: 1, text: "x".repeat(2_000_000) }),
      ],
    };
    const since = Date.now();
    assert.match(await messageOf(release.up(files)), /Gadget \S+\/huge.*too large/);
    assert.ok(Date.now() - since < 10_000, "it was tried again");
    await release.down();
  });

  it("reports a failed run-once pod at once", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "once" },
      spec: {
        restartPolicy: "Never",
        activeDeadlineSeconds: 1,
        containers: [{ name: "main", image: "example/runtime:missing" }],
      },
    };
    const message = await messageOf(world.release().up({ "a.yaml": pod }));
    assert.match(message, /cannot become ready:\n- Pod \S+\/once: /);
  });
});
