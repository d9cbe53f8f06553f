import assert from "node:assert/strict";
import { levelOf } from "../../../../service/capacity/level";
import { judge } from "../../../../service/watch/health";

const REF = { apiVersion: "apps/v1", kind: "StatefulSet", namespace: "runtimes", name: "runtime-acme" };
const workload = (ready: number) => ({
  apiVersion: REF.apiVersion,
  kind: REF.kind,
  metadata: { name: REF.name, namespace: REF.namespace, generation: 1 },
  spec: { replicas: 1 },
  status: { observedGeneration: 1, replicas: 1, readyReplicas: ready, availableReplicas: ready, updatedReplicas: 1 },
});

describe("the health of a runtime", () => {
  it("is that of its workloads", () => {
    assert.deepEqual(judge([[REF, workload(1)]]), { state: "healthy", reason: null });
    assert.deepEqual(judge([[REF, workload(0)]]), {
      state: "unhealthy",
      reason: "StatefulSet runtime-acme: 0 of 1 pods ready",
    });
    assert.deepEqual(judge([[REF, undefined]]), { state: "unhealthy", reason: "StatefulSet runtime-acme is gone" });
  });
});

describe("the level of a provisioner's capacity", () => {
  const host = (used: number, slots = 10, drain = false) => ({ used, slots, drain });

  it("is 80 when so much of all slots is taken, and 70 when so much of every host is", () => {
    assert.equal(levelOf([host(9), host(7)]), 80);
    assert.equal(levelOf([host(7), host(8)]), 70);
    assert.equal(levelOf([host(9), host(6)]), 0);
    assert.equal(levelOf([host(0)]), 0);
  });

  it("counts no host that takes nothing new, and nothing where the cluster decides", () => {
    assert.equal(levelOf([host(8), host(0, 100, true)]), 80);
    assert.equal(levelOf([host(5), host(10, 10, true)]), 0);
    assert.equal(levelOf([]), 0);
  });
});
