import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import type { Pool } from "pg";
import { migrate, migrateDown } from "../../service/database/serviceDatabase";
import { openPool } from "../../service/database/database";
import { MIGRATIONS, testDatabase, type TestDatabase } from "./database";

/** Everything that the service's tables are made of, but for the order of their columns. */
async function structureOf(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>(`
    select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default) as text
      from information_schema.columns where table_schema = 'public'
    union all select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'public'
    union all select concat_ws(' ', 'trigger', pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal
      and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select concat_ws(' ', 'function', pg_get_functiondef(oid)) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`);
  return rows.map(({ text }) => text);
}

describe("migrations of the service's database", () => {
  let place: TestDatabase;
  let names: string[];

  before(async () => {
    place = await testDatabase(false);
    names = (await readdir(MIGRATIONS)).map((file) => file.replace(/\.sql$/, "")).sort();
  });
  after(() => place.remove());

  it("can each be reverted to the previous structure and run again", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "migrations-"));
    try {
      const before = new Map<string, readonly string[]>();
      for (const name of names) {
        await cp(path.join(MIGRATIONS, `${name}.sql`), path.join(folder, `${name}.sql`));
        assert.deepEqual(await migrate(place.pool, folder), [name]);
        before.set(name, await structureOf(place.pool));
      }
      for (const [at, name] of [...names.entries()].reverse()) {
        const last = names[at - 1];
        if (last === undefined) continue;
        assert.deepEqual(await migrateDown(place.pool, MIGRATIONS, last), [name]);
        assert.deepEqual(await structureOf(place.pool), before.get(last), `after the return from ${name}`);
      }
      assert.deepEqual(await migrate(place.pool, MIGRATIONS), names.slice(1));
      assert.deepEqual(await structureOf(place.pool), before.get(names.at(-1) ?? ""));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("keep deployments, operations of any kind and the audit trail when several versions are reverted", async () => {
    await migrate(place.pool, MIGRATIONS);
    const id = "018f0000-0000-7000-8000-00000000000";
    await place.pool.query(
      `insert into deployment (id, name, tenant, desired_config, desired_state) values ('a', 'a', 'red', '{"deployment": {}}', 'running')`,
    );
    await place.pool.query(
      `insert into operation (id, deployment_id, tenant, kind, state, revision, message, requested_by, ended_at, replaced_by)
       values ($1 || '1', 'a', 'red', 'reset', 'replaced', 1, '', 'ann', now(), ($1 || '2')::uuid),
        ($1 || '2', 'a', 'red', 'update', 'in_progress', 2, '', 'ann', null, null),
        ($1 || '3', 'a', 'red', 'update', 'pending', 3, '', 'ann', null, null),
        ($1 || '4', 'a', 'red', 'update', 'pending', 4, '', 'bob', null, null)`.replaceAll("$1 || '", `'${id}`),
    );
    await place.pool.query(
      "insert into audit (tenant, actor, action, target, outcome) values ('red', 'ann', 'update', 'a', 'accepted')",
    );
    assert.equal((await migrateDown(place.pool, MIGRATIONS, "0005_names")).length, names.length - 5);
    await migrate(place.pool, MIGRATIONS);
    const { rows } = await place.pool.query("select state from operation order by id");
    assert.deepEqual(
      rows.map(({ state }: { state?: string }) => state),
      ["canceled", "in_progress", "pending", "canceled"],
    );
    assert.equal((await place.pool.query("select from audit")).rowCount, 1);
  });

  it("are not reverted to an unknown name or while the service runs", async () => {
    await assert.rejects(migrateDown(place.pool, MIGRATIONS, "0012_request"), /did you mean 0012_requests\?/);
    const other = openPool({ connectionString: place.url });
    try {
      await other.query("select 1");
      await assert.rejects(migrateDown(place.pool, MIGRATIONS, "0012_requests"), /stop all of its processes first/);
    } finally {
      await other.end();
    }
    assert.deepEqual(await migrateDown(place.pool, MIGRATIONS, names.at(-1) ?? ""), []);
  });
});
