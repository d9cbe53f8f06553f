import assert from "node:assert/strict";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { changeOnly, differencesOf } from "../../../../kubernetes/gardener/imported";

const shoot = (spec: object, metadata: object = {}): KubeObject => ({
  apiVersion: "core.gardener.cloud/v1beta1",
  kind: "Shoot",
  metadata: { name: "acme", ...metadata },
  spec,
});
const pool = (name: string, maximum: number, more: object = {}) => ({ name, maximum, ...more });
const specOf = (old: object, next: object, live: object): unknown =>
  changeOnly(shoot(old), shoot(next), shoot(live))["spec"];

describe("a change to an imported Shoot", () => {
  const LIVE = {
    purpose: "production",
    kubernetes: { version: "1.32.8", kubelet: { maxPods: 200 } },
    extensions: [{ type: "custom" }, { type: "shoot-dns-service", disabled: true }],
    provider: { workers: [pool("cpu-worker-0", 4, { labels: { a: "b" } }), pool("extra", 9)] },
  };
  const WANTED = {
    purpose: "evaluation",
    kubernetes: { version: "1.32.8" },
    extensions: [{ type: "shoot-dns-service" }, { type: "shoot-cert-service" }],
    provider: { workers: [pool("cpu-worker-0", 4)] },
    hibernation: { enabled: false },
  };

  it("changes nothing if nothing is requested", () => {
    assert.deepEqual(specOf(WANTED, WANTED, LIVE), LIVE);
  });

  it("changes only the requested fields", () => {
    const next = { ...WANTED, provider: { workers: [pool("cpu-worker-0", 6), pool("gpu", 1)] } };
    assert.deepEqual(specOf(WANTED, next, LIVE), {
      ...LIVE,
      provider: { workers: [pool("cpu-worker-0", 6, { labels: { a: "b" } }), pool("extra", 9), pool("gpu", 1)] },
    });
    assert.deepEqual(specOf(WANTED, { ...WANTED, purpose: "testing" }, LIVE), { ...LIVE, purpose: "testing" });
  });

  it("removes fields that are no longer requested", () => {
    const two = { ...WANTED, provider: { workers: [pool("cpu-worker-0", 4), pool("extra", 9)] } };
    const { provider } = specOf(two, WANTED, LIVE) as typeof LIVE;
    assert.deepEqual(provider.workers, [pool("cpu-worker-0", 4, { labels: { a: "b" } })]);
    const { purpose, ...without } = WANTED;
    assert.equal("purpose" in (specOf({ ...without, purpose }, without, LIVE) as object), false);
  });

  it("applies the requested labels and annotations", () => {
    const next = shoot(WANTED, { annotations: { a: "1" } });
    assert.deepEqual(changeOnly(shoot(WANTED), next, shoot(LIVE)).metadata, next.metadata);
  });
});

describe("a difference between a Shoot and its settings", () => {
  it("is shown with both values and a path that names pools", () => {
    const live = { spec: { purpose: "production", workers: [pool("cpu-worker-0", 4)], extra: 1 } };
    const wanted = {
      spec: { purpose: "testing", workers: [pool("cpu-worker-0", 6), pool("gpu", 1)], hibernation: {} },
    };
    assert.deepEqual(differencesOf(live, wanted), [
      { path: "spec.purpose", is: "production", would: "testing" },
      { path: "spec.workers[cpu-worker-0].maximum", is: 4, would: 6 },
      { path: "spec.workers[gpu]", is: undefined, would: pool("gpu", 1) },
    ]);
    assert.deepEqual(differencesOf(live, live), []);
  });
});
