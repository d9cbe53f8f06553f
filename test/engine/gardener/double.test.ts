import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { shootAccessText } from "../../../foundation/shootAccess";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { at, listAt, numberAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { Gardener } from "../../doubles/gardener/gardener";
import { exampleShoot } from "../../doubles/gardener/exampleShoot";

const state = (shoot: KubeObject | undefined) => textAt(shoot, "status", "lastOperation", "state");
const codes = (shoot: KubeObject | undefined) =>
  listAt(shoot, "status", "lastErrors").flatMap(({ codes }) => codes as string[]);

describe("the double of Gardener", () => {
  let gardener: Gardener;
  let client: Client;
  const ref = (name: string) => ({
    apiVersion: "core.gardener.cloud/v1beta1",
    kind: "Shoot",
    namespace: gardener.namespace,
    name,
  });
  const create = (name: string, change: object = {}) => client.apply(exampleShoot(gardener.namespace, name, change));
  const annotate = (name: string, annotations: Record<string, string | null>) =>
    client.merge(ref(name), { metadata: { annotations } });
  const request = (expirationSeconds: number) => ({
    apiVersion: "authentication.gardener.cloud/v1alpha1",
    kind: "AdminKubeconfigRequest",
    spec: { expirationSeconds },
  });

  before(async () => {
    // Of its own, so that Shoots of an earlier run are no concern.
    const project = `d${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project });
    client = connect(gardener.kubeconfig, undefined, { patienceMs: 0 });
  });
  after(() => gardener.stop());

  it("creates a cluster step by step, hibernates, wakes, upgrades and, after confirmation, deletes it", async () => {
    await create("life");
    const created = await gardener.until("life", (shoot) => state(shoot) === "Succeeded");
    assert.equal(textAt(created, "spec", "dns", "domain"), `life.${gardener.project}.shoot.example.com`);
    assert.equal(textAt(created, "spec", "seedName"), "gcp-eu1");
    assert.equal(textAt(created, "status", "lastOperation", "type"), "Create");
    assert.equal(textAt(created, "status", "technicalID"), `shoot--${gardener.project}--life`);
    assert.equal(numberAt(created, "status", "observedGeneration"), created?.metadata.generation);
    assert.deepEqual(created?.metadata.finalizers, ["gardener"]);

    for (const enabled of [true, false]) {
      await client.merge(ref("life"), { spec: { hibernation: { enabled } } });
      const done = await gardener.until("life", (one) => at(one, "status", "hibernated") === enabled);
      assert.equal(textAt(done, "status", "lastOperation", "type"), "Reconcile");
    }
    await client.merge(ref("life"), { spec: { kubernetes: { version: "1.33.4" } } });
    await gardener.until(
      "life",
      (one) => state(one) === "Succeeded" && numberAt(one, "status", "observedGeneration") === one?.metadata.generation,
    );
    await assert.rejects(client.remove(ref("life")), /must have a "confirmation.gardener.cloud\/deletion" annotation/);
    await annotate("life", { "confirmation.gardener.cloud/deletion": "true" });
    await client.remove(ref("life"));
    const leaving = await gardener.until(
      "life",
      (one) => textAt(one, "status", "lastOperation", "type") !== "Reconcile",
    );
    assert.equal(textAt(leaving, "status", "lastOperation", "type"), "Delete");
    await gardener.until("life", (one) => one === undefined);
  });

  it("fails with the matching error code and continues when a retry is requested", async () => {
    await create("quota", { secretBindingName: "quota-exceeded" });
    const failed = await gardener.until("quota", (one) => state(one) === "Failed");
    assert.deepEqual(codes(failed), ["ERR_INFRA_QUOTA_EXCEEDED"]);
    await annotate("quota", {
      "double.gardener.stackyard.dev/fault": "none",
      "gardener.cloud/operation": "retry",
    });
    const done = await gardener.until("quota", (one) => state(one) === "Succeeded");
    assert.deepEqual(codes(done), []);
    assert.equal(at(done, "metadata", "annotations", "gardener.cloud/operation"), undefined);
  });

  it("retries transient errors by itself", async () => {
    await create("tight", { secretBindingName: "resources-depleted" });
    const stopped = await gardener.until("tight", (one) => state(one) === "Error");
    assert.deepEqual(codes(stopped), ["ERR_INFRA_RESOURCES_DEPLETED"]);
    await gardener.until("tight", (one) => state(one) === "Succeeded");
  });

  it("keeps a cluster that it cannot clean up until the deletion is forced", async () => {
    await create("messy", { secretBindingName: "cleanup" });
    await gardener.until("messy", (one) => one !== undefined);
    const forced = { "confirmation.gardener.cloud/force-deletion": "true" };
    await assert.rejects(annotate("messy", forced), /force-deletion annotation cannot be set/);
    await annotate("messy", { "confirmation.gardener.cloud/deletion": "true" });
    await client.remove(ref("messy"));
    const stuck = await gardener.until("messy", (one) => state(one) === "Error");
    assert.deepEqual(codes(stuck), ["ERR_CLEANUP_CLUSTER_RESOURCES"]);
    await annotate("messy", forced);
    await gardener.until("messy", (one) => one === undefined);
  });

  it("lets a project's account read the namespace of its project and no other", async () => {
    const namespace = (name: string) => client.get({ apiVersion: "v1", kind: "Namespace", name });
    assert.ok((await namespace(gardener.namespace))?.metadata.uid);
    await assert.rejects(namespace("kube-system"), /forbidden/);
  });

  it("rejects what Gardener rejects", async () => {
    const NEW = {
      ...{ cloudProfileName: undefined, secretBindingName: undefined },
      ...{ cloudProfile: { kind: "CloudProfile", name: "gcp" }, credentialsBindingName: undefined },
      kubernetes: { version: "1.34.3" },
    };
    const refused: [string, object, RegExp][] = [
      ["name-far-too-long-x", {}, /must not exceed 21 characters \(project: d..; shoot: name-far-too-long-x\)/],
      ["bad-cidr", { networking: { type: "calico", nodes: "10.250.0.0/99" } }, /invalid CIDR address/],
      ["bad-field", { colour: "blue" }, /colour/],
      ["no-version", { kubernetes: {} }, /version/],
      [
        "no-credentials",
        { secretBindingName: undefined },
        /exactly one of secretBindingName and credentialsBindingName/,
      ],
      ["static-token", { kubernetes: { version: "1.32.8", enableStaticTokenKubeconfig: false } }, /enableStaticToken/],
      ["old-profile", { ...NEW, cloudProfileName: "gcp" }, /cloudProfileName field is no longer supported/],
      ["old-binding", { ...NEW, secretBindingName: "gcp" }, /secretBindingName field is no longer supported/],
      ["no-binding", { secretBindingName: "missing" }, /is forbidden: secretbinding "missing" not found/],
      ["no-workers", { provider: { type: "gcp", workers: [] } }, /at least one worker/],
    ];
    for (const [name, change, message] of refused) await assert.rejects(create(name, change), message);
    await create("fixed");
    await assert.rejects(client.merge(ref("fixed"), { spec: { region: "us-east1" } }), /field is immutable/);
    await assert.rejects(
      client.merge(ref("fixed"), { spec: { kubernetes: { version: "1.31.12" } } }),
      /kubernetes version downgrade is not supported/,
    );
  });

  it("issues short-lived credentials once the cluster has an address", async () => {
    await assert.rejects(client.issue(ref("nobody"), "adminkubeconfig", request(600)), /not found/);
    await create("keys");
    await assert.rejects(client.issue(ref("keys"), "adminkubeconfig", request(60)), /less than 10 minutes/);
    await gardener.until("keys", (one) => state(one) === "Succeeded");
    const issued = await client.issue(ref("keys"), "adminkubeconfig", request(600));
    const left = Date.parse(textAt(issued, "status", "expirationTimestamp") ?? "") - Date.now();
    assert.ok(left > 0 && left <= 600_000, `${left} ms are left`);
    const kubeconfig = Buffer.from(textAt(issued, "status", "kubeconfig") ?? "", "base64").toString("utf8");
    const admin = connect(kubeconfig, undefined, {});
    const namespace = { apiVersion: "v1", kind: "Namespace", name: "kube-system" };
    assert.ok(await admin.get(namespace));
    const text = { garden: gardener.kubeconfig, namespace: gardener.namespace, shoot: "keys" };
    assert.ok(await connect(shootAccessText(text), undefined, {}).get(namespace));
    const early = connect(shootAccessText({ ...text, shoot: "nobody" }), undefined, { patienceMs: 0 });
    await assert.rejects(early.get(namespace), /adminkubeconfig of Shoot garden-d..\/nobody.*not found/);
  });
});
