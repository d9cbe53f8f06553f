import assert from "node:assert/strict";
import { databaseOf, openPool } from "../../service/database/database";
import { byId } from "../../service/database/queries/deployments";
import { lifetimesOf } from "../../service/database/queries/lifetimes";
import type { OperationRow } from "../../service/database/tables";
import { NO_LIMITS, type LimitsChange } from "../../service/lifetimes/rules";
import { Operations } from "../../service/operations";
import type { Caller, OperationInput } from "../../service/operations/input";
import { Lifetimes } from "../../service/watch/lifetimes";
import { testDatabase, type TestDatabase } from "./database";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CALLER: Caller = { tenant: "acme", actor: "ann", role: "admin" };
const log = {
  info: () => undefined,
  warn: (fields: object, text: string) => assert.fail(`${text} ${JSON.stringify(fields)}`),
  error: (fields: object, text: string) => assert.fail(`${text} ${JSON.stringify(fields)}`),
};

describe("lifetimes of deployments", () => {
  let place: TestDatabase;
  let operations: Operations;
  let lifetimes: Lifetimes;
  const heard: string[] = [];

  before(async () => {
    place = await testDatabase();
    const { database } = place;
    const settings = { defaults: NO_LIMITS, warningMs: DAY * 1000 };
    operations = new Operations({ database, defaultPlatform: "organization/stackyard/here", lifetimes: settings });
    const hear = (_transaction: unknown, { subject, text }: { subject: string; text: string }) => {
      heard.push(`${subject}: ${text}`);
      return Promise.resolve();
    };
    lifetimes = new Lifetimes({ settings, database, operations, log, hear });
  });
  beforeEach(() => void heard.splice(0));
  after(() => place.remove());

  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await place.pool.query<Record<string, unknown>>(text, values)).rows;
  /** Ends an operation as the runner does, in one transaction; one that fails changes nothing of what runs. */
  const end = async ({ id, deploymentId, kind }: OperationRow, state: "succeeded" | "failed") => {
    const made = kind === "hibernate" ? "hibernated" : kind === "deprovision" ? "absent" : "running";
    const desired = state === "failed" ? "running" : made;
    const client = await place.pool.connect();
    await client.query("begin");
    await client.query("update operation set state = $2, ended_at = now() where id = $1", [id, state]);
    await client.query(
      `update deployment set desired_state = $2, provisioner = 'x', deleted_at = case when $3 then now() end,
         desired_config = case when $4 then (select previous_config from operation where id = $5) else desired_config end
       where id = $1`,
      [deploymentId, desired, desired === "absent", state === "failed", id],
    );
    await client.query("commit");
    client.release();
  };
  const ask = (deployment: string, kind: OperationInput["kind"], more: Partial<OperationInput> = {}) =>
    operations.request({ deployment, kind, ...more }, CALLER);
  const provision = async (id: string, lifetime?: LimitsChange | null, more: object = {}): Promise<string> => {
    const change = { deployment: { version: "1", ...more } };
    const operation = await ask(id, "provision", { change, lifetime });
    await end(operation, "succeeded");
    return operation.deploymentId;
  };
  /** Lets time pass for one deployment: everything about it was so much earlier. */
  const pass = (id: string, seconds: number) =>
    query(
      `update lifetime set set_at = set_at - $2 * interval '1 second', used_at = used_at - $2 * interval '1 second',
         stopped_at = stopped_at - $2 * interval '1 second', due_at = due_at - $2 * interval '1 second',
         acts_at = acts_at - $2 * interval '1 second', next_at = next_at - $2 * interval '1 second'
       where deployment_id = $1`,
      [id, seconds],
    );
  const asked = async (id: string): Promise<string[]> => {
    const rows = await query(
      "select kind from operation where deployment_id = $1 and requested_by = 'lifetime' order by id",
      [id],
    );
    return rows.map(({ kind }) => String(kind));
  };
  const newest = async (id: string): Promise<OperationRow> => {
    const rows = place.database.selectFrom("operation").selectAll().where("deploymentId", "=", id);
    return rows.orderBy("id", "desc").executeTakeFirstOrThrow();
  };

  it("are off unless a request or the service sets limits", async () => {
    const id = await provision("plain");
    assert.deepEqual(await lifetimesOf(place.database, [id]), []);
    await lifetimes.sweep();
    assert.deepEqual([heard, await asked(id)], [[], []]);
  });

  it("end with an announcement, a hibernation, another announcement and a deletion, each once", async () => {
    const id = await provision("short", { timeToLive: 10 * DAY, stoppedRetention: 5 * DAY });
    await lifetimes.sweep();
    assert.deepEqual(heard, []);
    await pass(id, 9 * DAY);
    await lifetimes.sweep();
    await lifetimes.sweep();
    assert.match(heard.join("\n"), /^short: it is hibernated at \S+Z, because its time to live of 10d ends; [^\n]*$/);
    await pass(id, DAY - 60);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), []);
    await pass(id, 60);
    // As several replicas, at the same moment.
    await Promise.all([lifetimes.sweep(), lifetimes.sweep(), lifetimes.sweep()]);
    assert.deepEqual(await asked(id), ["hibernate"]);
    await end(await newest(id), "succeeded");
    await lifetimes.sweep();
    assert.equal(heard.length, 2);
    assert.match(heard[1] ?? "", /^short: it is hibernated by operation \S+, because its time to live of 10d ends$/);
    await pass(id, 4.5 * DAY);
    await lifetimes.sweep();
    assert.match(heard[2] ?? "", /^short: it is deprovisioned at \S+Z, because its retention of 5d since/);
    await pass(id, DAY / 2);
    await Promise.all([lifetimes.sweep(), lifetimes.sweep()]);
    assert.deepEqual(await asked(id), ["hibernate", "deprovision"]);
    const audited = await query("select actor, action, outcome from audit where actor = 'lifetime' order by id");
    assert.deepEqual(
      audited.map(({ action, outcome }) => [action, outcome]),
      [
        ["hibernate", "accepted"],
        ["deprovision", "accepted"],
      ],
    );
    await end(await newest(id), "succeeded");
    await lifetimes.sweep();
    assert.equal(heard.length, 4);
    assert.deepEqual(await query("select next_at from lifetime where deployment_id = $1", [id]), [{ next_at: null }]);
  });

  it("of an idle deployment restart with each use and cancel the announced hibernation", async () => {
    const id = await provision("idle", { idleLimit: 10 * DAY });
    await pass(id, 9.5 * DAY);
    await lifetimes.sweep();
    assert.match(heard.join("\n"), /^idle: it is hibernated at .* idle limit of 10d since its last use at/);
    const before = await byId(place.database, "acme", "idle");
    await operations.touch("idle", CALLER);
    assert.equal((await byId(place.database, "acme", "idle"))?.revision, before?.revision);
    await pass(id, DAY);
    await lifetimes.sweep();
    assert.match(heard[1] ?? "", /^idle: it is not hibernated at \S+Z: it was used or changed since/);
    for (const change of ["update", "protect"] as const) {
      await pass(id, 20 * DAY);
      await lifetimes.sweep();
      if (change === "update")
        await end(await ask("idle", "update", { change: { deployment: { slots: 2 } } }), "succeeded");
      else await operations.setLifetime("idle", { idleLimit: 30 * DAY }, CALLER);
      await pass(id, 2 * DAY);
      await lifetimes.sweep();
      assert.match(heard.at(-1) ?? "", /^idle: it is not hibernated/);
    }
    assert.deepEqual(await asked(id), []);
    await operations.setLifetime("idle", { idleLimit: null }, CALLER);
    await pass(id, 99 * DAY);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), []);
  });

  it("never end before their own announcement, even after a long outage of the service", async () => {
    const id = await provision("late", { stoppedRetention: 30 * DAY });
    await end(await ask("late", "hibernate"), "succeeded");
    await lifetimes.sweep();
    await pass(id, 100 * DAY);
    await lifetimes.sweep();
    assert.deepEqual([heard.length, await asked(id)], [1, []]);
    await pass(id, DAY - 60);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), []);
    // Somebody wakes it in the last minute.
    await end(await ask("late", "wake"), "succeeded");
    await pass(id, 10 * DAY);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), []);
    assert.match(heard[1] ?? "", /^late: it is not deprovisioned/);
  });

  it("never end while a deployment is protected, which a notice reports once", async () => {
    const id = await provision("kept", { timeToLive: 10 * DAY });
    await pass(id, 9 * DAY);
    await lifetimes.sweep();
    await operations.protect("kept", true, CALLER);
    await end(await newest(id), "succeeded");
    await pass(id, 5 * DAY);
    for (let turn = 0; turn < 3; turn += 1) await lifetimes.sweep();
    assert.deepEqual(heard.slice(1), ["kept: it stays, because it is protected, when its time to live of 10d ends"]);
    await operations.protect("kept", false, CALLER);
    await end(await newest(id), "succeeded");
    await lifetimes.sweep();
    assert.match(heard[2] ?? "", /^kept: it is hibernated at/);
    await pass(id, DAY);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), ["hibernate"]);
  });

  it("wait for an operation in progress and consider its change", async () => {
    const id = await provision("busy", { timeToLive: 10 * DAY });
    await pass(id, 9 * DAY);
    await lifetimes.sweep();
    await pass(id, DAY);
    const running = await ask("busy", "refresh");
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), []);
    await end(running, "succeeded");
    await pass(id, 60);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), ["hibernate"]);
    assert.equal((await newest(id)).guarded, true);
  });

  it("report that the deployment is hibernated if a use is reported too late", async () => {
    const id = await provision("close", { idleLimit: DAY });
    const client = await place.pool.connect();
    await client.query("begin");
    await client.query("select from lifetime where deployment_id = $1 for update", [id]);
    const touched = operations.touch("close", CALLER);
    await client.query("update deployment set desired_state = 'hibernated' where id = $1", [id]);
    await client.query("commit");
    client.release();
    assert.equal((await touched).desiredState, "hibernated");
  });

  it("of a failed hibernation are announced again; a canceled hibernation restarts the period", async () => {
    const id = await provision("again", { idleLimit: 10 * DAY });
    const due = async () => {
      await lifetimes.sweep();
      await pass(id, 9 * DAY);
      await lifetimes.sweep();
      await pass(id, DAY);
      await lifetimes.sweep();
    };
    await due();
    await end(await newest(id), "failed");
    await lifetimes.sweep();
    assert.match(heard.at(-1) ?? "", /it is hibernated at/);
    assert.deepEqual(await asked(id), ["hibernate"]);
    await pass(id, DAY);
    await lifetimes.sweep();
    assert.deepEqual(await asked(id), ["hibernate", "hibernate"]);
    await operations.cancel((await newest(id)).id, CALLER);
    const count = heard.length;
    await lifetimes.sweep();
    assert.equal(heard.length, count);
    await due();
    assert.deepEqual(await asked(id), ["hibernate", "hibernate", "hibernate"]);
  });

  it("default to the service's limits, which a request can override or disable", async () => {
    const { database } = place;
    const defaults = { ...NO_LIMITS, idleLimit: 7 * DAY, stoppedRetention: 30 * DAY };
    const limited = new Operations({
      database,
      defaultPlatform: "organization/stackyard/here",
      lifetimes: { defaults, warningMs: 1000 },
    });
    const change = { deployment: { version: "1" } };
    const limitsOf = async (deployment: string, lifetime?: LimitsChange | null) => {
      const { deploymentId } = await limited.request({ deployment, kind: "provision", change, lifetime }, CALLER);
      const [row] = await lifetimesOf(database, [deploymentId]);
      return row && [row.timeToLive, row.idleLimit, row.stoppedRetention];
    };
    assert.deepEqual(await limitsOf("default-1"), [null, 7 * DAY, 30 * DAY]);
    assert.deepEqual(await limitsOf("default-2", { timeToLive: DAY, idleLimit: null }), [DAY, null, 30 * DAY]);
    assert.deepEqual(await limitsOf("default-3", null), undefined);
  });

  it("are changed once per idempotency key and rejected with another revision", async () => {
    const id = await provision("keyed", { timeToLive: DAY });
    const change = { timeToLive: 2 * DAY };
    const more = { idempotencyKey: "key-1" };
    await operations.setLifetime("keyed", change, CALLER, more);
    await operations.setLifetime("keyed", { timeToLive: 3 * DAY }, CALLER);
    await operations.setLifetime("keyed", change, CALLER, more);
    assert.equal((await lifetimesOf(place.database, [id]))[0]?.timeToLive, 3 * DAY);
    const { revision } = (await byId(place.database, CALLER.tenant, "keyed")) ?? assert.fail();
    await operations.setLifetime("keyed", { timeToLive: 4 * DAY }, CALLER, { revision });
    await assert.rejects(operations.setLifetime("keyed", change, CALLER, { revision }), { code: "CONFLICT" });
    await assert.rejects(operations.setLifetime("nobody", change, CALLER), { code: "NOT_FOUND" });
    await assert.rejects(operations.touch("nobody", CALLER), { code: "NOT_FOUND" });
    const plan = await operations.planLifetime("keyed", { stoppedRetention: DAY, timeToLive: null }, CALLER);
    assert.deepEqual(plan.notes, [
      "It is deprovisioned 1d after a hibernation.",
      "Then its disk goes too, unless its provisioner keeps disks.",
    ]);
    assert.equal((await lifetimesOf(place.database, [id]))[0]?.stoppedRetention, null);
  });

  it("of a recreated deployment come from its new request", async () => {
    const id = await provision("twice", { timeToLive: DAY });
    await end(await ask("twice", "deprovision"), "succeeded");
    await provision("twice");
    assert.deepEqual(await lifetimesOf(place.database, [id]), []);
  });

  it("of many deployments are checked in batches with an index", async () => {
    await query(
      `insert into deployment (id, name, tenant, desired_config, desired_state)
       select 'many-' || n, 'many-' || n, 'many', '{"deployment": {"version": "1"}}', 'running' from generate_series(1, 60) n`,
    );
    await query(
      `insert into lifetime (deployment_id, idle_limit, set_at, used_at, next_at)
       select id, 3600, now() - interval '1 day', now() - interval '1 day', now() from deployment where tenant = 'many'`,
    );
    // It needs no more than one connection at a time.
    const pool = openPool({ connectionString: place.url, max: 1, connectionTimeoutMillis: 3_000 });
    const database = databaseOf(pool);
    const own = new Operations({ database, defaultPlatform: "organization/stackyard/here" });
    const narrow = new Lifetimes({ settings: { warningMs: 1000 }, database, operations: own, log });
    await narrow.sweep(7);
    await query("update lifetime set acts_at = now(), next_at = now() where deployment_id like 'many-%'");
    await narrow.sweep(7);
    await pool.end();
    const done = await query(
      "select count(*)::int as count from operation where tenant = 'many' and kind = 'hibernate'",
    );
    assert.deepEqual(done, [{ count: 60 }]);
    const client = await place.pool.connect();
    await client.query("set enable_seqscan = off");
    const due = "select deployment_id from lifetime where next_at <= now() order by deployment_id";
    const { rows: plan } = await client.query(`explain ${due}`);
    client.release(true);
    assert.match(JSON.stringify(plan), /lifetime_next/);
  });
});
