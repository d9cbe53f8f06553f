import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { projectRoot } from "../../../toolchain/root";
import { testYard } from "../runtime/yard";
import { Project, type Ended } from "./project";

const STACKYARD = path.join(projectRoot(), "cli", "bin", "stackyard");
const HOST = `http://owners-${process.pid}.example.com:9091`;

describe("slots and a pool of a stack in another state backend", () => {
  let project: Project;

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env } });
    await project.platform({
      defaultProvisioner: "shared",
      provisioners: { shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } } },
    });
    await project.runtime("up", "acme", "--version", "1", "--slots", "2");
  });
  after(() => project.remove());

  const ledger = async (text: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: project.place.ledgerUrl });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  };
  const slots = () => ledger("SELECT slots, owner FROM stackyard.allocations WHERE deployment = 'acme'");
  const move = (table: string, where: string) =>
    ledger(`UPDATE stackyard.${table} SET owner = 'other', backend = 's3://elsewhere' WHERE ${where}`);
  const refused = async (ended: Promise<Ended>): Promise<string> => {
    const { code, stdout, stderr } = await ended;
    assert.notEqual(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const BELONGS = /belongs to stack stackyard-runtime\/acme in s3:\/\/elsewhere, which last changed it at 20/;

  it("record the backend from the project's files, whatever the working folder is", async () => {
    const owners = () => ledger("SELECT backend FROM stackyard.allocations WHERE deployment = 'acme'");
    const before = await owners();
    const { PULUMI_BACKEND_URL: url, ...env } = project.place.env;
    const files = ["Pulumi.yaml", path.join("runtime", "Pulumi.yaml")].map((name) => path.join(project.folder, name));
    const texts = files.map((file) => readFileSync(file, "utf8"));
    const elsewhere = mkdtempSync(path.join(tmpdir(), "stackyard-elsewhere-"));
    try {
      for (const file of files) appendFileSync(file, `backend: { url: "${url}" }\n`);
      await promisify(execFile)(STACKYARD, ["runtime", "up", "acme", "--slots", "3"], {
        cwd: elsewhere,
        env: { ...env, STACKYARD_PROJECT: project.folder, STACKYARD_PLATFORM: "here" },
      });
    } finally {
      files.forEach((file, index) => writeFileSync(file, texts[index] ?? ""));
      rmSync(elsewhere, { recursive: true });
    }
    assert.deepEqual(await owners(), before);
    await project.runtime("up", "acme", "--slots", "2");
  });

  it("are not changed by an update or its preview, which names the owner", async () => {
    await move("allocations", "deployment = 'acme'");
    const before = await slots();
    assert.match(await refused(project.stackyard("runtime", "preview", "acme", "--slots", "3")), BELONGS);
    assert.match(await refused(project.stackyard("runtime", "up", "acme", "--slots", "3")), BELONGS);
    assert.match(await refused(project.stackyard("runtime", "up", "acme")), BELONGS);
    assert.deepEqual(await slots(), before);
  });

  it("are listed as orphans and adopted in place by a stack with other slots in its state", async () => {
    assert.match(
      (await project.runtime("list", "--orphans")).stdout,
      /acme .*2 slots of pool here\/shared .*elsewhere/,
    );
    const { stderr } = await project.runtime("adopt", "acme", "--version", "1", "--yes");
    assert.match(stderr, /acme is adopted/);
    assert.equal((await project.runtime("list", "--orphans")).stdout.trim(), "no orphans");
    assert.match((await project.runtime("up", "acme")).stderr, /nothing changed/);
    await move("allocations", "deployment = 'acme'");
  });

  it("are left alone by destroy, which does not report them as gone", async () => {
    const before = await slots();
    const { stdout, stderr } = await project.stackyard("runtime", "destroy", "acme", "--yes");
    assert.doesNotMatch(stderr, /acme is gone$/m);
    assert.match(
      stdout + stderr,
      /left allocation here\/shared\/acme alone: it belongs to stack stackyard-runtime\/acme/,
    );
    assert.deepEqual(await slots(), before);
  });

  it("are adopted after a confirmation and removed only after the adoption", async () => {
    assert.match(await refused(project.stackyard("runtime", "remove-orphan", "acme", "--yes")), /adopt acme/);
    assert.match(
      await refused(project.stackyard("runtime", "adopt", "acme", "--version", "1")),
      /of stack stackyard-runtime\/acme in s3:\/\/elsewhere[^]*Take over acme\?[^]*pass --yes/,
    );
    await project.runtime("adopt", "acme", "--version", "1", "--yes");
    await project.runtime("up", "acme", "--slots", "3");
    await project.runtime("destroy", "acme", "--yes");
    assert.deepEqual(await slots(), []);
  });

  it("are not changed by a platform until it adopts the pool", async () => {
    await move("pools", "pool = 'here/shared'");
    const key = "stackyard:provisioners.shared.spec.runtimes[0].slots";
    const set = ["config", "set", "--stack", "here", "--path", key, "11", "--non-interactive"];
    await project.must("pulumi", ...set);
    const up = ["up", "--stack", "here", "--yes", "--skip-preview", "--non-interactive"];
    assert.match(
      await refused(project.hand("preview", "--stack", "here")),
      /pool here\/shared belongs to stack stackyard\/here in s3:\/\/elsewhere[^]*stackyard provisioners adopt shared --stack here/,
    );
    // As in the yard, whose ledger no stack file names.
    const config = ["config", "--stack", "here", "--non-interactive"];
    await project.must("pulumi", ...config, "rm", "stackyard:ledger");
    mkdirSync(path.join(project.folder, ".yard"));
    writeFileSync(path.join(project.folder, ".yard", "ledger-url"), `${project.place.ledgerUrl}\n`);
    const { stderr } = await project.stackyard("provisioners", "adopt", "shared", "--stack", "here", "--yes");
    assert.match(stderr, /belongs to stack stackyard\/here in s3[^]*12 slots[^]*is offered/);
    await project.must("pulumi", ...config, "set", "--secret", "stackyard:ledger", project.place.ledgerUrl);
    await project.must("pulumi", ...up);
    assert.deepEqual(await ledger(`SELECT slots FROM stackyard.hosts WHERE host = '${HOST}'`), [{ slots: 11 }]);
  });
});
