import assert from "node:assert/strict";
import type { Client } from "../../../kubernetes/client/client";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { needsPods, rayPods } from "../../../kubernetes/ready/rayPods";
import { rollout } from "../../../kubernetes/rollout/rollout";
import { DONE } from "../../../kubernetes/rollout/state";
import { reasonsOf } from "../../../kubernetes/reasons/collect";

const template = (image: string, level = "info") => ({
  spec: { containers: [{ name: "head", image, env: [{ name: "LEVEL", value: level }] }] },
});
const cluster = (observedGeneration = 2, group: object = {}): KubeObject => ({
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "one-ray", namespace: "ray", uid: "1", generation: 2, resourceVersion: "20" },
  spec: {
    headGroupSpec: { template: template("ray:2") },
    workerGroupSpecs: [{ groupName: "gpu", minReplicas: 1, ...group }],
  },
  status: { observedGeneration, state: "ready" },
});
const pod = (type: string, ready = "True", metadata: object = {}, image = "ray:2", level = "info"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: type, labels: { "ray.io/node-type": type }, ...metadata },
  spec: { containers: [{ ...template(image, level).spec.containers[0], args: [] }, { name: "autoscaler" }] },
  status: { conditions: [{ type: "Ready", status: ready }] },
});
const leaving = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const said = (pods: readonly KubeObject[], live = cluster()): string => {
  const state = rayPods(live, rollout(live), pods);
  return state.done ? "done" : state.progress;
};

describe("the pods of a RayCluster", () => {
  it("must exist and be ready, whatever the operator reports about deleted pods", () => {
    assert.equal(said([pod("head"), pod("worker")]), "done");
    assert.match(said([pod("head", "True", leaving), pod("worker", "True", leaving)]), /new head is not created/);
    assert.match(said([]), /new head is not created/);
    assert.match(said([pod("head", "False"), pod("worker")]), /head is not ready/);
    assert.match(said([pod("head"), pod("worker", "True", leaving)]), /0 of 1 workers ready/);
  });

  it("must reach the minimum of each group, including numOfHosts", () => {
    assert.match(said([pod("head"), pod("worker")], cluster(2, { numOfHosts: 2 })), /1 of 2 workers ready/);
    assert.equal(said([pod("head")], cluster(2, { suspend: true })), "done");
  });

  it("show after a while that the operator has observed a change without a new status", () => {
    const live = cluster(1);
    const unseen = rollout(live);
    assert.equal(needsPods(live, unseen, 1_000), false);
    assert.equal(needsPods(live, unseen, 30_000), true);
    assert.equal(needsPods(cluster(), DONE, 0), true);
    assert.equal(said([pod("head"), pod("worker")], live), "done");
    assert.match(said([pod("head", "True", {}, "ray:1"), pod("worker")], live), /has not seen the change/);
    assert.match(said([pod("head", "True", {}, "ray:2", "debug"), pod("worker")], live), /has not seen the change/);
  });
});

describe("the reason why a RayCluster is not ready", () => {
  const event = (message: string, resourceVersion: string) => ({
    metadata: { name: "a" },
    type: "Warning",
    reason: "InvalidRayClusterSpec",
    message,
    involvedObject: { resourceVersion },
  });
  const reasons = (events: readonly object[], pods: readonly object[] = []) => {
    const list = ({ kind }: { kind: string }) => Promise.resolve(kind === "Pod" ? pods : events);
    return reasonsOf({ list } as unknown as Client, cluster());
  };
  const refusal = "The RayCluster spec is invalid ray/one-ray: no containers";

  it("is final if the operator rejects the current version", async () => {
    assert.deepEqual(await reasons([event(refusal, "20")]), [
      { text: `its operator refuses it: ${refusal}`, final: true },
    ]);
    const owned = { ownerReferences: [{ controller: true, uid: "1" }] };
    const [, last] = await reasons([event(refusal, "20")], [pod("head", "False", owned)]);
    assert.equal(last?.final, true, "its pods are those of before");
  });

  it("is not final if an earlier version was rejected, or for a warning", async () => {
    for (const one of [event(refusal, "19"), event("RayCluster spec warning ray/one-ray: restartPolicy", "20")]) {
      const [found] = await reasons([one]);
      assert.equal(found?.final, false);
    }
  });
});
