import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { at, type KubeObject } from "../../../kubernetes/objects/objects";
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
  const webhook = (failurePolicy = "Fail") => ({
    ...{ apiVersion: ADMISSION, kind: "ValidatingWebhookConfiguration", metadata: { name: world.namespace } },
    webhooks: [
      {
        ...{ name: "gone.example.com", sideEffects: "None", admissionReviewVersions: ["v1"], failurePolicy },
        ...{ ...here(), rules: [rule], timeoutSeconds: 1 },
        clientConfig: { service: { namespace: world.namespace, name: "gone" } },
      },
    ],
  });
  const policy = (expression = "!object.metadata.name.startsWith('bundle-')") => [
    {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicy", metadata: { name: world.namespace } },
      spec: {
        matchConstraints: { ...here(), resourceRules: [rule] },
        validations: [{ expression }],
      },
    },
    {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicyBinding", metadata: { name: world.namespace } },
      spec: { policyName: world.namespace, validationActions: ["Deny"] },
    },
  ];
  const quota = (most = "3") => ({
    ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few" } },
    spec: { hard: { "count/configmaps": most } },
  });

  const other = () =>
    ({ ...configMap("other"), metadata: { name: "other", namespace: world.namespace } }) as KubeObject;
  const removeOther = () => world.client.remove(world.ref("v1", "ConfigMap", "other"));

  /**
   * A release with a quota that is used up. Its controller may count before it has seen all objects, and counts again
   * after a deletion, or in five minutes.
   */
  async function useUp(): Promise<void> {
    await release.up({ "a.yaml": [quota(), configMap("a")] });
    const used = async () => at(await world.there("ResourceQuota", "few"), "status", "used", "count/configmaps");
    for (; (await used()) !== "3"; await sleep(200)) {
      await world.client.apply(other()).catch(() => undefined);
      await removeOther();
    }
  }

  it("removes a webhook without pods first, when it leaves", async () => {
    assert.match(await release.fails({ "a.yaml": webhook() }), /failed calling webhook/);
    await release.up({ "a.yaml": configMap("a") });
    assert.match(
      world.said("info"),
      /removes ValidatingWebhookConfiguration \S+ first, because the API server rejected/,
    );
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
  });

  it("applies a changed webhook first, when its pods are gone", async () => {
    await release.up({ "a.yaml": configMap("a") });
    assert.match(await release.fails({ "a.yaml": [configMap("a"), webhook()] }), /failed calling webhook/);
    assert.match(await release.fails({ "a.yaml": [configMap("b"), webhook()] }), /failed calling webhook/);
    assert.match(
      world.said("info"),
      /ValidatingWebhookConfiguration \S+ of this bundle may be why: .* changes or removes/,
    );
    await release.up({ "a.yaml": [configMap("b"), webhook("Ignore")] });
    assert.match(
      world.said("info"),
      /applies ValidatingWebhookConfiguration \S+ first, because the API server rejected: .*failed calling webhook/s,
    );
    assert.deepEqual(await world.configMaps(), ["b", "bundle-shop"]);
  });

  /** A release whose own admission policy rejects its note. It takes effect with a delay. */
  async function rejectNote(): Promise<void> {
    await release.up({ "a.yaml": configMap("a") });
    await release.up({ "a.yaml": [configMap("a"), ...policy()] }).catch(() => undefined);
    const note = world.ref("v1", "ConfigMap", "bundle-shop");
    const change = () => world.client.merge(note, { metadata: { labels: { a: "b" } } }, { dryRun: true });
    while (await change().catch(() => undefined)) await sleep(100);
  }

  it("applies a changed admission policy first", async () => {
    await rejectNote();
    await release.up({ "a.yaml": [configMap("a"), configMap("b"), ...policy("object.metadata.name != 'c'")] });
    assert.match(world.said("info"), /applies ValidatingAdmissionPolicy \S+ first/);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop"]);
    assert.match(
      await release.fails({ "a.yaml": [configMap("c"), ...policy("object.metadata.name != 'c'")] }),
      /denied/,
    );
  });

  it("applies a changed mutating policy first", async () => {
    const mutating = (key: string) => [
      {
        ...{ apiVersion: ADMISSION, kind: "MutatingAdmissionPolicy", metadata: { name: world.namespace } },
        spec: {
          ...{ matchConstraints: { ...here(), resourceRules: [rule] }, reinvocationPolicy: "Never" },
          mutations: [
            {
              patchType: "ApplyConfiguration",
              applyConfiguration: { expression: `Object{metadata: Object.metadata{labels: {"a": ${key}}}}` },
            },
          ],
        },
      },
      {
        ...{ apiVersion: ADMISSION, kind: "MutatingAdmissionPolicyBinding", metadata: { name: world.namespace } },
        spec: { policyName: world.namespace },
      },
    ];
    await release.up({ "a.yaml": [configMap("a"), ...mutating("object.data.missing")] }).catch(() => undefined);
    do await sleep(100);
    while (await world.client.apply(other(), { dryRun: true }).catch(() => undefined));
    const message = await release.fails({ "a.yaml": [configMap("b"), ...mutating("object.data.missing")] });
    assert.match(message, /ConfigMap \S+\/bundle-shop: policy .* denied request/);
    assert.doesNotMatch(message, /give the user the right/);
    await release.up({ "a.yaml": [configMap("b"), ...mutating("'b'")] });
    assert.match(
      world.said("info"),
      /applies MutatingAdmissionPolicy \S+ first, because .*policy '\S+' with binding '\S+' denied request/s,
    );
    assert.deepEqual(await world.configMaps(), ["b", "bundle-shop"]);
  });

  it("applies a raised quota first, when new objects exceed it", async () => {
    await useUp();
    await release.up({ "a.yaml": [quota("5"), configMap("a"), configMap("b"), configMap("c")] });
    assert.match(world.said("info"), /applies ResourceQuota \S+ first, because .*exceeded quota/s);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop", "c"]);
  });

  it("removes an admission policy first, when it leaves", async () => {
    await rejectNote();
    await release.up({ "a.yaml": [configMap("a"), configMap("b")] });
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop"]);
    const left = await world.client.list({ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicy" });
    assert.ok(left.every(({ metadata }) => metadata.name !== world.namespace));
  });

  it("removes a quota first, when it leaves and new objects exceed it", async () => {
    await useUp();
    await release.up({ "a.yaml": [configMap("a"), configMap("b"), configMap("c")] });
    assert.match(world.said("info"), /removes ResourceQuota \S+ first, because .*exceeded quota/s);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop", "c"]);
  });

  /** A release with a webhook in its first file that rejects the deletion of what its second file has. */
  async function rejectDeletion(): Promise<void> {
    const [one] = webhook().webhooks;
    const webhooks = [{ ...one, rules: [{ ...rule, operations: ["DELETE"] }] }];
    await release.up({ "1_webhook.yaml": { ...webhook(), webhooks }, "2_a.yaml": configMap("a") });
    // It takes effect with a delay.
    do await world.client.apply(other());
    while (await removeOther().catch(() => false));
  }

  it("is deleted with a webhook without pods that rejects deletions", async () => {
    await rejectDeletion();
    await release.down();
    assert.match(
      world.said("info"),
      /removes ValidatingWebhookConfiguration \S+ first, because .*failed calling webhook/s,
    );
    assert.deepEqual(await world.configMaps(), ["other"]);
  });

  it("loses an object whose deletion its leaving webhook rejects", async () => {
    await rejectDeletion();
    await release.up({ "b.yaml": configMap("b") });
    assert.match(world.said("info"), /removes ValidatingWebhookConfiguration \S+ first/);
    assert.deepEqual(await world.configMaps(), ["b", "bundle-shop", "other"]);
  });

  it("applies a changed LimitRange first", async () => {
    const limits = (storage: string) => ({
      ...{ apiVersion: "v1", kind: "LimitRange", metadata: { name: "disks" } },
      spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage } }] },
    });
    const claim = {
      ...{ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" } },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } } },
    };
    await release.up({ "2_limits.yaml": limits("1Gi") });
    const message = await release.fails({ "1_data.yaml": claim, "2_limits.yaml": limits("1Gi") });
    assert.match(message, /maximum storage usage per PersistentVolumeClaim is 1Gi/);
    await release.up({ "1_data.yaml": claim, "2_limits.yaml": limits("2Gi") });
    assert.match(world.said("info"), /applies LimitRange \S+ first/);
    assert.ok(await world.there("PersistentVolumeClaim", "data"));
  });

  it("removes nothing that stays", async () => {
    await useUp();
    assert.match(
      await release.fails({ "a.yaml": [quota(), configMap("a"), configMap("b"), configMap("c")] }),
      /exceeded quota/,
    );
    assert.ok(await world.there("ResourceQuota", "few"));
  });
});
