import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { signalAll } from "../../engine/process/processTree";
import { fateOf } from "../../foundation/process/identity";
import { Operations } from "../../service/operations";
import { finish } from "../../service/operations/run/finish";
import {
  acquireLease,
  LeaseLost,
  lockLeased,
  noteEngine,
  recordLeasedEvents,
  renew,
  type Lease,
} from "../../service/operations/run/lease";
import { Progress } from "../../service/operations/run/progress";
import { stagesWith } from "../../service/gardener/clusterStages";
import * as events from "../../service/database/queries/events";
import { byId } from "../../service/database/queries/operations";
import type { OperationRow } from "../../service/database/tables";
import { holdLedger, until, waitsForLedger } from "../engine/cli/held";
import { MARK } from "../engine/soak/harm";
import { testDatabase, type TestDatabase } from "./database";
import { CONTAINER, hasContainers, pidsOf, remaining, type Role } from "./processes";
import { CALLER, TestService } from "./service";

const LEASE_MS = 9_000;

describe("the lease of an operation", () => {
  let place: TestDatabase;
  before(async () => (place = await testDatabase()));
  after(() => place.remove());

  const options = (owner: string) => ({
    owner,
    leaseMs: 30_000,
    operationMs: 60_000,
    stagesFor: stagesWith(undefined),
    defaultPlatform: "organization/stackyard/here",
  });
  const take = async (id: string, owner: string): Promise<Lease> =>
    ((await acquireLease(place.database, id, options(owner))) ?? assert.fail(`${owner} did not get it`)).lease;
  const expire = (id: string) => place.pool.query("update operation set lease_until = now() where id = $1", [id]);
  const request = (name: string): Promise<OperationRow> =>
    new Operations({ database: place.database, defaultPlatform: "organization/stackyard/here" }).request(
      { deployment: name, kind: "provision", change: { deployment: { version: "1", slots: 1 } } },
      CALLER,
    );

  for (const [name, next] of [
    ["another process", "two"],
    ["the same process", "one"],
  ] as const) {
    it(`rejects every write of its former holder after ${name} took it`, async () => {
      const { id } = await request(`fenced-${next}`);
      const old = await take(id, "one");
      await expire(id);
      const held = await take(id, next);
      assert.equal(held.epoch, old.epoch + 1);
      const { database } = place;
      const progress = new Progress(database, old);
      const engine = { host: "here", pid: 7, at: Date.now() };
      const writes = {
        renew: () => renew(database, old, 30_000),
        lock: () => database.transaction().execute((transaction) => lockLeased(transaction, old)),
        engine: () => noteEngine(database, old, engine),
        enter: () => progress.enter(1, { name: "settle" }, 1_000),
        leave: () => progress.leave(1, undefined),
        later: () => progress.later(1, 0, { message: "again" }),
        finish: () =>
          finish(database, { state: "succeeded", message: "done", has: null }, { ...options("one"), lease: old }),
      };
      const before = await byId(database, undefined, id);
      for (const [what, write] of Object.entries(writes)) await assert.rejects(write(), LeaseLost, what);
      await recordLeasedEvents(database, old, [{ kind: "note", text: "from the past" }]);
      assert.deepEqual(await byId(database, undefined, id), before);

      await noteEngine(database, held, engine);
      await recordLeasedEvents(database, held, [
        { kind: "step", text: "first", data: { op: "create" } },
        { kind: "note", text: "second" },
      ]);
      const { nodes } = await events.eventPage(database, { operation: id });
      const texts = nodes.map(({ text }) => text);
      assert.ok(!texts.includes("from the past"));
      assert.deepEqual(texts.filter((text) => ["first", "second"].includes(text)).sort(), ["first", "second"]);
      assert.deepEqual((await byId(database, undefined, id))?.engines, [engine]);
    });
  }
});

