import assert from "node:assert/strict";
import { requireZones, Vpc } from "../../../../components/eks/network/vpc";
import { answerOf } from "../answers";
import { mock, settled } from "../../runtime/mocks";

describe("the availability zones of a network that the platform creates", () => {
  it("exclude zones without control planes and zones that need an opt-in", async () => {
    const recorder = mock(
      () => ({}),
      (call) => answerOf(call),
    );
    new Vpc("vpc", { cluster: "acme", cidr: "10.0.0.0/16", zones: 2, nat: "single", routes: {} });
    await settled(recorder);
    const asked = recorder.calls.find(({ token }) => token.includes("getAvailabilityZones"))?.inputs;
    assert.deepEqual(asked?.["excludeZoneIds"], ["use1-az3", "usw1-az2", "cac1-az3"]);
    assert.deepEqual(asked["filters"], [{ name: "opt-in-status", values: ["opt-in-not-required"] }]);
    const zones = recorder.resources.flatMap(({ type, inputs }) =>
      type === "aws:ec2/subnet:Subnet" ? [inputs["availabilityZone"]] : [],
    );
    assert.deepEqual([...new Set(zones)], ["eu-central-1a", "eu-central-1b"]);
  });

  it("are rejected if the region has fewer zones than configured", () => {
    assert.deepEqual(requireZones(["a", "b"], 2), ["a", "b"]);
    assert.throws(
      () => requireZones(["us-west-1a", "us-west-1c"], 3),
      /stackyard:cluster\.network\.zones: found 3, and the region has 2 zones for it: us-west-1a, us-west-1c; expected at most 2/,
    );
  });
});
