import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { previewAllocation } from "../../../provider/ledger/slots/preview";
import { readAllocation } from "../../../provider/ledger/slots/held";
import { closeLedgers } from "../../../provider/ledger/database";
import { readPool } from "../../../provider/ledger/pools";
import type { PoolHost } from "../../../provider/ledger/pools";
import { readUsage } from "../../../provider/ledger/usage";
import { claim, Stacks } from "./claims";
import { run, startPostgres } from "./postgres";
import type { TestServer } from "./postgres";

const POOL = "dev/shared";
const host = (name: string, slots = 6, more: Partial<PoolHost> = {}): PoolHost => ({
  host: `http://${name}`,
  slots,
  dataDir: `/data/${name}`,
  audienceUrl: `http://aud-${name}`,
  weight: 1,
  drain: false,
  ...more,
});
const three = [host("a"), host("b"), host("c")];

describe("the ledger", () => {
  let server: TestServer;
  let url: string;
  let stacks: Stacks;

  const take = (deployment: string, slots: number, more: { allowMove?: boolean; lostHost?: string } = {}) =>
    stacks.take({ pool: POOL, deployment, slots, ...more });
  const hostsOf = async () => (await readPool(url, POOL))?.hosts;
  const used = async () => {
    const pools = await readUsage(url, POOL);
    return Object.fromEntries((pools[0]?.hosts ?? []).map((one) => [one.host.replace("http://", ""), one.used]));
  };

  before(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    url = await server.database();
    stacks = new Stacks(() => url);
  });
  afterEach(closeLedgers);
  after(() => server.stop());

  describe("in an empty database", () => {
    it("is created once by many concurrent registrations", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, i) => stacks.register(`dev/p${i}`, [host(`h${i}`)])));
      assert.equal((await readUsage(url)).length, 20);
      assert.deepEqual(await run(url, "SELECT version FROM stackyard.migrations"), [{ version: 1 }, { version: 2 }]);
    });

    it("reports nothing and stays empty on read requests", async () => {
      assert.deepEqual(await readUsage(url), []);
      assert.equal(await readPool(url, POOL), undefined);
      assert.equal(await readAllocation(url, { pool: POOL, deployment: "d" }), undefined);
      await stacks.give(POOL, "d");
      await stacks.remove(POOL);
      await stacks.register(POOL, three, { dryRun: true });
      assert.match(
        (await previewAllocation(url, { pool: POOL, deployment: "d", slots: 1, claimant: claim("d") })).warning ?? "",
        /it has no pools/,
      );
      assert.deepEqual(await run(url, "SELECT to_regnamespace('stackyard')::text AS found"), [{ found: null }]);
    });

    it("rejects tables of a newer release", async () => {
      await stacks.register(POOL, three);
      await run(url, "INSERT INTO stackyard.migrations (version) VALUES (99)");
      await closeLedgers();
      await assert.rejects(take("d", 1), /tables of version 99, and this release of stackyard knows them up to 2/);
    });

    it("works again after its schema was dropped under a running process", async () => {
      await stacks.register(POOL, three);
      await run(url, "DROP SCHEMA stackyard CASCADE");
      await stacks.register(POOL, three);
      assert.equal((await hostsOf())?.length, 3);
    });
  });

  describe("with a pool", () => {
    beforeEach(async () => {
      await stacks.register(POOL, three);
    });

    it("takes the least loaded host and returns the placement", async () => {
      const first = await take("one", 1);
      const second = await take("two", 6);
      assert.notEqual(second.host, first.host);
      const name = first.host.replace("http://", "");
      assert.deepEqual(first, {
        host: first.host,
        slots: 1,
        dataDir: `/data/${name}`,
        audienceUrl: `http://aud-${name}`,
      });
      await assert.rejects(take("three", 8), (error: Error) => {
        const { message } = error;
        return /8 slots for deployment three/.test(message) && /http:\/\/a \d of 6, http:\/\/b \d of 6/.test(message);
      });
    });

    it("keeps the host of a deployment that asks again", async () => {
      const first = await take("one", 2);
      await take("two", 1);
      assert.deepEqual(await take("one", 2), first);
    });

    it("resizes in place and moves only if allowed", async () => {
      const { host: at } = await take("one", 2);
      assert.equal((await take("one", 6)).host, at);
      assert.equal((await take("one", 3)).host, at);
      await run(url, `UPDATE stackyard.hosts SET slots = 4 WHERE host = '${at}'`);
      await assert.rejects(take("one", 5), /cannot grow from 3 to 5 slots: only 1 more are free there/);
      const moved = await take("one", 5, { allowMove: true });
      assert.notEqual(moved.host, at);
      assert.equal(moved.slots, 5);
      assert.equal(
        Object.values(await used()).reduce((sum, one) => sum + one),
        5,
      );
    });

    it("returns lost slots on the old host, and on another host only if allowed to move", async () => {
      const { host: at } = await take("one", 2);
      const lost = { lostHost: at };
      await stacks.give(POOL, "one");
      await take("filler", 1, lost);
      assert.deepEqual((await take("one", 5, lost)).host, at);
      await stacks.give(POOL, "one");
      await take("more", 3, lost);
      await assert.rejects(take("one", 5, lost), /cannot have its 5 slots back: only 2 more are free there/);
      assert.notEqual((await take("one", 5, { ...lost, allowMove: true })).host, at);
    });

    it("releases slots, also repeatedly", async () => {
      await take("one", 4);
      await stacks.give(POOL, "one");
      await stacks.give(POOL, "one");
      assert.deepEqual(await used(), { a: 0, b: 0, c: 0 });
    });

    it("previews without taking slots", async () => {
      const wanted = { pool: POOL, deployment: "one", slots: 2, claimant: claim("one", { generation: 1 }) };
      assert.deepEqual(await previewAllocation(url, wanted), {});
      await assert.rejects(previewAllocation(url, { ...wanted, slots: 7 }), /no host with room for 7 slots/);
      assert.deepEqual(await used(), { a: 0, b: 0, c: 0 });
      const taken = await take("one", 2);
      assert.deepEqual(await previewAllocation(url, { ...wanted, slots: 3 }), { placement: { ...taken, slots: 3 } });
      assert.equal((await readAllocation(url, { pool: POOL, deployment: "one" }))?.slots, 2);
      assert.match(
        (await previewAllocation(url, { ...wanted, pool: "dev/x" })).warning ?? "",
        /no pool dev\/x; it has dev\/shared/,
      );
    });

    it("places nothing new on a drained host and keeps existing slots", async () => {
      const { host: at } = await take("one", 2);
      await stacks.register(
        POOL,
        three.map((one) => ({ ...one, drain: one.host === at })),
      );
      for (const deployment of ["two", "three", "four"]) assert.notEqual((await take(deployment, 2)).host, at);
      assert.equal((await take("one", 1)).host, at);
      await assert.rejects(take("one", 2), /is being drained and takes nothing new.*\(drained\)/);
    });

    it("rejects removing a host in use and names its deployments", async () => {
      const { host: at } = await take("one", 2);
      const rest = three.filter((one) => one.host !== at);
      for (const dryRun of [true, false]) {
        await assert.rejects(stacks.register(POOL, rest, { dryRun }), (error: Error) =>
          error.message.includes(`host ${at} has 1 deployment: one (2 slots)`),
        );
      }
      assert.deepEqual(await hostsOf(), three);
      await stacks.give(POOL, "one");
      await stacks.register(POOL, rest, { dryRun: true });
      assert.deepEqual(await hostsOf(), three);
      await stacks.register(POOL, rest);
      assert.deepEqual(await hostsOf(), rest);
    });

    it("rejects shrinking a host below its taken slots and prints the numbers", async () => {
      const { host: at } = await take("one", 5);
      const smaller = three.map((one) => ({ ...one, slots: 4 }));
      await assert.rejects(stacks.register(POOL, smaller), (error: Error) =>
        error.message.includes(`host ${at} cannot shrink to 4 slots, because 5 are taken: 1 deployment: one (5 slots)`),
      );
      await stacks.register(
        POOL,
        three.map((one) => ({ ...one, slots: 5 })),
      );
    });

    it("rejects removing a pool in use", async () => {
      await take("one", 1);
      await assert.rejects(stacks.remove(POOL), /cannot be removed while it has 1 deployment: one \(1 slot\)/);
      await stacks.give(POOL, "one");
      await stacks.remove(POOL);
      assert.deepEqual(await readUsage(url), []);
      assert.deepEqual(await run(url, "SELECT FROM stackyard.hosts"), []);
      await assert.rejects(take("one", 1), /the ledger has no pool dev\/shared; it has no pools/);
    });

    it("lets only one of a concurrent removal and allocation succeed", async () => {
      for (let round = 0; round < 10; round++) {
        const pool = `dev/round-${round}`;
        await stacks.register(pool, [host(`r${round}`)]);
        const taking = stacks.take({ pool, deployment: "d", slots: 1 });
        const removing = stacks.remove(pool);
        const won = (await Promise.allSettled([taking, removing])).filter((one) => one.status === "fulfilled");
        assert.equal(won.length, 1);
      }
    });

    it("never takes more slots than a host has, not even with another client's statement", async () => {
      await assert.rejects(
        run(
          url,
          `INSERT INTO stackyard.allocations (pool, deployment, host, slots) VALUES ('${POOL}', 'x', 'http://a', 7)`,
        ),
        /hosts_not_overfull/,
      );
      await take("one", 2);
      await run(url, "DELETE FROM stackyard.allocations");
      assert.deepEqual(await used(), { a: 0, b: 0, c: 0 });
    });
  });

  describe("with a host that two pools share", () => {
    it("counts the host's slots once", async () => {
      await stacks.register("dev/x", [host("a")]);
      await stacks.register("dev/y", [host("a")]);
      await stacks.take({ pool: "dev/x", deployment: "one", slots: 4 });
      await assert.rejects(stacks.take({ pool: "dev/y", deployment: "one", slots: 3 }), /http:\/\/a 2 of 6/);
      await stacks.take({ pool: "dev/y", deployment: "one", slots: 2 });
      const usage = await readUsage(url);
      assert.deepEqual(
        usage.map((pool) => [pool.pool, pool.hosts[0]?.used, pool.hosts[0]?.free, pool.hosts[0]?.deployments]),
        [
          ["dev/x", 6, 0, [{ deployment: "one", slots: 4 }]],
          ["dev/y", 6, 0, [{ deployment: "one", slots: 2 }]],
        ],
      );
    });

    it("warns about different sizes and uses the smaller one until they agree", async () => {
      assert.deepEqual(await stacks.register("dev/x", [host("a", 6)]), { warnings: [] });
      const { warnings } = await stacks.register("dev/y", [host("a", 8)]);
      assert.deepEqual(warnings, [
        "host http://a has 8 slots in pool dev/y, but 6 in pool dev/x; 6 count until all pools say the same",
      ]);
      await assert.rejects(stacks.take({ pool: "dev/y", deployment: "d", slots: 7 }), /http:\/\/a 6 of 6/);
      assert.deepEqual(await stacks.register("dev/x", [host("a", 8)]), { warnings: [] });
      await stacks.take({ pool: "dev/y", deployment: "d", slots: 7 });
      await stacks.remove("dev/x");
      assert.equal((await readUsage(url))[0]?.hosts[0]?.slots, 8);
    });
  });

  describe("that can't be had", () => {
    const rejects = (bad: string, expected: RegExp) =>
      assert.rejects(readUsage(bad), (error: Error) => {
        assert.match(error.message, expected);
        assert.ok(!error.message.includes("hunter2"), error.message);
        return true;
      });
    const changed = (change: (parsed: URL) => void) => {
      const parsed = new URL(url);
      change(parsed);
      return parsed.href;
    };

    it("prints its address without the password", async () => {
      await rejects("postgres://u:hunter2@127.0.0.1:1/x", /127\.0\.0\.1:1\/x\) cannot be reached: .*ECONNREFUSED/);
      await rejects(
        "postgres://u:hunter2@nowhere.invalid/x",
        /nowhere\.invalid:5432\/x\) cannot be reached: .*nowhere/,
      );
      await rejects(
        changed((parsed) => (parsed.password = "hunter2")),
        /refused the login: .*check user and password/,
      );
      await rejects(
        changed((parsed) => (parsed.pathname = "/nothing")),
        /database "nothing" does not exist; create the database/,
      );
    });

    it("reports the permissions that a user lacks", async () => {
      await run(url, "DROP ROLE IF EXISTS poor_ledger_user");
      await run(url, "CREATE ROLE poor_ledger_user LOGIN PASSWORD 'hunter2'");
      try {
        const poor = changed((parsed) => ((parsed.username = "poor_ledger_user"), (parsed.password = "hunter2")));
        await assert.rejects(
          new Stacks(() => poor).register(POOL, three),
          /permission denied .* needs to own the schema "stackyard"/,
        );
      } finally {
        await closeLedgers();
        await run(url, "DROP ROLE poor_ledger_user");
      }
    });

    it("retries when a connection breaks", async () => {
      await stacks.register(POOL, three);
      const breaker = new Client({ connectionString: url });
      await breaker.connect();
      let broken = 0;
      const breaking = (async () => {
        while (broken < 5) {
          const { rowCount } = await breaker.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name = 'stackyard' AND datname = current_database()`,
          );
          broken += rowCount ?? 0;
          await sleep(30);
        }
      })();
      for (let i = 0; broken < 5; i++) {
        await take("one", 1 + (i % 6));
        if (i % 10 === 9) await stacks.give(POOL, "one");
      }
      await breaking;
      await breaker.end();
      await take("one", 4);
      assert.deepEqual(Object.values(await used()).sort(), [0, 0, 4]);
    });

    it("stops waiting for a connection when the update is canceled", async () => {
      const cancel = new AbortController();
      const waiting = readUsage("postgres://u:p@127.0.0.1:1/x", undefined, { signal: cancel.signal });
      cancel.abort();
      await assert.rejects(waiting, { name: "AbortError" });
    });

    it("stops waiting for locked tables when the update is canceled, and takes nothing", async () => {
      await stacks.register(POOL, three);
      const holder = new Client({ connectionString: url });
      await holder.connect();
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE stackyard.allocations IN ACCESS EXCLUSIVE MODE");
      const cancel = new AbortController();
      const waiting = stacks.take({ pool: POOL, deployment: "one", slots: 1 }, { signal: cancel.signal });
      setTimeout(() => cancel.abort(), 200);
      await assert.rejects(waiting, { name: "AbortError" });
      await holder.end();
      assert.deepEqual(Object.values(await used()), [0, 0, 0]);
    });

    it("names the client that locks its tables, fails after a limit, and takes nothing", async () => {
      await stacks.register(POOL, three);
      const holder = new Client({ connectionString: url, application_name: "psql" });
      await holder.connect();
      await holder.query("BEGIN");
      await holder.query("LOCK TABLE stackyard.allocations IN EXCLUSIVE MODE");
      const began = Date.now();
      const waits: { readonly text: string; readonly afterMs: number }[] = [];
      const onWait = (text: string) => waits.push({ text, afterMs: Date.now() - began });
      await assert.rejects(
        stacks.take({ pool: POOL, deployment: "one", slots: 1 }, { onWait, patienceMs: 1_000 }),
        new RegExp(
          String.raw`the ledger \(PostgreSQL \S+\) is locked by process \d+ of user \S+ \(psql\), in a transaction since ` +
            String.raw`\S+Z, and was not released within 1 s; nothing was changed.*pg_terminate_backend\(\d+\)`,
        ),
      );
      assert.ok(Date.now() - began < 30_000, "it gave up late");
      assert.deepEqual(
        waits.map(({ text }) => /^waiting: the ledger .* is locked by process \d+ /.test(text)),
        [true],
      );
      assert.ok(waits[0] !== undefined && waits[0].afterMs < 10_000, "it was reported late");
      await holder.query("COMMIT");
      await holder.end();
      assert.deepEqual(Object.values(await used()), [0, 0, 0]);
    });
  });
});
