import assert from "node:assert/strict";
import type { Client } from "../../../../kubernetes/client/client";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { dueAt, keepKubeconfig, removeKubeconfig } from "../../../../service/runtimeResources/kubeconfig";
import { runtimeOf } from "./runtimes";

const HOUR_MS = 3_600_000;
const NOW = Date.parse("2026-11-28T00:00:00Z");

/** A cluster with at most one Secret, a Gardener, and a clock. */
function world(first?: KubeObject) {
  const base = runtimeOf("gcp", { id: "one" });
  const runtime = { ...base, metadata: { ...base.metadata, uid: "uid-1" } };
  const seen = { secret: first, issued: 0, now: NOW };
  const client = {
    get: () => Promise.resolve(seen.secret),
    apply: (secret: KubeObject) => Promise.resolve((seen.secret = secret)),
    remove: () => Promise.resolve((seen.secret = undefined)),
  } as unknown as Client;
  const place = {
    ...{ client, namespace: "kcp-system", now: () => seen.now },
    issue: () => Promise.resolve({ kubeconfig: `kubeconfig ${++seen.issued}`, expires: seen.now + 24 * HOUR_MS }),
  };
  const keep = (of: KubeObject = runtime) => keepKubeconfig(of, "one", place);
  const content = () => Buffer.from((seen.secret?.["data"] as { config: string }).config, "base64").toString();
  return { runtime, seen, place, keep, content };
}

describe("the Secret with the kubeconfig of a Runtime", () => {
  it("is written for readers of the Kyma Infrastructure Manager's, and looked at again after half of its lifetime", async () => {
    const { seen, keep, content } = world();
    assert.equal(await keep(), 12 * HOUR_MS);
    assert.equal(content(), "kubeconfig 1");
    const { name, namespace, labels, annotations, ownerReferences } = seen.secret!.metadata;
    assert.deepEqual([namespace, name], ["kcp-system", "kubeconfig-one"]);
    assert.equal(ownerReferences?.[0]?.uid, "uid-1");
    assert.equal(annotations?.["operator.kyma-project.io/last-sync"], "2026-11-28T00:00:00Z");
    assert.deepEqual(
      [labels?.["operator.kyma-project.io/kyma-name"], labels?.["operator.kyma-project.io/cluster-name"]],
      ["one", "one"],
    );
    assert.equal(labels?.["operator.kyma-project.io/managed-by"], "infrastructure-manager");
  });

  it("keeps its kubeconfig until then, whatever others add, and when a label of the Runtime changes", async () => {
    const { runtime, seen, keep, content } = world();
    await keep();
    const { metadata } = seen.secret!;
    seen.secret = { ...seen.secret!, metadata: { ...metadata, labels: { ...metadata.labels, other: "label" } } };
    seen.now += 11 * HOUR_MS;
    assert.equal(await keep(), HOUR_MS);
    const labels = { ...runtime.metadata.labels, "kyma-project.io/broker-plan-name": "azure" };
    assert.equal(await keep({ ...runtime, metadata: { ...runtime.metadata, labels } }), HOUR_MS);
    assert.equal(seen.secret.metadata.labels?.["kyma-project.io/broker-plan-name"], "azure");
    assert.deepEqual([content(), seen.issued], ["kubeconfig 1", 1]);
    seen.now += 2 * HOUR_MS;
    assert.equal(await keep(), 12 * HOUR_MS);
    assert.equal(content(), "kubeconfig 2");
  });

  it("is left alone if it belongs to something else", async () => {
    const foreign = { apiVersion: "v1", kind: "Secret", metadata: { name: "kubeconfig-one", namespace: "kcp-system" } };
    const { runtime, seen, place, keep } = world(foreign);
    await assert.rejects(keep(), /Secret kcp-system\/kubeconfig-one exists and does not belong to this Runtime/);
    await removeKubeconfig(runtime, "one", place);
    assert.deepEqual([seen.secret, seen.issued], [foreign, 0]);
  });

  it("is deleted with its Runtime", async () => {
    const { runtime, seen, place, keep } = world();
    await keep();
    await removeKubeconfig(runtime, "one", place);
    assert.equal(seen.secret, undefined);
  });

  it("needs a kubeconfig if it has none, or does not say until when", () => {
    const metadata = {
      name: "kubeconfig-one",
      annotations: { "operator.kyma-project.io/last-sync": "2026-11-28T00:00:00Z" },
    };
    assert.equal(dueAt({ apiVersion: "v1", kind: "Secret", metadata }), 0);
    assert.equal(dueAt({ apiVersion: "v1", kind: "Secret", metadata, data: { config: "eA==" } }), 0);
  });
});
