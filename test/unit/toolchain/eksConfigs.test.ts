import assert from "node:assert/strict";
import { clusterOf } from "../../tools/eksConfigs/clusters";
import { graphs } from "../../tools/eksConfigs/graph";

/** Names of the keys of an object, at any depth. */
const keysIn = (value: unknown): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
    : [];

const clusters = (count: number) =>
  Array.from({ length: count }, (_, seed) => {
    const tried = clusterOf(seed + 1);
    return "faults" in tried ? assert.fail(tried.faults) : tried.cluster;
  });

describe("random clusters on EKS", function () {
  this.timeout(60_000);

  it("depend on their seed alone, and are accepted", () => {
    assert.deepEqual(clusters(5), clusters(5));
  });

  it("have the keys of networks, access, add-ons and all devices of node pools", () => {
    const some = clusters(120);
    const keys = new Set(some.flatMap(keysIn));
    const pools = ["zones", "amiId", "fips", "capacityReservationIds", "placement", "efa", "localStorage", "diskKey"];
    for (const key of [...pools, "existing", "routes", "entries", "addons", "karpenter", "subnetIds", "perZone"])
      assert.ok(keys.has(key), key);
    const values = JSON.stringify(some);
    for (const value of ["capacityBlock", "spot", "bottlerocket", "podIdentity", "auto"])
      assert.ok(values.includes(`"${value}"`), value);
  });

  it("are made with ids as AWS has them", async () => {
    const { made, next } = await graphs(1, 2);
    assert.ok(next >= 3);
    const inputs = JSON.stringify(made.flatMap(({ graph }) => graph.filter(({ type }) => type.startsWith("aws:ec2/"))));
    assert.match(inputs, /"vpcId":"vpc-[0-9a-f]{17}"/);
    assert.doesNotMatch(inputs, /[a-z]-id"/);
  });
});
