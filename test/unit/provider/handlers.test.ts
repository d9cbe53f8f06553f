import assert from "node:assert/strict";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, InputFailure, Properties } from "../../../foundation/pulumi/resource";
import { slotAllocation } from "../../../provider/resources/slotAllocation/slotAllocation";
import { staticPool } from "../../../provider/resources/staticPool/staticPool";

const context: Context = {
  urn: "urn",
  backend: "file:///state",
  preview: false,
  signal: new AbortController().signal,
  timeoutSeconds: undefined,
  log: () => undefined,
};
// Nobody listens there: anyone who asks the ledger fails.
const ledgerUrl = "postgres://u:p@127.0.0.1:1/ledger";

const reported = (failures: readonly InputFailure[]) =>
  Object.fromEntries(failures.map((one) => [one.property, one.reason]));

const host = (name: string, more: Properties = {}) => ({
  host: `https://${name}.example.org`,
  slots: 6,
  dataDir: "/data",
  audienceUrl: `https://${name}.example.org`,
  ...more,
});

describe("a static pool", () => {
  const hosts = [
    { ...host("a"), weight: 1, drain: false, dataDir: "/data" },
    { ...host("b"), weight: 2, drain: true },
  ];
  const inputs = { ledgerUrl, pool: "dev/shared", hosts };

  it("sets defaults for weight and drain", async () => {
    const checked = await staticPool.check(context, { ...inputs, hosts: [host("a"), host("b", { weight: null })] });
    assert.deepEqual(checked.failures, []);
    assert.deepEqual(checked.inputs["hosts"], [
      { ...host("a"), weight: 1, drain: false },
      { ...host("b"), weight: 1, drain: false },
    ]);
  });

  it("reports all faults at once with their paths", async () => {
    const { failures } = await staticPool.check(context, {
      ledgerUrl: "mysql://u:hunter2@h/d",
      pool: "",
      extra: 1,
      hosts: [
        host("a", { slots: 0, weight: 0, drain: "no" }),
        { host: "ftp://x", data_dir: "/data", slots: 1.5, audienceUrl: 7 },
        host("a"),
        "b",
      ],
    });
    const faults = reported(failures);
    assert.deepEqual(Object.keys(faults).sort(), [
      "extra",
      "hosts[0].drain",
      "hosts[0].slots",
      "hosts[0].weight",
      "hosts[1].audienceUrl",
      "hosts[1].dataDir",
      "hosts[1].data_dir",
      "hosts[1].host",
      "hosts[1].slots",
      "hosts[2].host",
      "hosts[3]",
      "ledgerUrl",
      "pool",
    ]);
    assert.match(faults["hosts[2].host"] ?? "", /expected each host once; it is hosts\[0\] already/);
    assert.ok(!JSON.stringify(failures).includes("hunter2"));
  });

  it("requires a host", async () => {
    for (const none of [[], undefined, "a"]) {
      const { failures } = await staticPool.check(context, { ...inputs, hosts: none });
      assert.match(reported(failures)["hosts"] ?? "", /expected a list of one host or more/);
    }
  });

  it("accepts unknown values, anywhere", async () => {
    for (const unknown of [UNKNOWN, [UNKNOWN], [host("a", { slots: UNKNOWN }), host("b", { host: UNKNOWN })]]) {
      const given = { ledgerUrl: UNKNOWN, pool: UNKNOWN, hosts: unknown };
      assert.deepEqual((await staticPool.check(context, given)).failures, []);
    }
    const preview = { ...context, preview: true };
    const created = await staticPool.create(preview, { ...inputs, ledgerUrl: UNKNOWN });
    assert.equal(created.state.ledgerUrl, UNKNOWN);
  });

  it("computes changes without a request to the ledger", async () => {
    const old = { inputs, state: inputs };
    assert.deepEqual(await staticPool.diff(context, "dev/shared", old, structuredClone(inputs)), { changes: {} });
    const next = { ledgerUrl: `${ledgerUrl}2`, pool: "dev/other", hosts: [{ ...hosts[0]!, slots: 8 }] };
    assert.deepEqual(await staticPool.diff(context, "dev/shared", old, next), {
      changes: {
        ledgerUrl: "update",
        pool: "update-replace",
        "hosts[0].slots": "update",
        "hosts[1]": "delete",
      },
    });
  });
});

describe("a slot allocation", () => {
  const inputs = { ledgerUrl, pool: "dev/shared", deployment: "my-project", slots: 2, allowMove: false };
  const state = { ...inputs, host: "https://a", audienceUrl: "https://a", dataDir: "/data" };

  it("does not move by default", async () => {
    const { allowMove, ...given } = inputs;
    assert.deepEqual(await slotAllocation.check(context, given), { inputs: { ...given, allowMove }, failures: [] });
  });

  it("reports all faults at once with their paths", async () => {
    const given = { ledgerUrl: "postgres://h", pool: 1, deployment: "a/b", slots: "2", allowMove: 1, host: "x" };
    const { failures } = await slotAllocation.check(context, given);
    assert.deepEqual(Object.keys(reported(failures)).sort(), Object.keys(given).sort());
  });

  it("accepts unknown values", async () => {
    const given = { ledgerUrl: UNKNOWN, pool: UNKNOWN, deployment: UNKNOWN, slots: UNKNOWN, allowMove: UNKNOWN };
    assert.deepEqual((await slotAllocation.check(context, given)).failures, []);
    const created = await slotAllocation.create({ ...context, preview: true }, { ...inputs, ledgerUrl: UNKNOWN });
    assert.equal(created.state.host, UNKNOWN);
  });

  it("is replaced if its pool or deployment changes, and updated in place otherwise", async () => {
    const diff = (change: object) => slotAllocation.diff(context, "id", { inputs, state }, { ...inputs, ...change });
    assert.deepEqual(await diff({}), { changes: {} });
    assert.deepEqual(await diff({ pool: "x" }), { changes: { pool: "update-replace" } });
    assert.deepEqual(await diff({ deployment: "x" }), { changes: { deployment: "update-replace" } });
    assert.deepEqual(await diff({ slots: 3, allowMove: true, ledgerUrl: "postgres://h/d" }), {
      changes: { slots: "update", allowMove: "update", ledgerUrl: "update" },
    });
  });

  it("has no change if only the permission to move is removed", async () => {
    const old = { ...inputs, allowMove: true };
    assert.deepEqual(await slotAllocation.diff(context, "id", { inputs: old, state }, inputs), { changes: {} });
  });

  it("rejects an id without pool and deployment", async () => {
    for (const id of ["shared", "/a", "a/"]) {
      await assert.rejects(slotAllocation.read(context, id, { inputs, state }), /is <pool>\/<deployment>/);
    }
  });

  it("cannot be imported without a ledger URL, and does not show an invalid URL", async () => {
    const nothing = { inputs: {} as never, state: {} as never };
    const before = process.env["STACKYARD_LEDGER_URL"];
    try {
      delete process.env["STACKYARD_LEDGER_URL"];
      await assert.rejects(slotAllocation.read(context, "p/d", nothing), /set STACKYARD_LEDGER_URL .* it is not set/);
      process.env["STACKYARD_LEDGER_URL"] = "mysql://u:hunter2@h/d";
      await assert.rejects(slotAllocation.read(context, "p/d", nothing), (error: Error) => {
        return /what it holds is none/.test(error.message) && !error.message.includes("hunter2");
      });
    } finally {
      delete process.env["STACKYARD_LEDGER_URL"];
      if (before !== undefined) process.env["STACKYARD_LEDGER_URL"] = before;
    }
  });
});
