import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { Client } from "pg";
import { signalAll } from "../../../engine/process/processTree";
import { PostgresStore } from "../../../engine/pulumi/state/postgresStore";
import { emptyDatabase, type EmptyDatabase } from "../runtime/emptyDatabase";
import { testYard } from "../runtime/yard";
import { Project, type Ended } from "./project";

describe("a state backend in PostgreSQL", () => {
  let project: Project;
  let empty: EmptyDatabase;

  before(async () => {
    const place = await testYard();
    empty = await emptyDatabase(place.ledgerUrl, "state");
    const url = new URL(empty.url);
    url.protocol = "postgres:";
    url.searchParams.set("sslmode", "disable");
    project = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: url.href } });
    await project.platform({
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: "http://one.localhost", slots: 4 }] } } },
      defaultProvisioner: "pool",
    });
  });
  after(async () => {
    await project.remove();
    await empty.remove();
  });

  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);

  it("stores platform and runtimes, and is read without starting the engine", async () => {
    await well("up", "acme", "--version", "v1", "--slots", "2");
    await well("up", "globex", "--version", "v1");
    const { stdout } = await well("list", "--json");
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids.sort(), ["acme", "globex"]);
  });

  it("shows no changes on a second update, also with plain pulumi", async () => {
    assert.match((await well("up", "acme")).stderr, /nothing changed/);
    const { code, stdout } = await project.pulumi("preview", "-s", "acme", "--expect-no-changes");
    assert.equal(code, 0, stdout);
  });

  it("works with the two connections that the engine opens on a machine with one CPU", async () => {
    const env = { ...project.place.env, GOMAXPROCS: "1" };
    const small = new Project({ ...project.place, env });
    try {
      await small.runtime("up", "initech", "--version", "v1");
      assert.match((await small.runtime("up", "initech")).stderr, /nothing changed/);
      assert.equal((await small.pulumi("preview", "-s", "initech", "--expect-no-changes")).code, 0);
      await small.runtime("destroy", "initech", "--yes");
    } finally {
      rmSync(small.folder, { recursive: true });
    }
  });

  it("keeps neither a stack nor a lock of a rejected request", async () => {
    const { code, stderr } = await project.stackyard("runtime", "up", "toolarge", "--version", "v1", "--slots", "200");
    assert.equal(code, 1, stderr);
    const state = new Client(project.place.env["PULUMI_BACKEND_URL"]);
    await state.connect();
    const { rows } = await state.query<{ key: string }>(
      "select key from pulumi_state where key ~ '/(stacks|locks|history)/.*toolarge'",
    );
    await state.end();
    assert.deepEqual(
      rows.map(({ key }) => key.slice(key.lastIndexOf("/") + 1)),
      ["toolarge.json.bak"],
    );
    await well("up", "toolarge", "--version", "v1");
    await well("destroy", "toolarge", "--yes");
  });

  it("deletes an empty stack with its history only once, and never a locked one", async () => {
    const state = new Client(project.place.env["PULUMI_BACKEND_URL"]);
    await state.connect();
    const stores = await Promise.all(
      [1, 2].map(() => PostgresStore.open(project.place.env["PULUMI_BACKEND_URL"] ?? "")),
    );
    const [store, other] = stores;
    const of = (name: string) => `${new URL(empty.url).pathname.slice(1)}/.pulumi/${name}`;
    const write = (name: string) =>
      state.query("insert into pulumi_state (key, data) values ($1, $2)", [of(name), { data: "e30=" }]);
    const left = async () => {
      const { rows } = await state.query<{ key: string }>("select key from pulumi_state where key like '%hollow%'");
      return rows.map(({ key }) => key).sort();
    };
    const remove = (by = store) => by!.removeIf("stackyard-runtime", "hollow", () => true);
    const [lock, history] = [
      "locks/organization/stackyard-runtime/hollow/1.json",
      "history/stackyard-runtime/hollow/1",
    ];
    const stack = of("stacks/stackyard-runtime/hollow.json");
    try {
      await store!.create("stackyard-runtime", "hollow");
      await write(lock);
      await write(history);
      assert.equal(await remove(), false);
      assert.deepEqual(await left(), [of(history), of(lock), stack]);
      await state.query("delete from pulumi_state where key = $1", [of(lock)]);
      assert.equal(await store!.removeIf("stackyard-runtime", "hollow", () => false), false);
      assert.deepEqual((await Promise.all([remove(), remove(other)])).sort(), [false, true]);
      assert.deepEqual(await left(), [`${stack}.bak`]);
      assert.equal(await remove(), false);
    } finally {
      await Promise.all([state.end(), ...stores.map((each) => each.close())]);
    }
  });

  it("grants a stack lock to one of two concurrent commands and lets its owner acquire it again", async () => {
    const lock = (...args: string[]): Promise<Ended> => project.stackyard("lock", ...args);
    const both = await Promise.all(["7", "8"].map((number) => lock("acquire", "here", "--pull-request", number)));
    assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1], both.map(({ stderr }) => stderr).join("\n"));
    const winner = both[0]?.code === 0 ? 7 : 8;
    const { stdout } = await lock("list", "-o", "json");
    assert.deepEqual(
      (JSON.parse(stdout) as { pullRequest: number }[]).map(({ pullRequest }) => pullRequest),
      [winner],
    );
    assert.equal((await lock("acquire", "here", "--pull-request", String(winner))).code, 0);
    assert.match((await lock("release", "here")).stderr, new RegExp(`locked by pull request ${winner}`));
    assert.equal((await lock("release", "here", "--force")).code, 0);
    const started = project.start("lock", "acquire", "here", "--pull-request", "9");
    // Whether it was before or after the lock was written is all the same.
    const timer = setTimeout(() => signalAll([started.pid], "SIGKILL"), 200);
    await started.ended;
    clearTimeout(timer);
    assert.equal((await lock("acquire", "here", "--pull-request", "9")).code, 0);
    assert.match((await lock("release", "--pull-request", "9")).stderr, /stackyard\/here is released/);
    assert.match((await lock("list")).stderr, /no stack is locked/);
  });

  it("fails after a timeout if another client locks its table", async () => {
    const other = new Client(project.place.env["PULUMI_BACKEND_URL"]);
    await other.connect();
    await other.query("begin");
    await other.query("lock table pulumi_state in access exclusive mode");
    const url = new URL(project.place.env["PULUMI_BACKEND_URL"] ?? "");
    url.searchParams.set("query_timeout", "1000");
    const store = await PostgresStore.open(url.href);
    try {
      await assert.rejects(store.list("stackyard-runtime"), {
        name: "Failure",
        message:
          /^the state database \S+ does not answer: it hangs, or a transaction of another client locks the table pulumi_state\. /,
      });
    } finally {
      await store.close();
      await other.end();
    }
    await well("list");
  });

  it("stores no secret in plain text", async () => {
    const state = new Client(project.place.env["PULUMI_BACKEND_URL"]);
    await state.connect();
    const { rows } = await state.query<{ text: string }>(
      "select string_agg(data::text, ' ') as text from pulumi_state",
    );
    await state.end();
    const password = new URL(project.place.ledgerUrl).password;
    assert.ok((rows[0]?.text.length ?? 0) > 1000);
    assert.ok(!rows[0]?.text.includes(password));
  });
});
