import assert from "node:assert/strict";
import { clickHouseSetId, clickHouseSetName, isClickHouseSet } from "../../../foundation/pulumi/setName";

describe("The sets of a deployment's own ClickHouse cluster", () => {
  it("keep the names that existing states know them by", () => {
    assert.equal(clickHouseSetName("objects", "acme"), "clickhouse-cluster-acme");
    assert.equal(clickHouseSetName("secret", "acme"), "clickhouse-secret-acme");
    assert.equal(clickHouseSetId("objects", "clickhouse-cluster-acme"), "acme");
  });

  it("are not the set of the runtime, nor that of the runtime's Secret", () => {
    assert.ok(["clickhouse-cluster-acme", "clickhouse-secret-acme"].every(isClickHouseSet));
    assert.ok(!["runtime-acme", "clickhouse-runtime-acme", "clickhouse-cluster-", undefined].some(isClickHouseSet));
  });
});
