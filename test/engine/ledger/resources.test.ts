import assert from "node:assert/strict";
import { closeLedgers } from "../../../provider/ledger/database";
import { readUsage } from "../../../provider/ledger/usage";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Served } from "../../../provider/framework/serve";
import { decode } from "../../../foundation/pulumi/values";
import { serve } from "../../../provider/main";
import { Engine } from "../../unit/provider/engine";
import { run, startPostgres } from "./postgres";
import type { TestServer } from "./postgres";

const POOL = "dev/shared";
const host = (name: string, slots = 6) => ({
  host: `http://${name}`,
  slots,
  dataDir: "/data",
  audienceUrl: `http://${name}`,
  weight: 1,
  drain: false,
});

describe("resources of the ledger, called as the engine calls them", () => {
  let server: TestServer;
  let served: Served;
  let engine: Engine;
  let url: string;
  const poolOf = (...hosts: object[]) => ({ ledgerUrl: url, pool: POOL, hosts });
  const wanting = (slots: number, more: object = {}) => ({
    ledgerUrl: url,
    pool: POOL,
    deployment: "one",
    slots,
    allowMove: false,
    ...more,
  });
  /** The state without the secret, which comes wrapped. */
  const state = (response: { getProperties(): Parameters<typeof decode>[0] }) => {
    const { ledgerUrl, ...open } = decode(response.getProperties());
    assert.ok(typeof ledgerUrl === "object", "the ledger's URL is not marked as a secret");
    return open;
  };
  const detail = (expected: RegExp) => (error: { details?: string }) => expected.test(error.details ?? "");
  const used = async () => (await readUsage(url)).flatMap((pool) => pool.hosts.map((one) => one.used));

  before(async () => {
    server = await startPostgres();
    served = await serve();
  });
  beforeEach(async () => {
    url = await server.database();
    engine = await new Engine(served.port).start();
  });
  afterEach(async () => {
    engine.stop();
    await closeLedgers();
  });
  after(async () => {
    served.close();
    await server.stop();
  });

  it("change nothing in a preview, and say what would fail", async () => {
    await engine.create("StaticPool", poolOf(host("a")), true);
    const early = await engine.create("SlotAllocation", wanting(1), true);
    assert.equal(state(early)["host"], UNKNOWN);
    assert.match(engine.lines.join(), /one 2 the ledger has no pool dev\/shared; it has no pools/);
    assert.deepEqual(await run(url, "SELECT to_regnamespace('stackyard')::text AS found"), [{ found: null }]);

    await engine.create("StaticPool", poolOf(host("a"), host("b", 2)));
    assert.equal(state(await engine.create("SlotAllocation", wanting(1), true))["host"], UNKNOWN);
    await assert.rejects(engine.create("SlotAllocation", wanting(7), true), detail(/no host with room for 7 slots/));
    assert.deepEqual(await used(), [0, 0]);
  });

  it("live from create to delete", async () => {
    const pool = await engine.create("StaticPool", poolOf(host("a"), host("b", 2)));
    assert.equal(pool.getId(), POOL);
    const made = await engine.create("SlotAllocation", wanting(3));
    assert.equal(made.getId(), "dev/shared/one");
    assert.equal(state(made)["host"], "http://a");
    const old = { ...wanting(3), host: "http://a", audienceUrl: "http://a", dataDir: "/data" };
    assert.deepEqual(state(await engine.update("SlotAllocation", made.getId(), old, wanting(6)))["slots"], 6);
    assert.deepEqual(await used(), [6, 0]);
    await assert.rejects(
      engine.update("StaticPool", POOL, poolOf(host("a"), host("b", 2)), poolOf(host("b", 2))),
      detail(/host http:\/\/a has 1 deployment: one \(6 slots\)/),
    );
    await assert.rejects(engine.delete("StaticPool", POOL, poolOf()), detail(/while it has 1 deployment: one/));
    await engine.delete("SlotAllocation", made.getId(), old);
    await engine.delete("SlotAllocation", made.getId(), old);
    assert.deepEqual(await used(), [0, 0]);
    await engine.delete("StaticPool", POOL, poolOf());
    assert.deepEqual(await readUsage(url), []);
  });

  it("let a pool in use go when the stack's config allows it by name", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    const { PULUMI_CONFIG: before } = process.env;
    process.env["PULUMI_CONFIG"] = JSON.stringify({ allowRemoval: '["shared"]' });
    try {
      await engine.delete("StaticPool", POOL, poolOf());
    } finally {
      if (before === undefined) delete process.env["PULUMI_CONFIG"];
      else process.env["PULUMI_CONFIG"] = before;
    }
    assert.deepEqual(await readUsage(url), []);
    assert.deepEqual(engine.lines, ["one 2 1 deployment: one (3 slots): they lost their slots in pool dev/shared"]);
  });

  it("say where a deployment moved that was allowed to", async () => {
    await engine.create("StaticPool", poolOf(host("a"), host("b", 9)));
    const at = state(await engine.create("SlotAllocation", wanting(1)))["host"];
    await run(url, `UPDATE stackyard.hosts SET slots = 1 WHERE host = '${String(at)}'`);
    const old = { ...wanting(1), host: at };
    const next = wanting(2, { allowMove: true });
    const moved = state(await engine.update("SlotAllocation", "dev/shared/one", old, next))["host"];
    assert.notEqual(moved, at);
    assert.deepEqual(engine.lines, [`one 1 moved from ${String(at)} to ${String(moved)}; its data was not copied`]);
  });

  it("leave a drained host when allowed, which a diff finds out and a preview reports", async () => {
    const drained = { ...host("a"), drain: true };
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    const old = { ...wanting(3), host: "http://a" };
    const allowed = wanting(3, { allowMove: true });
    const changesOf = async (inputs: object, before: object = wanting(3)) =>
      (await engine.diff("SlotAllocation", before, inputs)).getDiffsList();
    assert.deepEqual(await changesOf(allowed), [], "its host takes new deployments");
    await engine.update("StaticPool", POOL, poolOf(host("a")), poolOf(drained, host("b")));
    assert.deepEqual(await changesOf(wanting(3)), [], "it may not move");
    assert.deepEqual(await changesOf(allowed), ["host"]);
    assert.deepEqual(await changesOf(allowed, allowed), ["host"], "it was allowed before, too");

    const preview = await engine.update("SlotAllocation", "dev/shared/one", old, allowed, true);
    assert.equal(state(preview)["host"], UNKNOWN);
    assert.deepEqual(engine.lines, [
      "one 1 moves from http://a, which is drained, to http://b; its data is not copied",
    ]);
    assert.deepEqual(await used(), [3, 0]);
    assert.equal(state(await engine.update("SlotAllocation", "dev/shared/one", old, allowed))["host"], "http://b");
    assert.deepEqual(await used(), [0, 3]);
    assert.deepEqual(await changesOf(allowed), []);
  });

  it("see what changed behind our back, and what is gone", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    const old = { ...wanting(3), host: "http://a" };
    await run(url, "UPDATE stackyard.allocations SET slots = 2");
    await run(url, "UPDATE stackyard.pool_hosts SET drain = true");
    const read = await engine.read("SlotAllocation", "dev/shared/one", old);
    assert.equal(state(read)["slots"], 2);
    assert.equal(decode(read.getInputs())["slots"], 2);
    const pool = await engine.read("StaticPool", POOL, poolOf(host("a")));
    assert.deepEqual(state(pool)["hosts"], [{ ...host("a"), drain: true }]);
    await run(url, "DELETE FROM stackyard.allocations");
    await run(url, "DELETE FROM stackyard.pools");
    assert.equal((await engine.read("SlotAllocation", "dev/shared/one", old)).getId(), "");
    assert.equal((await engine.read("StaticPool", POOL, poolOf(host("a")))).getId(), "");
  });

  it("answer a program what is taken, and warn before a pool is full", async () => {
    const pools = { [POOL]: [host("a")], "dev/gone": [] };
    assert.deepEqual(await engine.invoke("readPools", { ledgerUrl: url, pools }), { warnings: [], inUse: {} });
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(5));
    const answer = await engine.invoke("readPools", { ledgerUrl: url, pools });
    assert.deepEqual(answer, {
      warnings: [
        "pool dev/shared: 5 of 6 slots are taken (83 %); add slots or hosts to its provisioner",
        "pool dev/shared: every host is 70 % full or fuller (the emptiest, http://a, 83 %); " +
          "the largest deployment that still has room is one of 1 slot",
      ],
      inUse: { [POOL]: "1 deployment: one (5 slots)" },
    });
    // As large as it is going to be counts.
    const larger = { [POOL]: [host("a"), host("new")] };
    assert.deepEqual((await engine.invoke("readPools", { ledgerUrl: url, pools: larger }))["warnings"], []);
    await engine.read("StaticPool", POOL, poolOf(host("a")));
    assert.match(engine.lines.join(), /one 2 pool dev\/shared: 5 of 6 slots are taken/);
    const down = await engine.invoke("readPools", { ledgerUrl: "postgres://u:hunter2@127.0.0.1:1/x", pools });
    assert.match(String(down["trouble"]), /127\.0\.0\.1:1\/x\) cannot be reached/);
    await assert.rejects(
      engine.invoke("readPool", {}),
      detail(/no function "stackyard:index:readPool"; it has: .*readPools/),
    );
  });

  it("are imported by id, with the ledger of the environment", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    process.env["STACKYARD_LEDGER_URL"] = url;
    try {
      const read = await engine.read("SlotAllocation", "dev/shared/one");
      const { ledgerUrl, ...inputs } = decode(read.getInputs());
      assert.deepEqual(inputs, { pool: POOL, deployment: "one", slots: 3, allowMove: false });
      assert.ok(typeof ledgerUrl === "object");
      assert.deepEqual(state(await engine.read("StaticPool", POOL)), { pool: POOL, hosts: [host("a")] });
    } finally {
      delete process.env["STACKYARD_LEDGER_URL"];
    }
  });
});
