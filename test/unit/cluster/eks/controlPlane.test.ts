import assert from "node:assert/strict";
import { faultsOf, graphOf } from "./clusters";

const inputsOf = async (cluster: object) => (await graphOf(cluster)).only("aws:eks/cluster:Cluster").inputs;

describe("the control plane of an EKS cluster", function () {
  this.timeout(20_000);

  it("has the logs, the tier and the zonal shift of the config", async () => {
    const inputs = await inputsOf({ logs: ["audit"], controlPlaneTier: "tier-xl", zonalShift: false });
    assert.deepEqual(inputs["enabledClusterLogTypes"], ["audit"]);
    assert.deepEqual(inputs["controlPlaneScalingConfig"], { tier: "tier-xl" });
    assert.deepEqual(inputs["zonalShiftConfig"], { enabled: false });
  });

  it("has all logs by default, and what EKS has otherwise", async () => {
    const inputs = await inputsOf({});
    assert.equal((inputs["enabledClusterLogTypes"] as string[]).length, 5);
    assert.deepEqual([inputs["controlPlaneScalingConfig"], inputs["zonalShiftConfig"]], [undefined, undefined]);
  });

  it("has only logs and tiers of EKS", () => {
    assert.match(
      faultsOf({ logs: ["audit", "etcd"] }).join("\n"),
      /^cluster\.logs\[1\]: found "etcd"; expected api or audit/,
    );
    assert.match(faultsOf({ logs: ["audit", "audit"] }).join("\n"), /^cluster\.logs\[1\]: .*; expected each log once$/);
    assert.match(
      faultsOf({ controlPlaneTier: "xl" }).join("\n"),
      /^cluster\.controlPlaneTier: found "xl"; expected stand/,
    );
  });
});
