import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { testYard } from "../runtime/yard";
import { Project, type Ended } from "./project";

const database = `state_${randomBytes(3).toString("hex")}`;

describe("a state backend in PostgreSQL", () => {
  let project: Project;
  let admin: Client;

  before(async () => {
    const place = await testYard();
    admin = new Client(place.ledgerUrl);
    await admin.connect();
    await admin.query(`create database ${database}`);
    const url = new URL(place.ledgerUrl);
    url.pathname = `/${database}`;
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
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  });

  const well = async (...args: string[]): Promise<Ended> => {
    const ended = await project.stackyard("runtime", ...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended;
  };

  it("holds platform and runtimes, and is read without starting the engine", async () => {
    await well("up", "acme", "--version", "v1", "--slots", "2");
    await well("up", "globex", "--version", "v1");
    const { stdout } = await well("list", "--json");
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids.sort(), ["acme", "globex"]);
  });

  it("finds nothing to do the second time, by hand too", async () => {
    assert.match((await well("up", "acme")).stderr, /nothing changed/);
    const { code, stdout } = await project.pulumi("preview", "-s", "acme", "--expect-no-changes");
    assert.equal(code, 0, stdout);
  });

  it("keeps no stack of a request that was refused, and no lock", async () => {
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

  it("has nothing of a secret in plain text", async () => {
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
