import assert from "node:assert/strict";
import { byId, stagesOf } from "../../service/database/queries/operations";
import * as events from "../../service/database/queries/events";
import { OperationError, Operations, type Caller } from "../../service/operations";
import { StageFailure } from "../../service/operations/run/failure";
import { Runner } from "../../service/operations/run/runner";
import type { Stage, StageEnd } from "../../service/operations/run/stage";
import { testDatabase, type TestDatabase } from "./database";

const ann: Caller = { tenant: "red", actor: "ann", role: "operator" };
const LIMIT_MS = 60_000;

describe("an operation that waits for an external system", () => {
  let place: TestDatabase;
  let service: Operations;

  before(async () => {
    place = await testDatabase();
    service = new Operations({ database: place.database, defaultPlatform: "organization/stackyard/dev" });
  });
  after(() => place.remove());

  /** A worker with one stage that ends in these ways, one after the other. */
  function workerOf(ends: (StageEnd | Error)[], limitMs = LIMIT_MS): Runner {
    const stage: Stage = {
      name: "WaitingForClusterCreation",
      limitMs,
      run: () => {
        const next = ends.shift() ?? assert.fail("it looked once more");
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
    };
    return new Runner({
      owner: "test:1:a",
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      leaseMs: 30_000,
      operationMs: LIMIT_MS,
      stageMs: LIMIT_MS,
      backOff: { firstMs: 0, mostMs: 0 },
      stagesFor: () => [stage],
      place: {
        database: place.database,
        workspace: { folder: "/nowhere" },
        defaultPlatform: "organization/stackyard/dev",
        runEngine: () => assert.fail("it needs no engine"),
      },
    });
  }

  const wait = (because: string): StageEnd => ({ end: "waits", afterMs: 0, because });
  const away = (): StageFailure => {
    const error = new OperationError("UNAVAILABLE", { reason: "Gardener does not answer", component: "gardener-api" });
    return new StageFailure({ error, passes: true });
  };
  const begun = async (id: string): Promise<string> => {
    const change = { deployment: { cluster: { name: id } } };
    return (await service.request({ deployment: id, kind: "provision", change }, ann)).id;
  };
  const now = async (id: string) => {
    const [[stage], operation] = await Promise.all([
      stagesOf(place.database, [id]),
      byId(place.database, undefined, id),
    ]);
    return { stage, operation };
  };

  it("reports what it waits for once and does not count a poll as an attempt", async () => {
    const id = await begun("patient");
    const worker = workerOf([wait("40 %"), wait("40 %"), wait("40 %"), wait("80 %")]);
    for (let look = 0; look < 4; look += 1) await worker.work(id);
    const { operation, stage } = await now(id);
    assert.equal(operation?.message, "80 %");
    assert.deepEqual([stage?.state, stage?.attempts], ["in_progress", 0]);
    const { nodes } = await events.eventPage(place.database, { operation: id });
    const said = nodes.map(({ text }) => text);
    assert.deepEqual(said, ["waiting for a worker", "begun", "stage WaitingForClusterCreation", "40 %", "80 %"]);
  });

  it("shows the error of a poll, polls again, and clears the error after the next successful poll", async () => {
    const id = await begun("away");
    const worker = workerOf([wait("40 %"), away(), wait("60 %")]);
    await worker.work(id);
    await worker.work(id);
    const failed = await now(id);
    assert.equal(failed.operation?.state, "in_progress");
    assert.equal(failed.operation.error?.component, "gardener-api");
    assert.equal(failed.stage?.error?.reason, "Gardener does not answer");
    await worker.work(id);
    const { operation, stage } = await now(id);
    assert.deepEqual([operation?.error, stage?.error, operation?.message], [null, null, "60 %"]);
  });

  it("adds the time of its stages to the time limit of any operation", async () => {
    const id = await begun("long");
    await workerOf([wait("0 %")], 10 * LIMIT_MS).work(id);
    const { operation } = await now(id);
    const ms = Number(operation?.deadlineAt) - Number(operation?.startedAt);
    assert.equal(ms, 11 * LIMIT_MS);
  });
});
