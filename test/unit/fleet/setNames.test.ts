import assert from "node:assert/strict";
import { clickHouseSetId, clickHouseSetName, isClickHouseSet } from "../../../foundation/pulumi/setName";

describe("the sets of a deployment's own ClickHouse cluster", () => {
  it("keep the names that they have in existing states", () => {
    assert.equal(clickHouseSetName("objects", "acme"), "clickhouse-cluster-acme");
    assert.equal(clickHouseSetName("secret", "acme"), "clickhouse-secret-acme");
    assert.equal(clickHouseSetId("objects", "clickhouse-cluster-acme"), "acme");
  });

  it("differ from the set of the runtime and the set of its Secret", () => {
    assert.ok(["clickhouse-cluster-acme", "clickhouse-secret-acme"].every(isClickHouseSet));
    assert.ok(!["runtime-acme", "clickhouse-runtime-acme", "clickhouse-cluster-", undefined].some(isClickHouseSet));
  });
});
