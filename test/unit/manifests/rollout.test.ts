import assert from "node:assert/strict";
import { rollout, isAwaited, resized } from "../../../kubernetes/rollout/rollout";
import { stuckPods } from "../../../kubernetes/ready/unstick";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { claim, container, object, pod } from "./samples";

const progress = (live: KubeObject): string => {
  const state = rollout(live);
  return state.done ? "done" : (state.failed ?? state.progress);
};
const counts = (replicas: number, ready: number, updated: number, more: object = {}) => ({
  replicas,
  readyReplicas: ready,
  availableReplicas: ready,
  updatedReplicas: updated,
  ...more,
});

describe("a rollout", () => {
  it("is not done before its controller has observed the change", () => {
    const seen = counts(1, 1, 1);
    assert.match(
      progress(object("Deployment", {}, { ...seen, observedGeneration: 1 }, { generation: 2 })),
      /has not seen the change/,
    );
    assert.match(progress({ ...object("StatefulSet"), status: {} }), /has not seen the change/);
  });

  it("of a Deployment is done when all pods are new and ready and no old pod is left", () => {
    const of = (status: object, spec: object = { replicas: 2 }) => progress(object("Deployment", spec, status));
    assert.equal(of(counts(2, 2, 1)), "1 of 2 pods updated");
    assert.equal(of(counts(3, 2, 2)), "1 pods of the old version still to go");
    assert.equal(of(counts(2, 1, 2)), "1 of 2 pods ready");
    assert.equal(of({ ...counts(2, 2, 2), availableReplicas: 1 }), "1 of 2 pods ready for long enough");
    assert.equal(of(counts(2, 2, 2)), "done");
    assert.equal(of(counts(2, 0, 0), { replicas: 2, paused: true }), "done");
  });

  it("of a Deployment fails at its deadline, and not by the deadline of the rollout before", () => {
    const late = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" };
    const of = (status: object, more: object = {}) =>
      rollout(
        object("Deployment", { replicas: 2, progressDeadlineSeconds: 5 }, { ...status, conditions: [late] }, more),
      );
    const failed = of(counts(2, 1, 2));
    assert.ok(!failed.done && failed.doubtful);
    assert.equal(failed.failed, "1 of 2 pods ready; it made no progress for 5 seconds");
    const unseen = of({ ...counts(2, 2, 2), observedGeneration: 1 }, { generation: 2 });
    assert.ok(!unseen.done && unseen.failed === undefined);
  });

  it("of a pod without a controller, and of a claim, ends with their failure", () => {
    const evicted = { phase: "Failed", reason: "Evicted", message: "out of memory" };
    const one = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status: evicted };
    assert.equal(progress(one), "it failed (Evicted: out of memory); replace or delete the pod");
    assert.match(progress({ ...one, status: { phase: "Failed" } }), /it failed \(no reason given\)/);
    assert.equal(progress({ ...one, status: { phase: "Pending" } }), "phase Pending, not ready");
    assert.match(progress(claim("a", "1Gi", "1Gi", { phase: "Lost" })), /its volume is gone \(phase Lost\)/);
  });

  it("of a StatefulSet respects its update strategy", () => {
    const of = (status: object, spec: object = {}) => progress(object("StatefulSet", { replicas: 2, ...spec }, status));
    const rolling = { currentRevision: "a", updateRevision: "b" };
    assert.equal(of(counts(2, 2, 1, rolling)), "1 of 2 pods updated");
    assert.equal(of(counts(2, 2, 1, rolling), { updateStrategy: { type: "OnDelete" } }), "done");
    assert.equal(of(counts(2, 2, 1, rolling), { updateStrategy: { rollingUpdate: { partition: 1 } } }), "done");
    assert.equal(of(counts(3, 3, 3)), "1 of 3 pods still to go");
    // Once all are updated, controllers no longer count them as such.
    assert.equal(
      of({ replicas: 2, readyReplicas: 2, availableReplicas: 2, currentRevision: "b", updateRevision: "b" }),
      "done",
    );
    assert.equal(of({ replicas: 0 }, { replicas: 0 }), "done");
  });

  it("of a DaemonSet is done when every node has a ready new pod", () => {
    const of = (desired: number, updated: number, available: number) =>
      progress(
        object(
          "DaemonSet",
          {},
          { desiredNumberScheduled: desired, updatedNumberScheduled: updated, numberAvailable: available },
        ),
      );
    assert.deepEqual(
      [of(3, 2, 3), of(3, 3, 2), of(3, 3, 3), of(0, 0, 0)],
      ["2 of 3 pods updated", "2 of 3 pods ready", "done", "done"],
    );
  });

  it("of a Job ends with its success or failure", () => {
    const of = (status: object, spec: object = {}) =>
      progress({ ...object("Job", spec, status), apiVersion: "batch/v1" });
    assert.equal(of({ succeeded: 1 }, { completions: 3 }), "1 of 3 pods succeeded");
    assert.equal(of({ conditions: [{ type: "Complete", status: "True" }] }), "done");
    const failed = { type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "too often" };
    assert.match(
      of({ conditions: [failed] }),
      /it failed \(BackoffLimitExceeded: too often\); .*kubectl -n ns delete job acme/,
    );
    assert.equal(of({}, { suspend: true }), "done");
  });

  it("of Services and unknown kinds is not awaited", () => {
    assert.equal(isAwaited({ apiVersion: "v1", kind: "Service" }), false);
    assert.equal(isAwaited({ apiVersion: "example.com/v1", kind: "Deployment" }), false);
    assert.equal(progress(object("Service")), "done");
  });

  it("of a claim is done when the claim is bound, whatever its size", () => {
    assert.equal(progress(claim("a", "2Gi", "1Gi")), "done");
    assert.equal(resized(claim("a", "2Gi", "1Gi")).done, false);
    assert.equal(progress(claim("a", "1Gi", "1Gi", { phase: "Pending" })), "not bound (Pending)");
  });
});

