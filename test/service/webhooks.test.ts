import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { run, type Runner } from "graphile-worker";
import { v7 } from "uuid";
import { Drift } from "../../service/drift/drift";
import type { ProvisionerCapacity } from "../../service/capacity/capacity";
import { watchCapacity } from "../../service/watch/watch";
import { noticePage } from "../../service/watch/notices";
import { Webhooks } from "../../service/webhooks/webhooks";
import { isSigned } from "../tools/isSigned";
import type { PlannedChange } from "../../engine/update/planned";
import { until } from "../engine/cli/held";
import { RequestOf } from "../../service/database/sealing/requests";
import { extrasOf } from "../../service/extras";
import { connect } from "../../service/database/serviceDatabase";
import { addJob } from "../../service/operations/queue";
import type { WorkerSettings } from "../../service/workers/settings";
import { startWorkers } from "../../service/workers/workers";
import { projectRoot } from "../../toolchain/root";
import { testDatabase, type TestDatabase } from "./database";

const NO_OPERATIONS = {
  request: () => assert.fail("it asks for nothing"),
  requestIn: () => assert.fail("it asks for nothing"),
};
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe("the background work of the service", () => {
  let place: TestDatabase;
  let receiver: Server;
  let queue: Runner | undefined;
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  let answers: number[] = [];

  before(async () => {
    place = await testDatabase();
    receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        heard.push({ headers: request.headers, body });
        response.writeHead(answers.shift() ?? 204).end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  after(async () => {
    await queue?.stop();
    receiver.close();
    await place.remove();
  });

  const deployment = async (id: string, more: object = {}): Promise<void> => {
    await place.database
      .insertInto("deployment")
      .values({
        id,
        name: id,
        tenant: "red",
        desiredConfig: new RequestOf({ tenant: "red", deployment: id }, { platform: "p", deployment: {} }),
        desiredState: "running",
        ...more,
      })
      .execute();
  };
  const operation = async (deploymentId: string) => {
    const values = { id: v7(), deploymentId, tenant: "red", kind: "update" as const, revision: 1, message: "done" };
    return place.database
      .insertInto("operation")
      .values({ ...values, requestedBy: "ann", state: "succeeded" })
      .returningAll()
      .executeTakeFirstOrThrow();
  };

  it("reports the end of an operation with a signature until the receiver accepts it", async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const webhooks = new Webhooks({ url, secret: "key", firstMs: 100 }, place.database, log);
    queue = await run({
      pgPool: place.pool,
      taskList: { ...webhooks.deliveries },
      noHandleSignals: true,
      pollInterval: 200,
    });
    answers = [500, 302];
    await deployment("ended");
    const row = await operation("ended");
    await place.database.transaction().execute((transaction) => webhooks.onEnd(transaction, row));
    const delivery = () =>
      place.database
        .selectFrom("webhookDelivery")
        .selectAll()
        .where("operationId", "=", row.id)
        .executeTakeFirstOrThrow();
    await until("it is delivered", async () => (await delivery()).state === "delivered");
    assert.equal((await delivery()).attempts, 3);
    assert.equal(heard.length, 3);
    for (const { headers, body } of heard) {
      assert.ok(isSigned(String(headers["stackyard-signature"]), body, "key", Date.now() / 1000));
      assert.deepEqual([JSON.parse(body).type, JSON.parse(body).operation.id], ["operation.ended", row.id]);
    }
  });

  it("reports each notice in the same way", async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const webhooks = new Webhooks({ url, secret: "key", firstMs: 100 }, place.database, log);
    const full = (used: number): ProvisionerCapacity => ({
      platform: "p",
      name: "pool",
      type: "static",
      isDefault: true,
      environments: [],
      runtimes: 1,
      slotsTotal: 10,
      slotsUsed: used,
      hosts: [{ host: "http://h", slots: 10, used, free: 10 - used, drain: false }],
      warnings: [],
    });
    const before = heard.length;
    answers = [500];
    for (const used of [5, 7, 7, 8, 9, 2]) {
      await watchCapacity(place.database, [full(used)], (transaction, row) => webhooks.onNotice(transaction, row));
    }
    const deliveries = () => place.database.selectFrom("noticeDelivery").selectAll().execute();
    await until("they are delivered", async () => (await deliveries()).every(({ state }) => state === "delivered"));
    assert.equal(heard.length - before, 4);
    const texts = new Map<string, string>();
    for (const { headers, body } of heard.slice(before)) {
      assert.ok(isSigned(String(headers["stackyard-signature"]), body, "key", Date.now() / 1000));
      const { type, notice } = JSON.parse(body) as { type: string; notice: Record<string, string> };
      assert.equal(type, "notice");
      assert.equal(headers["stackyard-notice"], notice["id"]);
      assert.deepEqual([notice["subject"], notice["tenant"]], ["p/pool", null]);
      texts.set(notice["id"] ?? "", `${notice["level"]} ${notice["text"]?.slice(0, 12)}`);
    }
    assert.deepEqual(
      [...texts].sort(([a], [b]) => Number(a) - Number(b)).map(([, text]) => text),
      ["warning every host i", "warning 80 % of its ", "info it has room"],
    );
  });

  it("sends a message again after its process was killed midway", async () => {
    await queue?.stop();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const webhooks = new Webhooks({ url, secret: "key" }, place.database, log);
    await deployment("killed");
    const rows = await Promise.all([operation("killed"), operation("killed")]);
    for (const row of rows) {
      await place.database.transaction().execute((transaction) => webhooks.onEnd(transaction, row));
    }
    // One process has been gone for a while, another has just begun.
    for (const [at, age] of ["2 minutes", "2 seconds"].entries()) {
      const { rowCount } = await place.pool.query(
        "update graphile_worker._private_jobs set locked_by = 'gone', locked_at = now() - $1::interval where key = $2",
        [age, `webhook:${rows[at]?.id}`],
      );
      assert.equal(rowCount, 1);
    }
    await Promise.all(Object.values(webhooks.tasks).map((look) => look()));
    const before = heard.length;
    queue = await run({
      pgPool: place.pool,
      taskList: { ...webhooks.deliveries },
      noHandleSignals: true,
      pollInterval: 200,
    });
    const states = async () => {
      const found = await place.database.selectFrom("webhookDelivery").select(["operationId", "state"]).execute();
      return rows.map(({ id }) => found.find(({ operationId }) => operationId === id)?.state);
    };
    await until("it is delivered", async () => (await states())[0] === "delivered");
    assert.deepEqual(await states(), ["delivered", "pending"]);
    assert.equal(heard.length - before, 1);
    await place.pool.query("delete from graphile_worker._private_jobs");
  });

  it("continues other tasks while a receiver does not answer", async () => {
    await deployment("silent");
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const connection = connect({ connectionString: place.url });
    const { port } = silent.address() as AddressInfo;
    const webhooks = new Webhooks({ url: `http://127.0.0.1:${port}/`, secret: "key" }, place.database, log);
    let done = false;
    const settings: WorkerSettings = {
      ...{
        root: projectRoot(),
        backend: undefined,
        defaultPlatform: "p",
        count: 1,
        memoryMb: 600,
        maxAgeMs: 60_000,
        operationMs: 60_000,
      },
      ...{ stageMs: 60_000, drainMs: 100, takesUp: false },
    };
    await queue?.stop();
    queue = undefined;
    const extras = extrasOf(
      { webhook: { url: `http://127.0.0.1:${port}/`, secret: "key" } },
      { database: place.database, operations: NO_OPERATIONS, planner: () => assert.fail("it plans nothing"), log },
    );
    const tasks = { ...extras.tasks, other: () => Promise.resolve(void (done = true)) };
    const workers = await startWorkers(settings, connection, log, { ...extras, tasks });
    try {
      for (let number = 0; number < 8; number += 1) {
        const row = await operation("silent");
        await place.database.transaction().execute((transaction) => webhooks.onEnd(transaction, row));
      }
      await addJob(place.database, "other", "x");
      await until("the other task is done", () => Promise.resolve(done));
    } finally {
      silent.closeAllConnections();
      silent.close();
      await place.pool.query("delete from graphile_worker._private_jobs");
      await workers.drain();
      await connection.close();
    }
  });

  it("gives up on a message that no receiver accepts", async () => {
    const webhooks = new Webhooks(
      { url: "http://127.0.0.1:9/", secret: "key", firstMs: 20, attempts: 2 },
      place.database,
      log,
    );
    await queue?.stop();
    queue = await run({
      pgPool: place.pool,
      taskList: { ...webhooks.deliveries },
      noHandleSignals: true,
      pollInterval: 100,
    });
    const row = await operation("ended");
    await place.database.transaction().execute((transaction) => webhooks.onEnd(transaction, row));
    await until("it is given up", async () => {
      const [found] = await place.database
        .selectFrom("webhookDelivery")
        .selectAll()
        .where("operationId", "=", row.id)
        .execute();
      return (
        found?.state === "failed" &&
        found.attempts === 2 &&
        /^http:.*:9 can't be reached: .*ECONNREFUSED/.test(found.error ?? "")
      );
    });
  });

  it("compares each deployment with its cluster at its own time of the day", async () => {
    const asked: object[] = [];
    const noticedRows: string[] = [];
    let isRestored = false;
    const change: PlannedChange = { action: "update", type: "ManifestSet", name: "a", urn: "urn", properties: [] };
    const day = 86_400_000;
    const watch = new Drift({
      settings: { everyMs: day, repairs: true },
      database: place.database,
      operations: {
        request: async (request, caller) => {
          asked.push({ ...request, actor: caller.actor });
          return operation("differs");
        },
      },
      planner: () => ({
        plan: ({ deployment: id, kind }) =>
          Promise.resolve({
            deployment: id,
            kind,
            changes: id === "differs" && !isRestored ? [change] : [],
            notes: [],
          }),
      }),
      log,
      hear: (_transaction, { subject }) => Promise.resolve(void noticedRows.push(subject)),
    });
    const old = { provisioner: "pool", createdAt: new Date(Date.now() - 2 * day) };
    await deployment("differs", old);
    await deployment("same", old);
    await deployment("gone", { ...old, deletedAt: new Date() });
    const due = async (): Promise<string[]> => {
      await place.pool.query(
        "select graphile_worker.remove_job(key) from graphile_worker.jobs where task_identifier = 'drift'",
      );
      await watch.schedule();
      const { rows } = await place.pool.query<{ key: string }>(
        "select key from graphile_worker.jobs where task_identifier = 'drift'",
      );
      return rows.map(({ key }) => key).sort();
    };
    assert.deepEqual(await due(), ["drift:differs", "drift:same"]);
    const [differs, same] = await Promise.all([watch.check("differs"), watch.check("same")]);
    assert.deepEqual(differs?.changes, { changes: [change] });
    assert.equal(same?.changes, null);
    // Recorded once, however often it is found.
    await watch.check("differs");
    const noticed = async () =>
      (await noticePage(place.database, { tenant: "red", filter: { kind: ["drift"] } })).nodes.map(
        ({ level, subject, text }) => [level, subject, text],
      );
    const drifted = ["warning", "differs", "1 change would restore its desired state"];
    assert.deepEqual(await noticed(), [drifted]);
    assert.deepEqual(noticedRows, [drifted[1]]);
    isRestored = true;
    await watch.check("differs");
    assert.deepEqual(await noticed(), [["info", "differs", "it matches its desired state again"], drifted]);
    assert.deepEqual(asked.slice(0, 1), [{ deployment: "differs", kind: "refresh", revision: 1, actor: "drift" }]);
    assert.deepEqual(await due(), []);
    // A hundred that were made at one moment do not come at one moment.
    for (let index = 0; index < 100; index++)
      await deployment(`many-${index}`, { provisioner: "pool", createdAt: new Date(Date.now() - day / 2) });
    const half = (await due()).length;
    assert.ok(half > 25 && half < 75, `${half} of 100 are due after half of the day`);
  });
});
