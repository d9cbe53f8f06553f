import assert from "node:assert/strict";
import { makeWorkerUtils } from "graphile-worker";
import { signalAll } from "../../engine/process/processTree";
import { Queue } from "../../service/workers/queue";
import { queueLog } from "../../service/workers/queue";
import { serverPids, startServers } from "../engine/cli/killed/servers";
import { until } from "../engine/cli/held";
import { testDatabase, type TestDatabase } from "./database";
import { patiently } from "./patience";

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe("the queue", function () {
  this.timeout(120_000);
  let place: TestDatabase;

  before(async () => {
    place = await testDatabase();
  });
  after(() => place.remove());

  it("continues after PostgreSQL is killed during a job and stays down longer than graphile-worker waits", async () => {
    const done: string[] = [];
    const add = async (name: string): Promise<void> => {
      const utils = await makeWorkerUtils({ pgPool: place.pool, logger: queueLog(SILENT) });
      await utils.addJob("work", { name });
      await utils.release();
    };
    const isAway = (): Promise<boolean> =>
      place.pool.query("select 1").then(
        () => false,
        () => true,
      );
    const work = async (payload: unknown): Promise<void> => {
      const { name } = payload as { name: string };
      done.push(name);
      if (name !== "first") return;
      signalAll(serverPids("postgres"), "SIGKILL");
      // Its backends end a moment after it: until then the end of this job could be written.
      await until("PostgreSQL is away", isAway);
    };
    const options = { pgPool: place.pool, noHandleSignals: true, pollInterval: 200, logger: queueLog(SILENT) };
    const queue = await Queue.start({ ...options, taskList: { work } }, SILENT);
    try {
      await add("first");
      await until("it has noticed", () => Promise.resolve(queue.trouble !== undefined));
      await startServers();
      await patiently(() => add("second"));
      await until("the second job is done", () => Promise.resolve(done.includes("second")));
      assert.equal(queue.trouble, undefined);
    } finally {
      await queue.stop();
    }
  });
});
