import assert from "node:assert/strict";
import { isAwaited, rollout } from "../../../kubernetes/rollout/rollout";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const live = (status: object, spec: object = {}): KubeObject => ({
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "one-ray", namespace: "ray", generation: 2 },
  spec,
  status: { observedGeneration: 2, ...status },
});
const progress = (status: object, spec?: object): string => {
  const state = rollout(live(status, spec));
  return state.done ? "done" : state.progress;
};
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });
const provisioned = condition("RayClusterProvisioned", "True");

describe("the rollout of a RayCluster", () => {
  it("is awaited until the operator has observed the change", () => {
    assert.ok(isAwaited({ apiVersion: "ray.io/v1", kind: "RayCluster" }));
    assert.match(progress({ observedGeneration: 1, state: "ready" }), /has not seen the change/);
    assert.match(progress({ observedGeneration: undefined }), /has not seen the change/);
  });

  it("is done when the operator reports a ready condition or state", () => {
    assert.equal(progress({ conditions: [provisioned, condition("HeadPodReady", "True")] }), "done");
    assert.equal(progress({ state: "ready" }), "done");
    assert.match(progress({}), /not reported it ready/);
    assert.match(
      progress({ state: "ready", conditions: [condition("RayClusterProvisioned", "False")] }),
      /not reported/,
    );
  });

  it("shows why it is not done", () => {
    const down = condition("HeadPodReady", "False", { reason: "ContainersNotReady", message: "pulling" });
    assert.match(progress({ conditions: [provisioned, down] }), /head is not ready \(ContainersNotReady: pulling\)/);
    const quota = condition("RayClusterReplicaFailure", "True", { reason: "FailedCreateHeadPod", message: "quota" });
    assert.match(progress({ conditions: [quota] }), /can't be made \(FailedCreateHeadPod: quota\)/);
    assert.match(progress({ state: "failed", reason: "no such account" }), /failed with it: no such account/);
    assert.match(progress({ state: "ready", readyWorkerReplicas: 1, minWorkerReplicas: 2 }), /1 of 2 workers ready/);
  });

  it("is done when the cluster is suspended", () => {
    assert.equal(progress({ state: "suspended" }, { suspend: true }), "done");
  });
});
