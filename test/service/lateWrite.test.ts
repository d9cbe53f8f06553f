import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { signalAll } from "../../engine/process/processTree";
import { holdLedger, until, waitsForLedger } from "../engine/cli/held";
import { MARK, processesOf } from "../engine/soak/harm";
import { CONTAINER, hasContainers, pidsOf, remaining } from "./processes";
import { TestService } from "./service";

describe("the engine of a container that was frozen for longer than the lease of its operation", function () {
  const run = randomBytes(3).toString("hex");
  const [frozen, next] = [`${run}-frozen-`, `${run}-next-`];
  let service: TestService;

  before(async function () {
    this.timeout(180_000);
    if (!hasContainers()) this.skip();
    service = await TestService.start({
      defaultProvisioner: "pool",
      provisioners: { pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 40 }] } } },
    });
  });
  after(async () => {
    for (const { child } of service.hosts) child.kill("SIGKILL");
    await service.remove();
    await until("no process remains", () => Promise.resolve(remaining(run).length === 0));
  });

  const host = (mark: string) => service.host({ HOST_WORKERS: "1", HOST_LEASE_MS: "9000", [MARK]: mark }, CONTAINER);
  /** Process ids of the connections of engines to the state. */
  async function connections(what: string, ...values: readonly unknown[]): Promise<number[]> {
    const text = `select pid from pg_stat_activity where application_name like 'stackyard-engine-%' and ${what}`;
    return (await service.place.pool.query<{ pid: number }>(text, [...values])).rows.map(({ pid }) => pid);
  }

  it("can't write a state after another one has continued the operation", async () => {
    const { pool } = service.place;
    await host(frozen);
    const release = await holdLedger(service.project.place);
    const other = await pool.connect();
    try {
      const operation = await service.ask("acme", "provision", { deployment: { version: "1", slots: 1 } });
      await until("it waits for the ledger", () => waitsForLedger(service.project.place));
      await other.query("begin");
      await other.query("lock table pulumi_state in exclusive mode");
      await release();
      let writing: number[] = [];
      await until("it writes its state", async () => {
        writing = await connections("wait_event_type = 'Lock'");
        return writing.length > 0;
      });
      for (const { pid } of processesOf(frozen)) signalAll([pid], "SIGSTOP");
      // As the server does with a machine that is cut off.
      await pool.query("select pg_terminate_backend(pid) from unnest($1::int[]) pid", [writing]);
      await other.query("rollback");
      await host(next);
      const { state, error, attempts } = await service.end(operation);
      assert.deepEqual([state, error, attempts], ["succeeded", null, 2]);

      const content = async () =>
        (await pool.query<object>("select updated_at, data from pulumi_state where key like '%/stacks/%/acme.json'"))
          .rows;
      const written = await content();
      assert.equal(written.length, 1);
      const [now] = (await pool.query<{ now: Date }>("select now()")).rows;
      // Its keepers, which would end it, are still frozen.
      signalAll(pidsOf(frozen, "engine"), "SIGCONT");
      const tried = "query like 'INSERT%' and state = 'idle' and query_start > $1";
      await until("it tries to write", async () => (await connections(tried, now?.now)).length > 0);
      assert.deepEqual(await content(), written);
    } finally {
      other.release();
      await release();
    }
  });
});
