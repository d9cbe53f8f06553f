import assert from "node:assert/strict";
import { without } from "../../../kubernetes/objects/objects";
import { closeLedgers } from "../../../provider/ledger/database";
import { readUsage } from "../../../provider/ledger/usage";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Served } from "../../../provider/framework/serve";
import { decode } from "../../../foundation/pulumi/protocol/values";
import { serveInProcess } from "../../../provider/main";
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

describe("ledger resources with the engine's calls", () => {
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
  /** The state without the secret, which comes wrapped, and without the owner. */
  const state = (response: { getProperties(): Parameters<typeof decode>[0] }) => {
    const { ledgerUrl, ...open } = response.getProperties()?.toJavaScript() ?? {};
    assert.ok(typeof ledgerUrl === "object", "the ledger's URL is not marked as a secret");
    return without(open, "ownerId", "generation", "instance");
  };
  const owned = (response: { getProperties(): Parameters<typeof decode>[0] }) => {
    const { ownerId, generation } = decode(response.getProperties());
    return { ownerId, generation };
  };
  const detail = (expected: RegExp) => (error: { details?: string }) => expected.test(error.details ?? "");
  const used = async () => (await readUsage(url)).flatMap((pool) => pool.hosts.map((one) => one.used));

  before(async () => {
    server = await startPostgres();
    served = await serveInProcess("file:///state");
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

  it("change nothing in a preview and report errors", async () => {
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

  it("are created, updated and deleted", async () => {
    const pool = await engine.create("StaticPool", poolOf(host("a"), host("b", 2)));
    assert.equal(pool.getId(), POOL);
    const made = await engine.create("SlotAllocation", wanting(3));
    assert.equal(made.getId(), "dev/shared/one");
    assert.equal(state(made)["host"], "http://a");
    const old = { ...wanting(3), host: "http://a", audienceUrl: "http://a", dataDir: "/data", ...owned(made) };
    const changed = await engine.update("SlotAllocation", made.getId(), old, wanting(6));
    assert.deepEqual(state(changed)["slots"], 6);
    assert.deepEqual(await used(), [6, 0]);
    await assert.rejects(
      engine.update("StaticPool", POOL, { ...poolOf(host("a"), host("b", 2)), ...owned(pool) }, poolOf(host("b", 2))),
      detail(/host http:\/\/a has 1 deployment: one \(6 slots\)/),
    );
    const registered = { ...poolOf(), ...owned(pool) };
    await assert.rejects(engine.delete("StaticPool", POOL, registered), detail(/while it has 1 deployment: one/));
    await engine.delete("SlotAllocation", made.getId(), { ...old, slots: 6, ...owned(changed) });
    await engine.delete("SlotAllocation", made.getId(), { ...old, slots: 6, ...owned(changed) });
    assert.deepEqual(await used(), [0, 0]);
    await engine.delete("StaticPool", POOL, registered);
    assert.deepEqual(await readUsage(url), []);
  });

  it("allow the deletion of a pool in use when the stack's config names it", async () => {
    const pool = await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    const { PULUMI_CONFIG: before } = process.env;
    process.env["PULUMI_CONFIG"] = JSON.stringify({ allowRemoval: '["shared"]' });
    try {
      await engine.delete("StaticPool", POOL, { ...poolOf(), ...owned(pool) });
    } finally {
      if (before === undefined) delete process.env["PULUMI_CONFIG"];
      else process.env["PULUMI_CONFIG"] = before;
    }
    assert.deepEqual(await readUsage(url), []);
    assert.deepEqual(engine.lines, ["one 2 1 deployment: one (3 slots): they lost their slots in pool dev/shared"]);
  });

  it("report the new host of a deployment that moved", async () => {
    await engine.create("StaticPool", poolOf(host("a"), host("b", 9)));
    const made = await engine.create("SlotAllocation", wanting(1));
    const at = state(made)["host"];
    await run(url, `UPDATE stackyard.hosts SET slots = 1 WHERE host = '${String(at)}'`);
    const old = { ...wanting(1), host: at, ...owned(made) };
    const next = wanting(2, { allowMove: true });
    const moved = state(await engine.update("SlotAllocation", "dev/shared/one", old, next))["host"];
    assert.notEqual(moved, at);
    assert.deepEqual(engine.lines, [`one 1 moved from ${String(at)} to ${String(moved)}; its data was not copied`]);
  });

  it("move off a drained host if allowed, with a diff and a note in the preview", async () => {
    const drained = { ...host("a"), drain: true };
    const pool = await engine.create("StaticPool", poolOf(host("a")));
    const made = await engine.create("SlotAllocation", wanting(3));
    const old = { ...wanting(3), host: "http://a", ...owned(made) };
    const allowed = wanting(3, { allowMove: true });
    let last = owned(made);
    const changesOf = async (inputs: object, before: object = wanting(3)) =>
      (await engine.diff("SlotAllocation", { ...before, ...last }, { ...inputs, ...last })).getDiffsList();
    assert.deepEqual(await changesOf(allowed), [], "its host takes new deployments");
    await engine.update("StaticPool", POOL, { ...poolOf(host("a")), ...owned(pool) }, poolOf(drained, host("b")));
    assert.deepEqual(await changesOf(wanting(3)), [], "it may not move");
    assert.deepEqual(await changesOf(allowed), ["host"]);
    assert.deepEqual(await changesOf(allowed, allowed), ["host"], "it was allowed before, too");

    const preview = await engine.update("SlotAllocation", "dev/shared/one", old, allowed, true);
    assert.equal(state(preview)["host"], UNKNOWN);
    assert.deepEqual(engine.lines, [
      "one 1 moves from http://a, which is drained, to http://b; its data is not copied",
    ]);
    assert.deepEqual(await used(), [3, 0]);
    const moved = await engine.update("SlotAllocation", "dev/shared/one", old, allowed);
    assert.equal(state(moved)["host"], "http://b");
    last = owned(moved);
    assert.deepEqual(await used(), [0, 3]);
    assert.deepEqual(await changesOf(allowed), []);
  });

  it("show external changes and deletions on a refresh", async () => {
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
    const gone = await engine.read("SlotAllocation", "dev/shared/one", old);
    assert.equal(gone.getId(), "dev/shared/one", "a refresh keeps what the resource recorded");
    assert.equal(state(gone)["slots"], 0);
    assert.equal(decode(gone.getInputs())["slots"], 0, "the next update allocates them again");
    assert.equal((await engine.read("StaticPool", POOL, poolOf(host("a")))).getId(), "");
  });

  it("detect missing, changed or unknown slots in an update without changes", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    const inputs = { ...wanting(3), record: "applied" };
    const made = await engine.create("SlotAllocation", inputs);
    const old = { ...inputs, host: "http://a", ...owned(made) };
    const changes = async (now: object) => (await engine.diff("SlotAllocation", old, now)).getDiffsList();
    const same = old;
    assert.deepEqual(await changes(same), []);
    await run(url, "UPDATE stackyard.allocations SET slots = 2");
    assert.deepEqual(await changes(same), ["slots"]);
    await run(url, "DELETE FROM stackyard.allocations");
    assert.deepEqual(await changes(same), ["slots"]);
    assert.match(engine.lines.join(), /the ledger has none of its 3 slots on http:\/\/a; they are allocated again/);
  });

  it("report slots in use to a program and warn before a pool is full", async () => {
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

  it("belong to the stack that created them and reject others with the owner's name", async () => {
    const pool = await engine.create("StaticPool", poolOf(host("a")));
    const made = await engine.create("SlotAllocation", wanting(3, { instance: "mine" }));
    assert.deepEqual(owned(made), { ownerId: "mine", generation: 1 });
    const other = wanting(1, { instance: "other" });
    const second = await new Engine(served.port).start();
    const FOREIGN =
      /dev\/shared\/one belongs to stack stackyard\/dev in .*\(generation 1, .*stackyard runtime adopt one/;
    for (const preview of [true, false]) {
      await assert.rejects(second.create("SlotAllocation", other, preview), detail(FOREIGN));
      await assert.rejects(
        second.create("StaticPool", { ...poolOf(host("b")), instance: "other" }, preview),
        detail(/pool dev\/shared belongs to stack .*stackyard provisioners adopt shared --stack dev/),
      );
    }
    const held = { ...other, host: "http://a", generation: 1 };
    assert.equal(state(await second.read("SlotAllocation", made.getId(), held))["slots"], 1);
    await second.delete("SlotAllocation", made.getId(), held);
    await second.delete("StaticPool", POOL, { ...poolOf(host("a")), instance: "other", generation: 1 });
    second.stop();
    assert.deepEqual(await used(), [3]);
    const BELONGS = "it belongs to stack stackyard/dev in ";
    assert.match(second.lines[0] ?? "", /^one 2 allocation dev\/shared\/one is not read, because it belongs to stack/);
    assert.ok(second.lines[1]?.startsWith(`one 2 left allocation dev/shared/one alone: ${BELONGS}`));
    assert.ok(second.lines[2]?.startsWith(`one 2 left pool dev/shared alone: ${BELONGS}`));
    assert.ok(owned(pool).generation === 1);
  });

  it("get an id before creation and detect an interrupted creation by it", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    const { instance } = decode((await engine.check("SlotAllocation", wanting(2), "c2VlZA==")).getInputs());
    assert.equal(instance, Buffer.from("seed").toString("hex"));
    const begun = wanting(2, { instance });
    await engine.create("SlotAllocation", begun);
    // What the engine's driver stores of an update that was killed.
    const { ledgerUrl, ...asked } = begun;
    const kept = { ...asked, ledgerUrl, ownerId: instance };
    const next = await engine.update("SlotAllocation", "dev/shared/one", kept, wanting(3, { instance }));
    assert.deepEqual([state(next)["slots"], owned(next).generation], [3, 2]);
    const stale = { ...kept, host: "http://a", generation: 1 };
    await assert.rejects(
      engine.update("SlotAllocation", "dev/shared/one", stale, wanting(2, { instance })),
      detail(/has generation 2, and the state of stack stackyard\/dev in .* is older \(generation 1\)/),
    );
    const read = await engine.read("SlotAllocation", "dev/shared/one", stale);
    assert.deepEqual([state(read)["slots"], owned(read).generation], [3, 2]);
    const current = { ...stale, slots: 3, generation: 2 };
    for (const [old, generation] of [
      [current, 3],
      [{ ...current, interrupted: true }, 4],
    ] as const) {
      const changed = await engine.update("SlotAllocation", "dev/shared/one", old, wanting(2, { instance }));
      assert.equal(owned(changed).generation, generation);
    }
  });

  it("pass to a replacement in the same run, which then deletes the old resource", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    const made = await engine.create("SlotAllocation", wanting(2, { instance: "old" }));
    await engine.check("SlotAllocation", wanting(2), "c2VlZA==", { ...wanting(2), instance: "old" });
    const next = await engine.create("SlotAllocation", wanting(2, { instance: "new" }));
    assert.deepEqual(owned(next), { ownerId: "new", generation: 2 });
    const old = { ...wanting(2, { instance: "old" }), host: "http://a", ...owned(made) };
    await engine.delete("SlotAllocation", made.getId(), old);
    assert.deepEqual([await used(), engine.lines], [[2], []]);
  });

  it("are imported by id with the ledger of the environment", async () => {
    await engine.create("StaticPool", poolOf(host("a")));
    await engine.create("SlotAllocation", wanting(3));
    process.env["STACKYARD_LEDGER_URL"] = url;
    try {
      const read = await engine.read("SlotAllocation", "dev/shared/one");
      const { ledgerUrl, instance, ...inputs } = read.getInputs()?.toJavaScript() ?? {};
      assert.equal(instance, owned(read).ownerId);
      assert.deepEqual(inputs, { pool: POOL, deployment: "one", slots: 3, allowMove: false });
      assert.ok(typeof ledgerUrl === "object");
      assert.deepEqual(state(await engine.read("StaticPool", POOL)), { pool: POOL, hosts: [host("a")] });
    } finally {
      delete process.env["STACKYARD_LEDGER_URL"];
    }
  });
});
