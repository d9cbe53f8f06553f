import assert from "node:assert/strict";
import { CLICKHOUSE_DATABASE } from "../../../components/resources/tokens";
import type { Platforms } from "../../../cli/fleet/platforms";
import { summarise } from "../../../cli/fleet/summary";
import { consistsOf } from "../../../engine/runtime/contents";
import { DEV, record, set, stack } from "./fixtures";

const platforms = (revision: string): Platforms => new Map([[DEV, { provisionerRevisions: { spot: revision } }]]);

describe("the summary of a runtime", () => {
  it("has the request, the provisioner and the last change", () => {
    assert.deepEqual(summarise({ state: stack("acme"), record: record() }, platforms("r1")), {
      id: "acme",
      state: "running",
      outdated: false,
      version: "0.50.0",
      slots: 2,
      environment: "prod",
      platform: DEV,
      provisioner: "spot",
      host: "http://acme",
      cpu: 2,
      change: { command: "runtime up", at: "2026-01-01T00:00:00.000Z" },
      updated: new Date("2026-01-01T01:00:00Z"),
    });
  });

  it("has only the data that an older version recorded", () => {
    const allocation = set({ type: "stackyard:index:SlotAllocation", inputs: { slots: 3 } });
    const state = stack("old", { resources: [allocation], updated: undefined });
    assert.deepEqual(summarise({ state, provisioner: "pool" }, platforms("r1")), {
      id: "old",
      state: "running",
      slots: 3,
      provisioner: "pool",
      host: "http://old",
      cpu: 2,
    });
  });

  it("has the deployment's database, without its password", () => {
    const outputs = { provisioner: "main", host: "ch", port: 8443, database: "rill_acme", user: "u", password: "p" };
    const database = set({ type: "stackyard:index:ClickHouseDatabase", inputs: { database: "rill_acme" }, outputs });
    const { clickhouse } = summarise({ state: stack("acme", { resources: [database] }), record: record() });
    assert.deepEqual(clickhouse, {
      provisioner: "main",
      host: "ch",
      port: 8443,
      database: "rill_acme",
      user: "u",
      access: true,
    });
    assert.deepEqual(consistsOf([database]), ["ClickHouse database rill_acme on ch:8443"]);
    const own = set({ outputs: { record: { clickhouse: { ...outputs, access: false } } } });
    const { clickhouse: stopped } = summarise({
      state: stack("acme", { resources: [set({}), own] }),
      record: record(),
    });
    assert.deepEqual(stopped, { ...clickhouse, access: false });
    const closed = set({ ...database, inputs: { ...database.inputs, access: false } });
    assert.deepEqual(consistsOf([closed]), ["ClickHouse database rill_acme on ch:8443, without a user"]);
  });

  it("is failed with the reason, even if the last successful request is known", () => {
    const resources = [set({ initErrors: ["pod acme-0: no such image", "What was made stays"] })];
    const { state, reason, version } = summarise({ state: stack("acme", { resources }), record: record() });
    assert.deepEqual([state, reason, version], ["failed", "pod acme-0: no such image\nWhat was made stays", "0.50.0"]);
  });

  it("is pending or incomplete if an operation has not ended", () => {
    assert.match(
      summarise({ state: stack("a", { pending: 1 }), record: record() }).reason ?? "",
      /^1 operation running or/,
    );
    assert.equal(summarise({ state: stack("a", { pending: 1 }) }).state, "pending");
    assert.equal(summarise({ state: stack("a", { outputs: {} }) }).state, "incomplete");
    const moved = stack("a", { resources: [set(), set({ delete: true })] });
    assert.match(summarise({ state: moved, record: record() }).reason ?? "", /^1 replaced resource not deleted yet/);
  });

  it("is hibernated once the hibernation is completed", () => {
    const asleep = record({ deployment: { state: "hibernated" } });
    assert.equal(summarise({ state: stack("a"), record: asleep }).state, "hibernated");
  });

  it("is outdated if its provisioner has another revision, and unknown without a revision", () => {
    const outdated = (revision: string | undefined, known: Platforms | undefined) =>
      summarise({ state: stack("a"), record: record({ revision }) }, known).outdated;
    assert.equal(outdated("r1", platforms("r2")), true);
    assert.equal(outdated("r2", platforms("r2")), false);
    assert.equal(outdated(undefined, platforms("r2")), undefined);
    assert.equal(outdated("r1", undefined), undefined);
    assert.equal(outdated("r1", new Map([[DEV, undefined]])), undefined);
    assert.equal(outdated("r1", new Map([[DEV, { provisionerRevisions: { other: "r1" } }]])), undefined);
  });

  it("is outdated if its database's provisioner has another revision and the database has access", () => {
    const outdated = (clickhouseRevision: string | undefined, access = true, is = "c2") => {
      const database = { provisioner: "main", database: "rill_a", access };
      const resources = [set(), set({ type: CLICKHOUSE_DATABASE, outputs: database })];
      const known: Platforms = new Map([
        [DEV, { provisionerRevisions: { spot: "r1" }, clickhouseRevisions: { main: is } }],
      ]);
      return summarise({ state: stack("a", { resources }), record: record({ clickhouseRevision }) }, known).outdated;
    };
    assert.deepEqual(
      [outdated("c1"), outdated("c2"), outdated(undefined), outdated("c1", false)],
      [true, false, false, false],
    );
  });
});
