import assert from "node:assert/strict";
import { v7 as uuid } from "uuid";
import { dropHeldJob, enqueue } from "../../service/operations/queue";
import { deleteOld } from "../../service/retention/retention";
import { testDatabase, type TestDatabase } from "./database";

const SETTINGS = { operations: 90, audit: 400, keys: 7, notices: 90 };

describe("the retention of old rows", () => {
  let place: TestDatabase;

  before(async () => {
    place = await testDatabase();
  });
  after(() => place.remove());

  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await place.pool.query<Record<string, unknown>>(text, values)).rows;
  const count = async (table: string): Promise<number> => {
    const [row] = await query(`select count(*)::int as count from ${table}`);
    return Number(row?.["count"]);
  };
  /** UUIDs of version 7 sort by their time. */
  const addOperation = async (
    deployment: string,
    daysAgo: number,
    more: Record<string, unknown> = {},
  ): Promise<string> => {
    const at = new Date(Date.now() - daysAgo * 86_400_000);
    const id = uuid({ msecs: at.getTime() });
    const row = { state: "succeeded", ended_at: at, retry_of: null, replaced_by: null, ...more };
    await query(
      `insert into operation (id, deployment_id, tenant, kind, state, revision, message, requested_by, ended_at, retry_of, replaced_by)
       values ($1, $2, 'acme', 'update', $3, 1, '', 'ann', $4, $5, $6)`,
      [id, deployment, row.state, row.ended_at, row.retry_of, row.replaced_by],
    );
    await query("insert into stage (operation_id, number, name, state) values ($1, 1, 'apply', 'succeeded')", [id]);
    await query("insert into event (operation_id, kind, text) values ($1, 'note', 'x')", [id]);
    return id;
  };

  it("deletes old operations with their records in batches, but no running one and never the newest", async () => {
    for (const id of ["old", "busy", "idle"]) {
      await query(
        "insert into deployment (id, name, tenant, desired_config, desired_state) values ($1, $1, 'acme', '{}', 'running')",
        [id],
      );
    }
    const ids: string[] = [];
    for (let at = 0; at < 25; at += 1) ids.push(await addOperation("old", 200 - at));
    const retry = await addOperation("old", 1, { retry_of: ids[24] });
    const running = await addOperation("busy", 300, { state: "in_progress", ended_at: null });
    const waiting = await addOperation("busy", 299, { state: "pending", ended_at: null });
    const newest = await addOperation("idle", 900);
    await query("insert into webhook_delivery (operation_id) values ($1), ($2)", [ids[0], ids[1]]);
    await query("update webhook_delivery set state = 'delivered' where operation_id = $1", [ids[0]]);
    await query("insert into idempotency (tenant, key, digest, operation_id) values ('acme', 'k', 'd', $1)", [ids[3]]);
    const { operations } = await deleteOld(place.database, SETTINGS, 10);
    assert.equal(operations, 24);
    const left = (await query("select id from operation order by id")).map(({ id }) => id);
    assert.deepEqual(left.sort(), [newest, running, waiting, ids[1], retry].sort());
    assert.deepEqual(await query("select retry_of from operation where id = $1", [retry]), [{ retry_of: null }]);
    assert.deepEqual([await count("stage"), await count("event"), await count("idempotency")], [5, 5, 0]);
    assert.equal((await deleteOld(place.database, SETTINGS))["operations"], 0);
  });

  it("deletes an old operation although an older one names it that stays because of its message", async () => {
    const later = await addOperation("old", 150);
    const earlier = await addOperation("old", 151, { state: "replaced", replaced_by: later });
    await query("insert into webhook_delivery (operation_id) values ($1)", [earlier]);
    assert.equal((await deleteOld(place.database, SETTINGS))["operations"], 1);
    assert.deepEqual(await query("select replaced_by from operation where id = $1", [earlier]), [
      { replaced_by: later },
    ]);
  });

  it("finds whatever refers to a deleted operation by an index, however many there are", async () => {
    const unindexed = await query(`
      select conrelid::regclass::text as table, conname from pg_constraint where confrelid = 'operation'::regclass
        and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`);
    assert.deepEqual(unindexed, []);
  });

  it("deletes old audit entries, keys, notices and rollouts, each by its own age limit", async () => {
    const days = [1, 8, 91, 399, 401];
    for (const day of days) {
      const at = new Date(Date.now() - day * 86_400_000);
      await query(
        "insert into audit (at, tenant, actor, action, target, outcome) values ($1, 'acme', 'ann', 'x', 'y', 'accepted')",
        [at],
      );
      await query("insert into notice (at, kind, level, subject, text) values ($1, 'drift', 'info', 's', 't')", [at]);
      await query(
        "insert into idempotency (tenant, key, digest, deployment_id, at) values ('acme', $1, 'd', 'old', $2)",
        [`key-${day}`, at],
      );
      await query(
        "insert into rollout (id, platform, state, message, requested_by, ended_at) values ($1, 'dev', 'succeeded', '', 'ann', $2)",
        [uuid(), at],
      );
    }
    await query(
      "insert into rollout (id, platform, state, message, requested_by) values ($1, 'dev', 'running', '', 'ann')",
      [uuid()],
    );
    await deleteOld(place.database, SETTINGS, 2);
    const left = [await count("audit"), await count("notice"), await count("idempotency"), await count("rollout")];
    assert.deepEqual(left, [4, 2, 1, 3]);
  });

  it("deletes queue jobs that can never run again, and no others", async () => {
    const hold = (id: string, hours: number) =>
      query(
        "update graphile_worker._private_jobs set locked_at = now() - $2 * interval '1 hour', locked_by = 'x' where key = $1",
        [`operation:${id}`, hours],
      );
    for (const [id, hours] of [
      ["dead", 5],
      ["young", 1],
    ] as const) {
      await enqueue(place.database, id);
      await hold(id, hours);
      // Replacing a job that a process holds leaves its row behind.
      await enqueue(place.database, id);
    }
    assert.equal(await count("graphile_worker.jobs"), 4);
    await deleteOld(place.database, SETTINGS);
    assert.equal(await count("graphile_worker.jobs"), 3);
    await hold("young", 1);
    await dropHeldJob(place.database, "young");
    await enqueue(place.database, "young");
    assert.equal(await count("graphile_worker.jobs where key = 'operation:young'"), 1);
    assert.equal(await count("graphile_worker.jobs"), 3);
  });
});
