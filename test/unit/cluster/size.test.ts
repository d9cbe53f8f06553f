import assert from "node:assert/strict";
import { boundsChange, runningGroups, withinBounds } from "../../../components/cluster/nodePool/size";
import type { NodePoolConfig } from "../../../components/cluster/nodePool/plan";

const pool = (min: number, max: number): NodePoolConfig => ({ min, max, desired: min }) as NodePoolConfig;

describe("the number of nodes in a running group", () => {
  const state = {
    "urn:pulumi:prod::stackyard::a$b::cluster-eks-nodes/general": {
      type: "aws:eks/nodeGroup:NodeGroup",
      outputs: {
        clusterName: "acme",
        nodeGroupName: "acme-general-1",
        scalingConfig: { minSize: 2, maxSize: 4, desiredSize: 2 },
      },
    },
    "urn:pulumi:prod::stackyard::a$b::other": { type: "aws:eks/cluster:Cluster", outputs: {} },
  };
  const running = { clusterName: "acme", nodeGroupName: "acme-general-1", min: 2, max: 4 };

  it("is read by the names in the state", () => {
    assert.deepEqual(runningGroups(state), { "cluster-eks-nodes/general": running });
  });

  it("is sent only together with new bounds", () => {
    assert.equal(boundsChange(running, pool(2, 4)), false);
    assert.equal(boundsChange(running, pool(2, 9)), true);
    assert.equal(boundsChange(running, pool(3, 4)), true);
    assert.equal(boundsChange(undefined, pool(3, 4)), false);
  });

  it("is kept within the new bounds, and otherwise set to the nearest bound", () => {
    assert.deepEqual(
      [withinBounds(10, pool(2, 12)), withinBounds(2, pool(5, 12)), withinBounds(10, pool(2, 6))],
      [10, 5, 6],
    );
  });
});
