import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { killWhen } from "../cli/held";
import { type Ended, Project } from "../cli/project";
import { testYard } from "../runtime/yard";

const HOST = `http://clickhouse-${process.pid}.example.com:9091`;

describe("commands for a ClickHouse database", () => {
  let project: Project;
  let server: ClickHouseDouble;

  before(async () => {
    server = await new ClickHouseDouble().start();
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, STACKYARD_LEDGER_URL: place.ledgerUrl } });
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } } },
    });
    const at = ["-s", "here", "--path"];
    await project.must("pulumi", "config", "set", ...at, "stackyard:clickhouse.main.type", "static");
    await project.must(
      "pulumi",
      "config",
      "set",
      ...at,
      "--secret",
      "stackyard:clickhouse.main.spec.url",
      server.url(),
    );
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  });
  after(async () => {
    await project.remove();
    await server.stop();
  });

  const runtime = async (...args: string[]): Promise<Ended> => {
    const ended = await project.stackyard("runtime", ...args);
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.doesNotMatch(ended.stdout + ended.stderr, /1Sy!|s3cret/);
    return ended;
  };
  const there = () => [[...server.databases.keys()].sort(), [...server.users.keys()].sort()];
  const NOTHING = [["default"], ["admin"]];

  it("create it by name, show it without its password, release it and take it back", async () => {
    const refused = await project.stackyard("runtime", "up", "acme", "--version", "1", "--clickhouse", "mian");
    assert.match(refused.stderr, /found clickhouse provisioner "mian"; expected one of main; did you mean main\?/);
    assert.deepEqual([await project.stacks(), there()], [[], NOTHING]);

    await runtime("up", "acme", "--version", "1", "--clickhouse", "main");
    assert.match(
      (await runtime("status", "acme")).stdout,
      /clickhouse +database rill_acme on 127\.0\.0\.1:\d+ \(main\)/,
    );
    const [listed] = JSON.parse((await runtime("list", "-o", "json")).stdout) as { clickhouse: object }[];
    assert.deepEqual(
      { ...listed?.clickhouse, port: 0 },
      {
        ...{ provisioner: "main", host: "127.0.0.1", port: 0 },
        ...{ database: "rill_acme", user: "rill_acme", access: true },
      },
    );
    assert.match((await runtime("up", "acme")).stderr, /acme is ready, nothing changed/);

    const table = server.databases.get("rill_acme");
    await runtime("hibernate", "acme");
    await runtime("up", "acme", "--clickhouse", "none");
    assert.match((await runtime("status", "acme")).stdout, /without a user/);
    assert.deepEqual(there(), [["default", "rill_acme"], ["admin"]]);
    await runtime("wake", "acme");
    const file = path.join(project.folder, "runtimes.yaml");
    writeFileSync(file, "acme: { resources: { clickhouse: { passwordVersion: 2 } } }\n");
    await runtime("up", "-f", file);
    assert.equal(server.databases.get("rill_acme"), table);
    assert.ok(server.users.has("rill_acme"));
    await runtime("destroy", "acme", "--yes");
    assert.deepEqual(there(), NOTHING);
  });

  it("keep it when an older state of a runtime with slots is destroyed", async () => {
    await runtime("up", "acme", "--version", "1", "--clickhouse", "main");
    const older = (await project.pulumi("stack", "export", "-s", "acme")).stdout;
    await runtime("up", "acme", "--slots", "2");
    const newest = (await project.pulumi("stack", "export", "-s", "acme")).stdout;
    await project.importState("acme", older);
    const { code, stdout, stderr } = await project.pulumi("destroy", "-s", "acme", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /allocation \S+\/acme has generation 2, and the state of stack \S+ in .* is older/);
    assert.deepEqual(there(), [
      ["default", "rill_acme"],
      ["admin", "rill_acme"],
    ]);
    await project.importState("acme", newest);
    await runtime("destroy", "acme", "--yes");
    assert.deepEqual(there(), NOTHING);
  });

  for (const change of [
    ["--slots", "2"],
    ["--clickhouse", "none"],
  ]) {
    it(`keep it when a copy of the state in another backend is destroyed after ${change.join(" ")}`, async () => {
      await runtime("up", "acme", "--version", "1", "--clickhouse", "main");
      const copy = (await project.pulumi("stack", "export", "-s", "acme", "--show-secrets")).stdout;
      await runtime("up", "acme", ...change);
      const [before, comment] = [there(), server.databases.get("rill_acme")?.comment];
      const other = project.within({ PULUMI_BACKEND_URL: `file://${mkdtempSync(path.join(project.folder, "copy-"))}` });
      assert.equal((await other.pulumi("stack", "init", "acme", "--no-select")).code, 0);
      await other.importState("acme", copy);
      const { code, stdout, stderr } = await other.pulumi("destroy", "-s", "acme", "--yes", "--skip-preview");
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout + stderr, /database rill_acme on \S+ stays.*belongs to/);
      assert.deepEqual([there(), server.databases.get("rill_acme")?.comment], [before, comment]);
      await runtime("destroy", "acme", "--yes");
      assert.deepEqual(there(), NOTHING);
    });
  }

  const SPEC = "stackyard:clickhouse.main.spec";
  const platform = (verb: string, ...args: string[]): Promise<Ended> => project.hand(verb, "-s", "here", ...args);

  it("keep its provisioner on a plain pulumi up and remove it when allowed by name", async () => {
    await runtime("up", "acme", "--version", "1", "--clickhouse", "main");
    const file = path.join(project.folder, "Pulumi.here.yaml");
    const before = readFileSync(file, "utf8");
    const at = ["-s", "here", "--path"];
    await project.must("pulumi", "config", "rm", ...at, "stackyard:clickhouse");
    for (const verb of ["preview", "up"]) {
      const { code, stdout, stderr } = await platform(verb, ...(verb === "up" ? ["--yes", "--skip-preview"] : []));
      assert.notEqual(code, 0);
      assert.match(stdout + stderr, /stackyard:clickhouse\.main had 1 deployment: acme/);
      assert.match(stdout + stderr, /'stackyard:allowRemoval\[0\]' clickhouse\.main/);
    }
    const destroyed = await platform("destroy", "--yes", "--skip-preview");
    assert.match(
      destroyed.stdout + destroyed.stderr,
      /clickhouse provisioner main cannot be removed while it has 1 deployment: acme/,
    );
    await project.must("pulumi", "config", "set", ...at, "stackyard:allowRemoval[0]", "clickhouse.main");
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    writeFileSync(file, before);
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    assert.match((await runtime("up", "acme")).stderr, /acme is ready, nothing changed/);
  });

  it("list its runtime as outdated after a change of its provisioner until a rollout", async () => {
    const outdated = async () => (await runtime("list", "--outdated", "-o", "id")).stdout.trim();
    assert.equal(await outdated(), "");
    await project.must("pulumi", "config", "set", "-s", "here", "--path", `${SPEC}.sources[0]`, "URL");
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    assert.equal(await outdated(), "acme");
    assert.match((await runtime("status", "acme")).stdout, /outdated/);
    await runtime("up", "--outdated", "--yes");
    assert.equal(await outdated(), "");
    assert.ok(!server.users.get("rill_acme")?.rights.has("S3 ON *.*"));
    await runtime("destroy", "acme", "--yes");
    assert.deepEqual(there(), NOTHING);
  });

  const killed = async (id: string, statement: RegExp): Promise<void> => {
    server.waiting = 0;
    server.unanswered = statement;
    const command = ["runtime", "up", id, "--version", "1", "--clickhouse", "default"] as const;
    await killWhen(project, command, "the statement is carried out", () => Promise.resolve(server.waiting > 0));
    server.unanswered = undefined;
    assert.ok(server.databases.has(`rill_${id}`));
  };

  it("reuse a database that a killed up was creating", async () => {
    await killed("first", /^CREATE DATABASE IF NOT EXISTS/);
    await runtime("up", "first", "--version", "1", "--clickhouse", "default");
    assert.ok(server.users.has("rill_first"));
    await runtime("destroy", "first", "--yes");
    assert.deepEqual(there(), NOTHING);
  });

  it("drop a database that a killed up was creating, with its user", async () => {
    await killed("second", /^CREATE USER/);
    assert.match((await runtime("destroy", "second", "--yes")).stderr, /second is gone/);
    assert.deepEqual(there(), NOTHING);
  });
});
