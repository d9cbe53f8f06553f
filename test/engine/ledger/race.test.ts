import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { allocate } from "../../../provider/ledger/allocations";
import { closeLedgers } from "../../../provider/ledger/database";
import { readUsage } from "../../../provider/ledger/usage";
import { claim, Stacks } from "./claims";
import { run, startPostgres } from "./postgres";
import type { TestServer } from "./postgres";
import { startWorkers } from "./processes";
import type { Answer, Worker } from "./processes";

const POOL = "test/shared";
const hosts = Array.from({ length: 5 }, (_, i) => ({
  host: `http://runtime-${i}`,
  slots: 8,
  dataDir: "/data",
  audienceUrl: `http://runtime-${i}`,
  weight: 1,
  drain: false,
}));

/** What is taken, summed up from the rows themselves, and as the hosts count it. */
async function taken(url: string): Promise<{ rows: number; counted: number; overfull: number }> {
  const [sums] = await run(
    url,
    `SELECT (SELECT coalesce(sum(slots), 0)::int FROM stackyard.allocations) AS rows,
            (SELECT sum(used)::int FROM stackyard.hosts) AS counted,
            (SELECT count(*)::int FROM stackyard.hosts h
              WHERE used > slots OR used <> (SELECT coalesce(sum(a.slots), 0) FROM stackyard.allocations a
                                              WHERE a.host = h.host)) AS overfull`,
  );
  return sums as { rows: number; counted: number; overfull: number };
}

describe("a pool of 40 slots and 50 processes that each want one", () => {
  let server: TestServer;
  let url: string;

  before(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    url = await server.database();
    await new Stacks(() => url).register(POOL, hosts);
  });
  after(async () => {
    await closeLedgers();
    await server.stop();
  });

  it("gives slots to exactly 40 of them and reports free slots to the others", async () => {
    const workers = await startWorkers(url, POOL, 50);
    for (const worker of workers) worker.go();
    const answers = await Promise.all(workers.map((worker) => worker.answer()));

    assert.equal(answers.filter((answer) => answer?.host !== undefined).length, 40);
    const refused = answers.filter((answer) => answer?.error !== undefined);
    assert.equal(refused.length, 10);
    for (const answer of refused) {
      assert.match(answer?.error ?? "", /no host with room for 1 slot for deployment deployment-\d+/);
      assert.match(answer?.error ?? "", /http:\/\/runtime-4 0 of 8/);
    }
    assert.deepEqual(await taken(url), { rows: 40, counted: 40, overfull: 0 });
    const [pool] = await readUsage(url, POOL);
    assert.deepEqual(
      pool?.hosts.map((host) => [host.used, host.free, host.deployments.length]),
      Array(5).fill([8, 0, 8]),
    );
  });

  it("keeps its count when processes are killed midway and returns their slots on the next request", async () => {
    const workers = await startWorkers(url, POOL, 50);
    const doomed = workers.slice(0, 10);
    for (const worker of workers) worker.go();
    for (const worker of doomed) {
      await sleep(Math.random() * 8);
      worker.kill();
    }
    const answers = await Promise.all(workers.map((worker) => worker.answer()));
    await everyoneKeepsTheirHost(workers, answers);
  });

  it("keeps its count when processes are killed while their statements wait in the server", async () => {
    const workers = await startWorkers(url, POOL, 50);
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM stackyard.hosts FOR UPDATE");
    for (const worker of workers) worker.go();
    const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity
                      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const deadline = Date.now() + 60_000;
    while ((await run(url, waiting))[0]?.["count"] !== 50) {
      assert.ok(Date.now() < deadline, "they do not come to wait");
      await sleep(20);
    }
    for (const worker of workers.slice(0, 20)) worker.kill();
    await holder.query("COMMIT");
    await holder.end();
    const answers = await Promise.all(workers.map((worker) => worker.answer()));
    assert.ok(answers.slice(0, 20).every((answer) => answer === undefined));
    // Nobody informs the server that a client died: it carries out what was asked, and the answer gets lost.
    const { rows, counted, overfull } = await taken(url);
    assert.ok(rows <= 40 && rows === counted && overfull === 0, `${rows} taken, ${counted} counted`);
    const heard = answers.filter((answer) => answer?.host !== undefined).length;
    assert.equal(heard, Math.min(30, heard + 40 - rows), "somebody was refused although there was room");

    // When those who died ask again, they find what they have, and the rest goes to the first who come.
    for (const worker of workers.slice(0, 20)) {
      await again(worker.deployment).catch(() => undefined);
    }
    await everyoneKeepsTheirHost(workers, answers);
  });

  /** As the engine asks for what an interrupted update has begun. */
  const again = (deployment: string) =>
    allocate(url, { pool: POOL, deployment, slots: 1, claimant: claim(deployment, { interrupted: true }) });

  async function everyoneKeepsTheirHost(workers: readonly Worker[], answers: readonly (Answer | undefined)[]) {
    assert.deepEqual(await taken(url), { rows: 40, counted: 40, overfull: 0 });

    // Anyone who has a row has its host for good, heard or unheard.
    const rows = (await run(url, "SELECT deployment, host FROM stackyard.allocations")) as {
      deployment: string;
      host: string;
    }[];
    for (const [index, answer] of answers.entries()) {
      const row = rows.find((one) => one.deployment === workers[index]?.deployment);
      if (answer?.host !== undefined) assert.equal(row?.host, answer.host);
    }
    for (const { deployment, host } of rows) {
      assert.equal((await again(deployment)).host, host);
    }
    assert.deepEqual(await taken(url), { rows: 40, counted: 40, overfull: 0 });
  }
});
