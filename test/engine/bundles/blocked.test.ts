import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { configMap } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World, type Release } from "./world";

const ADMISSION = "admissionregistration.k8s.io/v1";

describe("a release with an object that rejects its own updates", () => {
  let world: World;
  let release: Release;
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    release = world.release("shop");
  });
  afterEach(() => world.close());

  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] };
  const here = () => ({ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": world.namespace } } });
  const webhook = () => ({
    ...{ apiVersion: ADMISSION, kind: "ValidatingWebhookConfiguration", metadata: { name: world.namespace } },
    webhooks: [
      {
        ...{ name: "gone.example.com", sideEffects: "None", admissionReviewVersions: ["v1"], failurePolicy: "Fail" },
        ...{ ...here(), rules: [rule], timeoutSeconds: 1 },
        clientConfig: { service: { namespace: world.namespace, name: "gone" } },
      },
    ],
  });
  const policy = () => [
    {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicy", metadata: { name: world.namespace } },
      spec: {
        matchConstraints: { ...here(), resourceRules: [rule] },
        validations: [{ expression: "!object.metadata.name.startsWith('bundle-')" }],
      },
    },
    {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicyBinding", metadata: { name: world.namespace } },
      spec: { policyName: world.namespace, validationActions: ["Deny"] },
    },
  ];
  const quota = () => ({
    ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few" } },
    spec: { hard: { "count/configmaps": "3" } },
  });

  it("removes a webhook without pods first, when it leaves", async () => {
    assert.match(await release.fails({ "a.yaml": webhook() }), /failed calling webhook/);
    await release.up({ "a.yaml": configMap("a") });
    assert.match(
      world.said("info"),
      /removes ValidatingWebhookConfiguration \S+ first, because the update is rejected/,
    );
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
  });

  it("removes an admission policy first, when it leaves", async () => {
    await release.up({ "a.yaml": configMap("a") });
    await release.up({ "a.yaml": [configMap("a"), ...policy()] }).catch(() => undefined);
    // It takes effect with a delay.
    const note = world.ref("v1", "ConfigMap", "bundle-shop");
    const change = () => world.client.merge(note, { metadata: { labels: { a: "b" } } }, { dryRun: true });
    while (await change().catch(() => undefined)) await sleep(100);
    await release.up({ "a.yaml": [configMap("a"), configMap("b")] });
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop"]);
    const left = await world.client.list({ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicy" });
    assert.ok(left.every(({ metadata }) => metadata.name !== world.namespace));
  });

  it("removes a quota first, when it leaves and new objects exceed it", async () => {
    await release.up({ "a.yaml": [quota(), configMap("a")] });
    await release.up({ "a.yaml": [configMap("a"), configMap("b"), configMap("c")] });
    assert.match(world.said("info"), /removes ResourceQuota \S+ first, because .*exceeded quota/s);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop", "c"]);
  });

  it("removes nothing that stays", async () => {
    await release.up({ "a.yaml": [quota(), configMap("a")] });
    assert.match(
      await release.fails({ "a.yaml": [quota(), configMap("a"), configMap("b"), configMap("c")] }),
      /exceeded quota/,
    );
    assert.ok(await world.there("ResourceQuota", "few"));
  });
});
