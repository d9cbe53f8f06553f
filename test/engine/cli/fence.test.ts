import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { engineEnv, fence } from "../../../engine/backend/fence";
import { signalAll } from "../../../engine/process/processTree";
import { emptyDatabase, type EmptyDatabase } from "../runtime/emptyDatabase";
import { testYard } from "../runtime/yard";
import { holdLedger, pidsOf, until, waitsForLedger } from "./held";
import { Project } from "./project";

const tag = randomBytes(3).toString("hex");
const DROP = 'DROP FUNCTION "pulumi_state_fence" CASCADE';
const REFUSED = /the lock of stack (\S+) was removed while this engine worked on it/;

describe("an engine whose lock was removed, with states in PostgreSQL", () => {
  let project: Project;
  let empty: EmptyDatabase;
  let url: URL;
  const sessions: Client[] = [];
  const session = async (application_name?: string): Promise<Client> => {
    const plain = new URL(url);
    plain.searchParams.delete("application_name");
    const client = new Client({ connectionString: plain.href, application_name });
    sessions.push(client);
    await client.connect();
    return client;
  };
  let admin: Client;

  before(async () => {
    const place = await testYard();
    empty = await emptyDatabase(place.ledgerUrl, "fence");
    url = new URL(empty.url);
    url.protocol = "postgres:";
    // A name of its own does not take the place of the engine's.
    url.search = "?sslmode=disable&application_name=ci";
    admin = await session();
    project = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: url.href } });
    await project.platform({
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: "http://fence.localhost", slots: 8 }] } } },
      defaultProvisioner: "pool",
    });
  });
  after(async () => {
    await project.remove();
    await Promise.all(sessions.map((each) => each.end()));
    await empty.remove();
    const yard = new Client(project.place.ledgerUrl);
    await yard.connect();
    await yard.query(`drop role if exists limited_${tag}`);
    await yard.end();
  });

  it("can't write its state after another one has, and says so", async () => {
    await project.runtime("up", "acme", "--version", "1", "--slots", "1");
    const release = await holdLedger(project.place);
    const old = project.start("runtime", "up", "acme", "--slots", "2");
    let engine: number[] = [];
    try {
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      engine = await pidsOf(project, "pulumi", "up", "acme");
      signalAll(engine, "SIGSTOP");
    } finally {
      await release();
    }
    const canceled = await project.pulumi("cancel", "acme", "--yes");
    assert.equal(canceled.code, 0, canceled.stderr);
    await project.runtime("up", "acme", "--slots", "3");
    const stateOf = async () =>
      (await admin.query<object>("select data from pulumi_state where key like '%/stacks/%/acme.json'")).rows;
    const state = await stateOf();
    signalAll(engine, "SIGCONT");
    // The engine repeats a refused write for half a minute.
    const { code, stderr } = await old.ended;
    assert.equal(code, 1);
    assert.match(stderr, /\nacme could not be deployed:\n +the lock of stack stackyard-runtime\/acme was removed/);
    assert.doesNotMatch(stderr, /pq:|55000|\n +at /);
    assert.deepEqual(await stateOf(), state);
    assert.match((await project.runtime("up", "acme", "--slots", "3")).stderr, /nothing changed/);
  });

  it("is refused for each file of its state, unless it has a lock of its own on this stack", async () => {
    const name = (id: string) => engineEnv({ backend: url.href }, id)["PGAPPNAME"];
    await admin.query(DROP);
    const key = (file: string, folder = "a%b/") => `${folder}.pulumi/${file}`;
    const insert = (by: Client, file: string) =>
      by.query(
        "insert into pulumi_state (key, data) values ($1, $2) on conflict (key) do update set data = excluded.data",
        [file, { data: "e30=" }],
      );
    const remove = (by: Client, file: string) => by.query("delete from pulumi_state where key = $1", [file]);
    const [one, two] = [await session(name("1")), await session(name("2"))];
    const [older, lock] = [key("locks/organization/p/older/1.json"), key("locks/organization/p/s_1.json/1.json")];
    await insert(one, older);
    // Two processes find no trigger at the same moment.
    await Promise.all([url.href, `${url.href}&connect_timeout=9`].map((backend) => fence({ backend })));
    await insert(one, key("stacks/p/older.json"));
    await insert(one, lock);
    const files = ["", ".gz", ".zst", ".bak", ".gz.bak", ".1700000000"].map((end) =>
      key(`stacks/p/s_1.json.json${end}`),
    );
    for (const file of files) {
      await insert(one, file);
      await assert.rejects(insert(two, file), REFUSED, file);
      await assert.rejects(remove(two, file), REFUSED, file);
      await remove(one, file);
    }
    for (const other of [
      key("stacks/p/sx1.json.json"),
      key("stacks/p/s_1.json"),
      key("stacks/p/s_1.json.json", "b/"),
    ]) {
      await assert.rejects(insert(one, other), REFUSED, other);
      await insert(admin, other);
    }
    await insert(two, key("history/p/s_1.json/1.json"));

    await one.query("begin");
    await insert(one, files[0]!);
    let isRemoved = false;
    const removed = remove(admin, lock).then(() => (isRemoved = true));
    await sleep(200);
    assert.equal(isRemoved, false, "the removal of the lock waits for the write");
    await one.query("commit");
    await removed;
    await assert.rejects(insert(one, files[0]!), {
      message: new RegExp(REFUSED.source.replace(String.raw`(\S+)`, "p/s_1.json")),
    });
    await admin.query("delete from pulumi_state where key like 'a\\%b/%' or key like 'b/%'");
  });

  it("does not concern plain pulumi", async () => {
    const file = path.join(project.folder, "plain.json");
    for (const args of [
      ["stack", "init", "plain", "--no-select"],
      ["stack", "export", "-s", "plain", "--file", file],
      ["stack", "import", "-s", "plain", "--file", file],
      ["cancel", "plain", "--yes"],
      ["stack", "rename", "renamed", "-s", "plain"],
      ["stack", "rm", "renamed", "--yes"],
      ["refresh", "-s", "acme", "--yes", "--skip-preview"],
    ]) {
      const { code, stdout, stderr } = await project.pulumi(...args);
      assert.equal(code, 0, `${args.join(" ")}\n${stdout}${stderr}`);
    }
  });

  it("is warned of once if its user may create no trigger, and works", async () => {
    await admin.query(DROP);
    await admin.query(`create role limited_${tag} login password 'limited'`);
    await admin.query(`grant select, insert, update, delete on pulumi_state to limited_${tag}`);
    const limited = new URL(url);
    [limited.username, limited.password] = [`limited_${tag}`, "limited"];
    const { place } = project;
    const other = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: limited.href } });
    try {
      const file = path.join(other.folder, "many.json");
      writeFileSync(file, JSON.stringify({ globex: { version: "1", slots: 1 }, initech: { version: "1", slots: 1 } }));
      const { stderr } = await other.runtime("up", "-f", file, "--parallel", "2");
      const warning =
        /warning: the state database \S+ accepts writes of an engine whose lock was removed, .*permission denied/g;
      assert.equal(stderr.match(warning)?.length, 1, stderr);
      await other.runtime("destroy", "globex", "initech", "--yes");
      assert.equal((await admin.query("select from pg_trigger where tgname = 'stackyard_fence'")).rowCount, 0);
    } finally {
      rmSync(other.folder, { recursive: true });
      await admin.query(`drop owned by limited_${tag}`);
    }
  });
});
