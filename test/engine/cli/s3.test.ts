import assert from "node:assert/strict";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";
import { testYard } from "../runtime/yard";
import { holdLedger, until, waitsForLedger } from "./held";
import { Project } from "./project";

describe("a state backend in S3", function () {
  let moto: MotoServer | undefined;
  let project: Project;

  before(async function () {
    // The first time moto is included.
    this.timeout(300_000);
    const place = await testYard();
    const started = await startMoto();
    if ("missing" in started) return this.skip();
    moto = started;
    await fetch(`${moto.address}/states`, { method: "PUT" });
    const { host } = new URL(moto.address);
    const backend = `s3://states/team?region=eu-central-1&endpoint=${host}&disableSSL=true&s3ForcePathStyle=true`;
    const credentials = { AWS_ACCESS_KEY_ID: "double", AWS_SECRET_ACCESS_KEY: "double" };
    project = new Project({ ...place, env: { ...place.env, ...credentials, PULUMI_BACKEND_URL: backend } });
    await project.platform({
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: "http://s3.localhost", slots: 4 }] } } },
      defaultProvisioner: "pool",
    });
  });
  after(async () => {
    if (moto === undefined) return;
    await project.remove();
    await moto.stop();
  });

  it("keeps no stack of a rejected request", async () => {
    const { code, stderr } = await project.stackyard("runtime", "up", "toolarge", "--version", "v1", "--slots", "200");
    assert.equal(code, 1, stderr);
    assert.deepEqual(await project.stacks(), []);
    assert.equal(project.hasStackFile("toolarge"), false);
  });

  it("reports a missing bucket with advice and without the settings of its URL", async () => {
    const elsewhere = project.place.env["PULUMI_BACKEND_URL"]?.replace("states/team", "nowhere/team") ?? "";
    const env = { ...project.place.env, PULUMI_BACKEND_URL: elsewhere };
    const other = Object.create(project, { place: { value: { ...project.place, env } } }) as Project;
    for (const command of [["list"], ["status", "acme"]]) {
      const { code, stderr } = await other.stackyard("runtime", ...command);
      assert.equal(code, 1, stderr);
      assert.match(
        stderr,
        /error: the state backend s3:\/\/nowhere\/team cannot be read: [^]*NoSuchBucket[^]*; check PULUMI_BACKEND_URL and the credentials for it$/m,
      );
    }
  });

  it("creates, lists, shows and destroys runtimes", async () => {
    await project.runtime("up", "acme", "--version", "v1", "--slots", "2");
    assert.match((await project.runtime("status", "acme")).stdout, /^acme is running$[^]*^ {2}slots +2$/m);
    const { stdout } = await project.runtime("list", "--json");
    assert.deepEqual(
      (JSON.parse(stdout) as { id: string; version: string }[]).map(({ id, version }) => [id, version]),
      [["acme", "v1"]],
    );
    await project.runtime("destroy", "acme", "--yes");
    assert.deepEqual(await project.stacks(), []);
  });

  it("does not remove the stack of a concurrent update", async () => {
    const release = await holdLedger(project.place);
    const first = project.start("runtime", "up", "busy", "--version", "v1");
    try {
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      const refused = await project.stackyard("runtime", "destroy", "busy", "--yes");
      assert.equal(refused.code, 1, refused.stderr);
      assert.match(refused.stderr, /another process is working on this stack: pid \d+ /);
    } finally {
      await release();
    }
    assert.equal((await first.ended).code, 0);
    await project.runtime("destroy", "busy", "--yes");
  });
});
