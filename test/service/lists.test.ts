import assert from "node:assert/strict";
import { v7 as uuid } from "uuid";
import { Listener } from "../../service/database/listener";
import * as audit from "../../service/database/queries/audit";
import * as deployments from "../../service/database/queries/deployments";
import * as operations from "../../service/database/queries/operations";
import type { Page, PageArgs } from "../../service/database/queries/page";
import { noticePage } from "../../service/watch/notices";
import { testDatabase, type TestDatabase } from "./database";

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

type Read = (args: Omit<PageArgs<never>, "filter">) => Promise<Page<{ readonly id: string }>>;

describe("lists of the service", () => {
  let place: TestDatabase;

  const addOperation = async (deployment: string, at: Date, state = "succeeded"): Promise<string> => {
    const id = uuid({ msecs: at.getTime() });
    await place.pool.query(
      `insert into operation (id, deployment_id, tenant, kind, state, revision, message, requested_by, requested_at, ended_at)
       values ($1, $2, 'acme', 'update', $3, 1, '', 'ann', $4, $4)`,
      [id, deployment, state, at],
    );
    return id;
  };

  before(async () => {
    place = await testDatabase();
    for (let number = 1; number <= 7; number += 1) {
      const config = { version: `1.${number % 2}`, annotations: { team: number < 3 ? "data" : "web", tier: "a" } };
      // Two tenants have the same ids, and two deployments the same time but for microseconds.
      for (const tenant of ["acme", "blue"]) {
        await place.pool.query(
          `insert into deployment (id, name, tenant, desired_config, desired_state, created_at, updated_at)
           values ($1, $2, $3, $4, 'running', $5::timestamptz + $6 * interval '1 microsecond', $7)`,
          [
            ...[`d${number}-${tenant}`, `d${number}`, tenant, { deployment: config }],
            ...[day(8 - Math.ceil(number / 2)), number, day(number)],
          ],
        );
      }
      await addOperation(`d${number}-acme`, day(number));
      await place.pool.query(
        "insert into audit (at, tenant, actor, action, target, outcome) values ($1, 'acme', 'ann', 'update', 'd1', 'accepted')",
        [day(number)],
      );
      await place.pool.query(
        "insert into notice (at, kind, level, subject, text) values ($1, 'drift', 'info', 's', 't')",
        [day(number)],
      );
    }
  });
  after(() => place.remove());

  const reads: Readonly<Record<string, Read>> = {
    "deployments by id": (args) => deployments.deploymentPage(place.database, args),
    "deployments by creation": (args) => deployments.deploymentPage(place.database, { ...args, orderBy: "createdAt" }),
    "deployments by change": (args) => deployments.deploymentPage(place.database, { ...args, orderBy: "updatedAt" }),
    operations: (args) => operations.operationPage(place.database, args),
    "the audit trail": (args) => audit.auditPage(place.database, args),
    notices: (args) => noticePage(place.database, args),
  };

  for (const [name, read] of Object.entries(reads)) {
    for (const direction of ["asc", "desc"] as const) {
      it(`contain each of ${name} (${direction}) once, forward and backward`, async () => {
        const all = await read({ direction, first: 500 });
        assert.ok(all.totalCount >= 7);
        const ids = all.nodes.map(({ id }) => id);
        const other = await read({ direction: direction === "asc" ? "desc" : "asc", first: 500 });
        assert.deepEqual(
          other.nodes.map(({ id }) => id),
          ids.toReversed(),
        );
        for (const size of [1, 3, 500]) {
          const forward: string[] = [];
          for (let after: string | undefined, more = true; more;) {
            const page = await read({ direction, first: size, ...(after !== undefined && { after }) });
            assert.equal(page.hasPreviousPage, after !== undefined);
            forward.push(...page.nodes.map(({ id }) => id));
            [more, after] = [page.hasNextPage, page.cursors.at(-1)];
          }
          const backward: string[] = [];
          for (let before: string | undefined, more = true; more;) {
            const page = await read({ direction, last: size, ...(before !== undefined && { before }) });
            assert.equal(page.hasNextPage, before !== undefined);
            backward.unshift(...page.nodes.map(({ id }) => id));
            [more, before] = [page.hasPreviousPage, page.cursors[0]];
          }
          assert.deepEqual([forward, backward], [ids, ids], `size ${size}`);
        }
        const [start, , , end] = all.cursors;
        const between = await read({ direction, after: start, before: end });
        assert.deepEqual(
          between.nodes.map(({ id }) => id),
          ids.slice(1, 3),
        );
      });
    }
  }

  it("filter by a time range with its start included and its end excluded", async () => {
    const range = { since: day(3), until: day(5) };
    const pages = await Promise.all([
      operations.operationPage(place.database, { filter: { requestedAt: range } }),
      operations.operationPage(place.database, { filter: { endedAt: range } }),
      audit.auditPage(place.database, { filter: { at: range } }),
      noticePage(place.database, { filter: { at: range } }),
      deployments.deploymentPage(place.database, { tenant: "acme", filter: { updatedAt: range } }),
    ]);
    assert.deepEqual(
      pages.map(({ totalCount }) => totalCount),
      [2, 2, 2, 2, 2],
    );
    const open = await operations.operationPage(place.database, { filter: { requestedAt: { since: day(6) } } });
    assert.equal(open.totalCount, 2);
  });

  it("filter deployments by version and by all given annotations", async () => {
    const idsOf = async (filter: deployments.DeploymentFilter): Promise<string[]> =>
      (await deployments.deploymentPage(place.database, { tenant: "acme", filter })).nodes.map(({ name }) => name);
    assert.deepEqual(await idsOf({ version: "1.0" }), ["d2", "d4", "d6"]);
    assert.deepEqual(await idsOf({ annotations: { team: "data" } }), ["d1", "d2"]);
    assert.deepEqual(await idsOf({ annotations: { team: "data", tier: "b" } }), []);
    assert.deepEqual(await idsOf({ annotations: { tier: "a" }, version: "1.1" }), ["d1", "d3", "d5", "d7"]);
  });

  it("filter deployments by the state of the last operation that was not replaced", async () => {
    const filter: deployments.DeploymentFilter = { lastOperation: ["failed"] };
    const failed = async (): Promise<string[]> =>
      (await deployments.deploymentPage(place.database, { tenant: "acme", filter })).nodes.map(({ name }) => name);
    const first = await addOperation("d3-acme", new Date(), "failed");
    assert.deepEqual(await failed(), ["d3"]);
    const later = await addOperation("d3-acme", new Date());
    assert.deepEqual(await failed(), []);
    await place.pool.query("update operation set state = 'replaced', replaced_by = $2 where id = $1", [later, first]);
    assert.deepEqual(await failed(), ["d3"]);
    await place.pool.query("delete from operation where id = any($1)", [[first, later]]);
  });

  it("follow operations: running ones first, then each changed or new one, even if it ends at once", async () => {
    const listener = new Listener(place.pool, place.database);
    const ending = new AbortController();
    const running = await addOperation("d1-acme", new Date(), "in_progress");
    const foreign = await addOperation("d2-acme", new Date(), "in_progress");
    const seen: string[] = [];
    const next = listener.changes({ tenant: "acme", stack: "d1-acme" }, ending.signal);
    const take = async (): Promise<void> => {
      const { value } = await next.next();
      seen.push(`${value?.id === running ? "first" : "second"} ${value?.state} ${value?.stage}`);
    };
    try {
      await take();
      const record = (id: string) =>
        place.pool.query("insert into event (operation_id, kind, text) values ($1, 'stage', 'x')", [id]);
      await place.pool.query("update operation set stage = 'apply' where id in ($1, $2)", [running, foreign]);
      await Promise.all([record(running), record(foreign), take()]);
      await place.pool.query("update operation set state = 'failed' where id in ($1, $2)", [running, foreign]);
      await Promise.all([record(running), take()]);
      await record(await addOperation("d1-acme", new Date()));
      await take();
      assert.deepEqual(seen, [
        "first in_progress null",
        "first in_progress apply",
        "first failed apply",
        "second succeeded null",
      ]);
    } finally {
      ending.abort();
      await listener.end();
    }
    assert.equal((await next.next()).done, true);
  });
});