describe("pods that block a StatefulSet's rollout", () => {
  const set = object("StatefulSet", {}, { updateRevision: "new" });
  const old = (containers: object[], status: object = {}, revision = "old", name = "acme-0"): KubeObject => {
    const one = pod(containers, { nodeName: "n" }, status);
    return { ...one, metadata: { ...one.metadata, name, labels: { "controller-revision-hash": revision } } };
  };
  const broken = [container({ waiting: { reason: "CrashLoopBackOff" } })];
  const running = (startedAt: string) => [container({ running: { startedAt } })];

  it("are broken pods of the old version", () => {
    assert.equal(stuckPods(set, [old(broken)]).length, 1);
    assert.equal(stuckPods(set, [old([], { phase: "Failed" })]).length, 1);
    assert.equal(stuckPods(set, [old(running("2020-01-01T00:00:00Z"))]).length, 1);
    assert.equal(stuckPods(set, [{ ...old([]), spec: {} }]).length, 1);
  });

  it("are not new, ready or starting pods, or pods that are being deleted", () => {
    assert.deepEqual(stuckPods(set, [old(broken, {}, "new")]), []);
    assert.deepEqual(stuckPods(set, [old(broken, { conditions: [{ type: "Ready", status: "True" }] })]), []);
    assert.deepEqual(stuckPods(set, [old(running(new Date().toISOString()))]), []);
    assert.deepEqual(stuckPods(set, [old([container({ waiting: { reason: "ContainerCreating" } })])]), []);
    const going = old(broken);
    assert.deepEqual(stuckPods(set, [{ ...going, metadata: { ...going.metadata, deletionTimestamp: "now" } }]), []);
  });

  it("are not pods that the StatefulSet itself would not replace", () => {
    const spec = (updateStrategy: object) => object("StatefulSet", { updateStrategy }, { updateRevision: "new" });
    assert.deepEqual(stuckPods(spec({ type: "OnDelete" }), [old(broken)]), []);
    const partitioned = spec({ type: "RollingUpdate", rollingUpdate: { partition: 1 } });
    const both = [old(broken), old(broken, {}, "old", "acme-1")];
    assert.deepEqual(
      stuckPods(partitioned, both).map(({ metadata }) => metadata.name),
      ["acme-1"],
    );
    assert.deepEqual(
      stuckPods(object("StatefulSet", {}, { updateRevision: "new" }, { generation: 2 }), [old(broken)]),
      [],
    );
  });
});
