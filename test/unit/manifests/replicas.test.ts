import assert from "node:assert/strict";
import { withLiveReplicas } from "../../../kubernetes/apply/replicas";
import { isRayCluster } from "../../../kubernetes/rollout/rayCluster";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const cluster = (groups: object[], metadata: object = {}): KubeObject => ({
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "one-ray", namespace: "ray", ...metadata },
  spec: { rayVersion: "2.56.0", workerGroupSpecs: groups },
});
const live = (groups: object[]) => cluster(groups);
const groupsOf = (object: KubeObject) => (object["spec"] as { workerGroupSpecs: object[] }).workerGroupSpecs;
const bounds = { minReplicas: 0, maxReplicas: 5 };

describe("a RayCluster that is applied again", () => {
  it("keeps the replicas and workersToDelete that its autoscaler set", () => {
    const scaleStrategy = { workersToDelete: ["cpu-1"] };
    const before = live([
      { groupName: "gpu", ...bounds, replicas: 1 },
      { groupName: "cpu", ...bounds, replicas: 3, scaleStrategy },
    ]);
    const after = withLiveReplicas(cluster([{ groupName: "cpu", ...bounds, maxReplicas: 9 }]), before);
    assert.deepEqual(groupsOf(after), [{ groupName: "cpu", ...bounds, maxReplicas: 9, replicas: 3, scaleStrategy }]);
  });

  it("keeps its replicas within new bounds", () => {
    const replicasFrom = (replicas: number, more: object) =>
      (
        groupsOf(
          withLiveReplicas(cluster([{ groupName: "cpu", ...bounds, ...more }]), live([{ groupName: "cpu", replicas }])),
        )[0] as { replicas: number }
      ).replicas;
    assert.equal(replicasFrom(4, { maxReplicas: 2 }), 2);
    assert.equal(replicasFrom(0, { minReplicas: 1 }), 1);
  });

  it("has the program's replicas if they are set, and no replicas of another group", () => {
    const fixed = { groupName: "cpu", minReplicas: 2, maxReplicas: 2, replicas: 2 };
    const recreated = { groupName: "new", ...bounds };
    assert.deepEqual(
      groupsOf(withLiveReplicas(cluster([fixed, recreated]), live([{ groupName: "cpu", replicas: 4 }]))),
      [fixed, recreated],
    );
  });

  it("is recognized by its kind", () => {
    assert.ok(isRayCluster({ apiVersion: "ray.io/v1", kind: "RayCluster" }));
    assert.ok(!isRayCluster({ apiVersion: "ray.io/v1", kind: "RayJob" }));
    assert.ok(!isRayCluster({ apiVersion: "other.example/v1", kind: "RayCluster" }));
  });
});
