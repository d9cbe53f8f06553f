import assert from "node:assert/strict";
import { v7 as uuid } from "uuid";
import { operationPage, pagesOf } from "../../service/database/queries/operations";
import { testDatabase, type TestDatabase } from "./database";

describe("operations of many deployments", () => {
  let place: TestDatabase;

  before(async () => {
    place = await testDatabase();
  });
  after(() => place.remove());

  it("are returned as the first page of each deployment, even if one has changed its tenant", async () => {
    for (const [id, many] of [
      ["a", 5],
      ["b", 1],
      ["none", 0],
    ] as const) {
      await place.pool.query(
        "insert into deployment (id, name, tenant, desired_config, desired_state) values ($1, $1 || '-x', 'acme', '{}', 'running')",
        [id],
      );
      for (let at = 0; at < many; at += 1) {
        await place.pool.query(
          `insert into operation (id, deployment_id, tenant, kind, state, revision, message, requested_by)
           values ($1, $2, $3, 'update', 'succeeded', 1, '', 'ann')`,
          [uuid({ msecs: at }), id, at === 2 ? "other" : "acme"],
        );
      }
    }
    for (const first of [0, 1, 3, 50, undefined]) {
      const pages = await pagesOf(place.database, ["a", "b", "none"], first);
      for (const id of ["a", "b", "none"]) {
        const filter = { deployment: `${id}-x` };
        assert.deepEqual(
          pages.get(id),
          await operationPage(place.database, { tenant: "acme", filter, first }),
          `${id} ${first}`,
        );
      }
    }
  });
});