describe("operations whose processes are stopped for longer than their lease", function () {
  const run = randomBytes(3).toString("hex");
  const marks = [`${run}-first-`, `${run}-second-`];
  let service: TestService;

  before(async function () {
    this.timeout(180_000);
    if (process.platform !== "linux") this.skip();
    service = await TestService.start({
      defaultProvisioner: "pool",
      provisioners: {
        pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 40 }] } },
      },
    });
    const env = { HOST_WORKERS: "1", HOST_LEASE_MS: String(LEASE_MS) };
    for (const mark of marks) await service.host({ ...env, [MARK]: mark });
  });
  after(async () => {
    await service.remove();
    await until("no process remains", () => Promise.resolve(remaining(run).length === 0));
  });

  const now = async (id: string): Promise<OperationRow> =>
    (await byId(service.place.database, undefined, id)) ?? assert.fail(`operation ${id} is gone`);
  /** Starts an operation that waits for the ledger, and returns it with the mark of its process. */
  const begin = async (name: string): Promise<{ operation: OperationRow; mark: string }> => {
    const { id } = await service.ask(name, "provision", { deployment: { version: "1", slots: 1 } });
    await until("it waits for the ledger", () => waitsForLedger(service.project.place));
    const operation = await now(id);
    const pid = Number(operation.leaseOwner?.split(":")[1]);
    const mark = service.hosts.findIndex(({ child }) => child.pid === pid);
    return { operation, mark: marks[mark] ?? assert.fail("nobody works on it") };
  };
  const engineOf = ({ engines }: OperationRow) => engines[0]?.identity ?? assert.fail("no engine is recorded");

  it("are taken over from a stopped main process only after its worker and engine have ended", async () => {
    const release = await holdLedger(service.project.place);
    let begun: Awaited<ReturnType<typeof begin>>;
    let stopped: number[] = [];
    try {
      begun = await begin("stopped-service");
      const { operation, mark } = begun;
      const engine = engineOf(operation);
      assert.equal(fateOf(engine), "running");
      stopped = pidsOf(mark, "service");
      signalAll(stopped, "SIGSTOP");
      let latest = operation;
      await until("another process works on it", async () => {
        latest = await now(operation.id);
        return latest.leaseOwner !== operation.leaseOwner && latest.leaseOwner !== null;
      });
      assert.equal(fateOf(engine), "ended", "two engines at once");
      assert.deepEqual(pidsOf(mark, "worker"), []);
      assert.ok(latest.leaseEpoch > operation.leaseEpoch);
    } finally {
      await release();
    }
    const row = await service.end(begun.operation);
    assert.deepEqual([row.state, row.error], ["succeeded", null]);
    signalAll(stopped, "SIGCONT");
    await until("it has a worker again", () => Promise.resolve(pidsOf(begun.mark, "worker").length === 1));
    assert.deepEqual(await now(row.id), row, "the process that was stopped changes nothing");
  });

  for (const role of ["worker", "engine"] as const satisfies readonly Role[]) {
    it(`stay with their process when only its ${role} is stopped, and continue afterwards`, async () => {
      const release = await holdLedger(service.project.place);
      let begun: Awaited<ReturnType<typeof begin>>;
      try {
        begun = await begin(`stopped-${role}`);
        const { operation, mark } = begun;
        const pids = role === "worker" ? pidsOf(mark, role) : [engineOf(operation).pid];
        signalAll(pids, "SIGSTOP");
        await sleep(LEASE_MS * 1.7);
        const { leaseOwner, leaseEpoch, attempts } = await now(operation.id);
        assert.deepEqual(
          [leaseOwner, leaseEpoch, attempts],
          [operation.leaseOwner, operation.leaseEpoch, operation.attempts],
        );
        signalAll(pids, "SIGCONT");
      } finally {
        await release();
      }
      const row = await service.end(begun.operation);
      assert.deepEqual([row.state, row.error, row.leaseEpoch], ["succeeded", null, begun.operation.leaseEpoch]);
    });
  }

  it("stay with their process even if a replica has the same host name and the process id 1", async function () {
    if (!hasContainers()) this.skip();
    const isolated = [`${run}-isolated-1-`, `${run}-isolated-2-`];
    const env = { HOST_WORKERS: "1", HOST_LEASE_MS: String(LEASE_MS) };
    for (const { child } of service.hosts) child.kill("SIGSTOP");
    const release = await holdLedger(service.project.place);
    try {
      const replicas = [];
      for (const mark of isolated) replicas.push(await service.host({ ...env, [MARK]: mark }, CONTAINER));
      const { id } = await service.ask("isolated", "provision", { deployment: { version: "1", slots: 1 } });
      await until("it waits for the ledger", () => waitsForLedger(service.project.place));
      const first = await now(id);
      assert.equal(first.leaseOwner?.split(":")[1], "1");
      for (const end = Date.now() + LEASE_MS * 2; Date.now() < end; await sleep(200)) {
        const { leaseOwner, leaseEpoch, attempts } = await now(id);
        assert.deepEqual([leaseOwner, leaseEpoch, attempts], [first.leaseOwner, first.leaseEpoch, first.attempts]);
      }
      await release();
      const row = await service.end(first);
      assert.deepEqual([row.state, row.error, row.attempts], ["succeeded", null, 1]);
      for (const { child, ended } of replicas) {
        child.kill("SIGKILL");
        await ended;
      }
    } finally {
      await release();
      for (const { child } of service.hosts) child.kill("SIGCONT");
    }
  });
});
