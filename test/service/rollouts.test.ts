import assert from "node:assert/strict";
import { Operations, type Caller } from "../../service/operations";
import { Rollouts } from "../../service/rollouts/rollouts";
import type { Plan } from "../../service/operations/planner";
import { testDatabase, type TestDatabase } from "./database";

const bob: Caller = { tenant: "blue", actor: "bob", role: "admin" };
const PLATFORM = "organization/stackyard/dev";
const CHANGES = { changes: [{ type: "SlotAllocation" }] } as unknown as Plan;

describe("a rollout of the service", () => {
  let place: TestDatabase;
  let rollouts: Rollouts;
  before(async () => {
    place = await testDatabase();
    const operations = new Operations({ database: place.database, defaultPlatform: PLATFORM });
    const planner = () => ({ plan: () => Promise.resolve(CHANGES) });
    rollouts = new Rollouts({ database: place.database, operations, planner });
    for (let number = 1; number <= 10; number += 1) {
      const change = { deployment: { version: "1", slots: 2 } };
      await operations.request({ deployment: `d${number}`, kind: "provision", change }, bob);
    }
    await end("succeeded");
  });
  after(() => place.remove());

  /** Ends operations that are open, as a worker does it. */
  const end = (state: string, most = 99) =>
    place.pool.query(
      "update operation set state = $1 where id in (select id from operation where state = 'pending' order by id limit $2)",
      [state, most],
    );
  const statesOf = async (id: string) => {
    const states = Map.groupBy(await rollouts.items(id), ({ state }) => state);
    return Object.fromEntries([...states].map(([state, own]) => [state, own.length]));
  };
  const turns = async (id: string, number: number): Promise<void> => {
    for (let turn = 1; turn <= number; turn += 1) await rollouts.turn(id);
  };

  it("updates eight deployments at once, and starts no other after too many failures", async () => {
    const { id } = await rollouts.request({ platform: PLATFORM, maxFailures: 1 }, bob);
    // Four plans at a time, then the waves.
    await turns(id, 4);
    assert.deepEqual(await statesOf(id), { changes: 10 });
    await turns(id, 2);
    assert.deepEqual(await statesOf(id), { running: 8, changes: 2 });
    await end("failed", 1);
    await turns(id, 1);
    assert.deepEqual(await statesOf(id), { failed: 1, running: 8, changes: 1 });
    await end("failed", 1);
    await turns(id, 1);
    assert.deepEqual(await statesOf(id), { failed: 2, running: 7, changes: 1 });
    await end("succeeded");
    await turns(id, 1);
    assert.deepEqual(await statesOf(id), { failed: 2, succeeded: 7, skipped: 1 });
    const row = await place.database.selectFrom("rollout").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    assert.deepEqual([row.state, row.message], ["failed", "2 failed, 1 may; 1 not begun"]);
  });
});
