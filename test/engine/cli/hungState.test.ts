import assert from "node:assert/strict";
import { descendantsOf, signalAll } from "../../../engine/process/processTree";
import { startOwn, type OwnServer } from "../ledger/postgres";
import { testYard } from "../runtime/yard";
import { holdLedger, until, waitsForLedger } from "./held";
import { Project, type Started } from "./project";

describe("a state database that hangs during an update", () => {
  let server: OwnServer;
  let project: Project;

  before(async () => {
    const place = await testYard();
    server = await startOwn();
    project = new Project({ ...place, env: { ...place.env, PULUMI_BACKEND_URL: `${server.url}?sslmode=disable` } });
    await project.platform({
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: "http://hung.localhost", slots: 8 }] } } },
      defaultProvisioner: "pool",
    });
  });
  after(async () => {
    await project.remove();
    await server.stop();
  });

  const signal = (name: NodeJS.Signals): void => {
    signalAll([server.pid, ...descendantsOf(server.pid)], name);
  };
  const SILENT = /the state database 127\.0\.0\.1:\d+\/postgres has not answered since \d{4}-\S+Z: /;
  const AGAIN = /the state database 127\.0\.0\.1:\d+\/postgres answers again, after \d+/;

  /** Hangs the server as soon as an update has begun, and until the command has said so and something else was done. */
  async function hungDuring(args: readonly string[], meanwhile?: (started: Started) => void): Promise<Started> {
    const release = await holdLedger(project.place);
    const started = project.start("runtime", ...args);
    try {
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      signal("SIGSTOP");
    } finally {
      await release();
    }
    try {
      await until("it says that the state does not answer", () => Promise.resolve(SILENT.test(started.said())));
      meanwhile?.(started);
      if (meanwhile) await started.ended;
    } finally {
      signal("SIGCONT");
    }
    return started;
  }

  it("is reported, and the update continues once it answers again", async () => {
    const { code, stderr } = await (await hungDuring(["up", "acme", "--version", "1", "--slots", "2"])).ended;
    assert.equal(code, 0, stderr);
    assert.match(stderr, AGAIN);
    assert.match(stderr, /acme is ready/);
    assert.match((await project.runtime("up", "acme")).stderr, /nothing changed/);
  });

  it("does not block Ctrl-C, and the same command continues later", async () => {
    const args = ["up", "acme", "--slots", "3"];
    const { code, stderr } = await (await hungDuring(args, ({ pid }) => process.kill(pid, "SIGINT"))).ended;
    assert.equal(code, 130, stderr);
    const again = await project.runtime(...args);
    assert.match(again.stderr, /acme is ready/);
  });

  it("is reported only once for many runtimes", async () => {
    const { code, stderr } = await (await hungDuring(["hibernate", "--all", "--yes"])).ended;
    assert.equal(code, 0, stderr);
    assert.equal(stderr.match(new RegExp(SILENT, "g"))?.length, 1, stderr);
    assert.match(stderr, AGAIN);
  });
});
