import assert from "node:assert/strict";
import { OwnerError } from "../../../kubernetes/owners/judge";
import { allocate } from "../../../provider/ledger/allocations";
import { closeLedgers } from "../../../provider/ledger/database";
import { offerPool } from "../../../provider/ledger/owners/pool";
import { readPool, removePool, type PoolHost } from "../../../provider/ledger/pools";
import { previewAllocation, wouldMove } from "../../../provider/ledger/slots/preview";
import { offerSlots, readAllocation, release } from "../../../provider/ledger/slots/held";
import type { SlotsClaimant } from "../../../provider/ledger/wanted";
import { registerPool } from "../../../provider/resources/staticPool/registerPool";
import { BACKEND, claim, Stacks } from "./claims";
import { run, startPostgres } from "./postgres";
import type { TestServer } from "./postgres";

const POOL = "prod/shared";
const KEY = { pool: POOL, deployment: "acme" };
const ELSEWHERE = "file:///home/ann/state on laptop";
const host = (name: string): PoolHost => ({
  host: `http://${name}`,
  slots: 6,
  dataDir: "/data",
  audienceUrl: `http://${name}`,
  weight: 1,
  drain: false,
});

describe("owners in the ledger", () => {
  let server: TestServer;
  let url: string;

  const take = (slots: number, claimant: SlotsClaimant, allowMove = false) =>
    allocate(url, { ...KEY, slots, claimant, allowMove });
  const rows = () => run(url, "SELECT deployment, host, slots, owner, generation FROM stackyard.allocations");
  const acme = (more: Partial<SlotsClaimant> = {}) => claim("acme", more);
  /** The same stack in another state backend. */
  const other = (more: Partial<SlotsClaimant> = {}) =>
    claim("second", { stack: "stackyard-runtime/acme", backend: ELSEWHERE, ...more });

  before(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    url = await server.database();
  });
  afterEach(closeLedgers);
  after(() => server.stop());

  /** Expects an error about the owner, and no change of the rows. */
  async function refused(work: Promise<unknown>, expected: RegExp): Promise<void> {
    const failure = work.then(
      () => undefined,
      (error: unknown) => error,
    );
    const before = await rows();
    const error = await failure;
    assert.ok(error instanceof OwnerError, String(error));
    assert.match(error.message, expected);
    assert.deepEqual(await rows(), before);
  }

  describe("of slots", () => {
    beforeEach(async () => {
      await new Stacks(() => url).register(POOL, [host("a"), host("b")]);
      await take(4, acme());
    });

    const FOREIGN = new RegExp(
      "allocation prod/shared/acme belongs to stack stackyard-runtime/acme in s3://state, which last changed it at " +
        "20\\S+Z \\(generation 1, \\S+@\\S+\\)\\. Nothing was changed\\. .*stackyard runtime adopt acme$",
    );

    it("reject another backend, another stack and a stack without its state, also in the preview", async () => {
      for (const claimant of [
        other(),
        claim("t1copy", { stack: "stackyard-runtime/t1copy" }),
        claim("new", { stack: "stackyard-runtime/acme" }),
      ]) {
        for (const slots of [1, 4, 6]) {
          await refused(take(slots, claimant), FOREIGN);
          await refused(previewAllocation(url, { ...KEY, slots, claimant }), FOREIGN);
          await refused(wouldMove(url, { ...KEY, slots, claimant, allowMove: true }), FOREIGN);
        }
      }
    });

    it("keep their slots when another stack releases them; that stack learns the owner", async () => {
      const before = await rows();
      const left = await release(url, KEY, other({ generation: 1 }));
      assert.equal(left?.stack, "stackyard-runtime/acme");
      assert.equal(left.backend, BACKEND);
      assert.deepEqual(await rows(), before);
      assert.equal(await release(url, KEY, acme({ generation: 1 })), undefined);
      assert.deepEqual(await rows(), []);
    });

    it("reject a restored checkpoint that is older than the slots", async () => {
      const { generation } = await take(5, acme({ generation: 1 }));
      assert.equal(generation, 2);
      const old = acme({ generation: 1, has: { host: "http://a", slots: 4 } });
      const STALE = /has generation 2, and the state of stack stackyard-runtime\/acme in s3:\/\/state is older/;
      await refused(take(4, old), STALE);
      await refused(previewAllocation(url, { ...KEY, slots: 4, claimant: old }), STALE);
      await refused(release(url, KEY, old), STALE);
      await refused(
        release(url, KEY, { ...old, backend: ELSEWHERE }).then((left) => {
          throw new OwnerError(`left to ${left?.backend}`);
        }),
        /left to s3:\/\/state/,
      );
    });

    it("detect an older state even after a change of only the request", async () => {
      assert.equal((await take(4, acme({ generation: 1 }))).generation, 2);
      await refused(take(4, acme({ generation: 1 })), /is older \(generation 1\)/);
    });

    it("continue an interrupted update", async () => {
      await take(5, acme({ generation: 1 }));
      assert.equal((await take(5, acme({ generation: 1, interrupted: true }))).generation, 3);
      assert.equal(await release(url, KEY, acme({ generation: 1, interrupted: true })), undefined);
    });

    it("keep their slots after the ledger was restored from a backup", async () => {
      await run(url, "UPDATE stackyard.allocations SET generation = 1");
      assert.equal((await take(6, acme({ generation: 7 }))).generation, 8);
    });

    it("change through an offer, which is valid only for the displayed owner", async () => {
      const to = `stackyard-runtime/acme in ${ELSEWHERE}`;
      await assert.rejects(
        offerSlots(url, KEY, { owner: "acme", generation: 7 }, to),
        /was changed by another process/,
      );
      await refused(take(2, other()), FOREIGN);
      await offerSlots(url, KEY, { owner: "acme", generation: 1 }, to);
      await previewAllocation(url, { ...KEY, slots: 2, claimant: other() });
      assert.equal((await take(2, other())).generation, 2);
      await refused(take(4, acme({ generation: 1 })), /belongs to stack stackyard-runtime\/acme in file:/);
      await refused(take(4, claim("third", { backend: ELSEWHERE, stack: "stackyard-runtime/acme" })), /in file:/);
    });

    it("change when the same stack replaces the allocation", async () => {
      await take(4, claim("next", { replaces: "acme" }));
      assert.equal((await release(url, KEY, acme({ generation: 1 })))?.owner, "next");
      assert.equal((await rows()).length, 1);
    });

    it("are unique under a hundred concurrent requests of two stacks", async () => {
      await run(url, "DELETE FROM stackyard.allocations");
      const claimants = Array.from({ length: 100 }, (_, i) =>
        claim(`owner-${i % 2}`, { interrupted: true, backend: i % 2 === 0 ? BACKEND : ELSEWHERE }),
      );
      const results = await Promise.allSettled(claimants.map((claimant, i) => take(1 + (i % 3), claimant)));
      const [row, ...more] = await rows();
      assert.deepEqual(more, []);
      for (const [i, result] of results.entries()) {
        const isWinner = claimants[i]?.owner === row?.["owner"];
        assert.equal(result.status, isWinner ? "fulfilled" : "rejected");
        if (result.status === "rejected") assert.ok(result.reason instanceof OwnerError);
      }
      const used = await run(url, "SELECT sum(used)::int AS used FROM stackyard.hosts");
      assert.deepEqual(used, [{ used: row?.["slots"] }]);
    });
  });

  describe("of rows from an earlier release", () => {
    beforeEach(async () => {
      await new Stacks(() => url).register(POOL, [host("a"), host("b")]);
      await take(4, acme());
      await run(
        url,
        `UPDATE stackyard.allocations
            SET owner = NULL, stack = NULL, backend = NULL, changed_by = NULL, generation = 0`,
      );
    });

    it("are identified by their slots and host", async () => {
      const { host: at = "" } = (await readAllocation(url, KEY)) ?? {};
      const UNKNOWN = /belongs to stack \(not recorded\) in an unknown backend.*earlier release/;
      await refused(take(4, other()), UNKNOWN);
      await refused(take(4, acme({ has: { host: at, slots: 3 } })), UNKNOWN);
      await refused(take(4, acme({ has: { host: "http://other", slots: 4 } })), UNKNOWN);
      assert.notEqual(await release(url, KEY, acme({ has: { host: at, slots: 3 } })), undefined);
      assert.equal((await take(5, acme({ has: { host: at, slots: 4 } }))).generation, 1);
      await refused(take(4, other({ has: { host: at, slots: 4 } })), /belongs to stack stackyard-runtime\/acme/);
    });

    it("change through adoption", async () => {
      const { row } = (await readAllocation(url, KEY)) ?? {};
      assert.equal(row?.owner, null);
      await offerSlots(url, KEY, { owner: "", generation: 0 }, `stackyard-runtime/acme in ${ELSEWHERE}`);
      assert.equal((await take(4, other())).generation, 1);
    });
  });

  describe("of tables from an earlier release", () => {
    beforeEach(async () => {
      await new Stacks(() => url).register(POOL, [host("a")]);
      await take(4, acme());
      for (const table of ["allocations", "pools"]) {
        const columns = ["owner", "stack", "backend", "generation", "changed_from", "changed_by", "change_id"];
        const drops = [...columns, "offered_to"].map((column) => `DROP COLUMN ${column}`);
        await run(url, `ALTER TABLE stackyard.${table} ${drops.join(", ")}`);
      }
      await run(url, "DELETE FROM stackyard.migrations WHERE version = 2");
      await closeLedgers();
    });

    it("are read and previewed without a change and migrated by the first update", async () => {
      const mine = acme({ has: { host: "http://a", slots: 4 } });
      assert.equal((await readAllocation(url, KEY))?.slots, 4);
      assert.deepEqual((await readPool(url, POOL))?.hosts, [host("a")]);
      await previewAllocation(url, { ...KEY, slots: 5, claimant: mine });
      await registerPool(url, POOL, [host("a")], { ...claim("pool"), has: ["http://a"] }, { dryRun: true });
      assert.deepEqual(await run(url, "SELECT version FROM stackyard.migrations"), [{ version: 1 }]);
      assert.equal((await take(5, mine)).generation, 1);
      assert.deepEqual(await run(url, "SELECT max(version) AS version FROM stackyard.migrations"), [{ version: 2 }]);
    });

    it("are migrated by the first release of slots too", async () => {
      assert.equal(await release(url, KEY, acme({ has: { host: "http://a", slots: 4 } })), undefined);
      assert.deepEqual(await rows(), []);
    });
  });

  describe("of pools", () => {
    const platform = (owner: string, more: object = {}) => ({
      ...claim(owner, { stack: "stackyard/prod" }),
      has: undefined,
      ...more,
    });
    const copy = (more: object = {}) => platform("second", { backend: ELSEWHERE, ...more });
    const hosts = [host("a"), host("b")];
    const FOREIGN =
      /pool prod\/shared belongs to stack stackyard\/prod in s3:\/\/state.*stackyard provisioners adopt shared --stack prod$/;

    beforeEach(async () => {
      await registerPool(url, POOL, hosts, platform("first"));
      await take(2, acme());
    });

    it("reject the same platform stack in another backend, even with the same hosts", async () => {
      for (const dryRun of [true, false]) {
        await refused(registerPool(url, POOL, hosts, copy(), { dryRun }), FOREIGN);
        await refused(registerPool(url, POOL, [host("c")], copy(), { dryRun }), FOREIGN);
        await refused(registerPool(url, POOL, [host("c")], platform("lost"), { dryRun }), FOREIGN);
      }
      assert.deepEqual((await readPool(url, POOL))?.hosts, hosts);
    });

    it("keep their pool when another stack removes it; that stack learns the owner", async () => {
      const { other: left, lost } = await removePool(url, POOL, copy({ generation: 1 }), { withAllocations: true });
      assert.deepEqual([left?.owner, lost], ["first", undefined]);
      assert.deepEqual((await readPool(url, POOL))?.hosts, hosts);
      assert.equal((await rows()).length, 1);
    });

    it("continue after a kill before the state was stored", async () => {
      assert.equal((await registerPool(url, POOL, hosts, platform("again"))).generation, 2);
    });

    it("reject an older state", async () => {
      const mine = platform("first", { generation: 1, has: ["http://a", "http://b"] });
      assert.equal((await registerPool(url, POOL, [...hosts, host("c")], mine)).generation, 2);
      await refused(registerPool(url, POOL, hosts, mine), /is older \(generation 1\)/);
      await refused(removePool(url, POOL, mine), /is older \(generation 1\)/);
    });

    it("change through an offer", async () => {
      const { row } = (await readPool(url, POOL)) ?? {};
      assert.ok(row);
      await offerPool(url, POOL, row, `stackyard/prod in ${ELSEWHERE}`);
      assert.equal((await registerPool(url, POOL, hosts, copy())).generation, 2);
      await assert.rejects(offerPool(url, POOL, row, "x"), /was changed by another process/);
      await refused(registerPool(url, POOL, hosts, platform("first", { generation: 1 })), /in file:/);
    });

    it("from an earlier release are identified by their hosts", async () => {
      await run(url, "UPDATE stackyard.pools SET owner = NULL, stack = NULL, backend = NULL, generation = 0");
      await refused(registerPool(url, POOL, hosts, copy()), /belongs to stack \(not recorded\)/);
      await refused(registerPool(url, POOL, hosts, copy({ has: ["http://a"] })), /belongs to stack \(not recorded\)/);
      const mine = platform("first", { has: ["http://b", "http://a"] });
      assert.equal((await registerPool(url, POOL, hosts, mine)).generation, 1);
    });
  });
});
