import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { databaseOf, openPool } from "../../service/database/database";
import { migrate } from "../../service/database/migrate";
import * as auditTrail from "../../service/database/queries/audit";
import * as deployments from "../../service/database/queries/deployments";
import * as events from "../../service/database/queries/events";
import * as operations from "../../service/database/queries/operations";
import { OperationError, Operations, type OperationInput, type Caller } from "../../service/operations";
import { finish } from "../../service/operations/run/finish";
import { Rollouts } from "../../service/rollouts/rollouts";
import type { OperationRow } from "../../service/database/tables";
import type { DeploymentChange } from "../../engine/stack/change";
import type { Plan, Planner } from "../../service/operations/planner";
import { MIGRATIONS, testDatabase, type TestDatabase } from "./database";
import { refusal } from "./refusal";

const ann: Caller = { tenant: "red", actor: "ann", role: "operator", address: "10.0.0.1" };
const eve: Caller = { tenant: "green", actor: "eve", role: "operator" };
const bob: Caller = { tenant: "blue", actor: "bob", role: "admin" };

describe("requests to the service", () => {
  let place: TestDatabase;
  let service: Operations;

  before(async () => {
    place = await testDatabase();
    service = new Operations({ database: place.database, defaultPlatform: "organization/stackyard/dev" });
  });
  after(() => place.remove());

  const provision = (deployment: string, more: Partial<OperationInput> = {}): OperationInput => ({
    deployment,
    kind: "provision",
    change: { deployment: { version: "1", slots: 2 } },
    ...more,
  });
  const code = async (work: Promise<unknown>): Promise<string> => (await refusal(work)).code;
  const queued = async (id: string): Promise<number> => {
    const found = await place.pool.query("select 1 from graphile_worker.jobs where key = $1", [`operation:${id}`]);
    return found.rowCount ?? 0;
  };
  const update = (deployment: string, fields: DeploymentChange): OperationInput => ({
    deployment,
    kind: "update",
    change: { deployment: fields },
  });
  const now = async (id: string): Promise<OperationRow> => (await operations.byId(place.database, undefined, id))!;
  const fieldsOf = async (id: string): Promise<DeploymentChange> =>
    (await deployments.byId(place.database, "red", id))!.desiredConfig.deployment as DeploymentChange;
  const end = (id: string) => place.pool.query("update operation set state = 'succeeded' where id = $1", [id]);
  /** As a worker does it. */
  const begin = (id: string) => place.pool.query("update operation set state = 'in_progress' where id = $1", [id]);

  it("use tables that concurrent processes create only once", async () => {
    const empty = await testDatabase(false);
    try {
      const made = await Promise.all([1, 2, 3].map(() => migrate(empty.pool, MIGRATIONS)));
      const all = readdirSync(MIGRATIONS).length;
      assert.deepEqual(
        made.map((names) => names.length).sort((a, b) => a - b),
        [0, 0, all],
      );
    } finally {
      await empty.remove();
    }
  });

  it("can be read and written by processes of the previous version with other columns during an upgrade", async () => {
    const versionOf = async (column: string, table = "deployment") => {
      const { rows } = await place.pool.query<{ version: string | null }>(
        `select ${column} #>> '{deployment,version}' as version from ${table} where tenant = 'rolling'`,
      );
      return rows.map(({ version }) => version);
    };
    const config = (version: string) => JSON.stringify({ deployment: { version } });
    await place.pool.query(
      "insert into deployment (id, name, tenant, wish, desired_state) values ('rolling', 'rolling', 'rolling', $1, 'running')",
      [config("1")],
    );
    assert.deepEqual(await versionOf("desired_config"), ["1"]);
    await place.pool.query("update deployment set wish = $1 where id = 'rolling'", [config("2")]);
    assert.deepEqual(await versionOf("desired_config"), ["2"]);
    await place.pool.query("update deployment set desired_config = $1, revision = 2 where id = 'rolling'", [
      config("3"),
    ]);
    assert.deepEqual(await versionOf("wish"), ["3"]);

    const id = "00000000-0000-7000-8000-00000000000a";
    await place.pool.query(
      `insert into operation (id, deployment_id, tenant, kind, wish_before, revision, message, requested_by, state)
       values ($1, 'rolling', 'rolling', 'update', $2, 1, 'done', 'ann', 'succeeded')`,
      [id, config("1")],
    );
    assert.deepEqual(await versionOf("previous_config", "operation"), ["1"]);
    await place.pool.query("update operation set previous_config = null where id = $1", [id]);
    assert.deepEqual(await versionOf("wish_before", "operation"), [null]);
    await place.pool.query("delete from operation where id = $1", [id]);
    await place.pool.query("delete from deployment where id = 'rolling'");
  });

  it("write the request, the operation, its job and its audit entry together", async () => {
    const operation = await service.request(provision("acme"), ann);
    assert.equal(operation.state, "pending");
    assert.deepEqual(operation.change, { deployment: { version: "1", slots: 2 } });
    const deployment = await deployments.byId(place.database, "red", "acme");
    assert.deepEqual(deployment?.desiredConfig, {
      platform: "organization/stackyard/dev",
      deployment: { version: "1", slots: 2 },
    });
    assert.equal(deployment.desiredState, "running");
    assert.equal(await queued(operation.id), 1);
    const { nodes } = await auditTrail.auditPage(place.database, { tenant: "red", filter: { target: "acme" } });
    assert.deepEqual(
      nodes.map(({ actor, address, action, outcome }) => [actor, address, action, outcome]),
      [["ann", "10.0.0.1", "provision", "accepted"]],
    );
    const reported = await events.eventPage(place.database, { operation: operation.id });
    assert.deepEqual(
      reported.nodes.map(({ text }) => text),
      ["waiting for a worker"],
    );
  });

  it("that must run alone are rejected while another operation is in progress, also concurrently", async () => {
    const alone = (id: string): OperationInput => ({
      deployment: id,
      kind: "update",
      change: { deployment: {} },
      alone: true,
    });
    const first = await service.request(provision("lonely"), eve);
    assert.equal(await code(service.request(alone("lonely"), eve)), "CONFLICT");
    await place.pool.query("update operation set state = 'succeeded' where id = $1", [first.id]);
    const both = await Promise.allSettled([1, 2].map(() => service.request(alone("lonely"), eve)));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  });

  it("restore the Kyma record from before an upgrade only if the upgrade was the last operation", async () => {
    const cluster = { workerCidr: "10.250.0.0/16" };
    const kyma = (version: string) => ({ version });
    const end = (id: string) => place.pool.query("update operation set state = 'failed' where id = $1", [id]);
    const made = await service.request(
      provision("kyma", { change: { deployment: { cluster, kyma: kyma("1") } } }),
      eve,
    );
    assert.equal(await code(service.rollBackRecord("kyma", eve)), "CONFLICT");
    await end(made.id);
    const upgrade = await service.request(
      { deployment: "kyma", kind: "update", change: { deployment: { kyma: kyma("2") } } },
      eve,
    );
    assert.equal(await code(service.rollBackRecord("kyma", eve)), "CONFLICT");
    await end(upgrade.id);
    assert.equal(await code(service.rollBackRecord("kyma", { ...eve, tenant: "blue" })), "NOT_FOUND");
    const { desiredConfig, revision } = await service.rollBackRecord("kyma", eve);
    assert.deepEqual(desiredConfig.deployment, { cluster, kyma: kyma("1") });
    assert.equal(revision, 3);
  });

  it("can be planned by viewers, who may not make the changes", async () => {
    const planned: string[] = [];
    const planner = {
      plan: ({ deployment, kind }: { readonly deployment: string; readonly kind: OperationInput["kind"] }) => {
        planned.push(deployment);
        return Promise.resolve({ deployment, kind, changes: [], notes: [] });
      },
    };
    const planning = new Operations({ database: place.database, defaultPlatform: "dev", planner });
    const viewer: Caller = { ...ann, actor: "vic", role: "viewer" };
    const update: OperationInput = { deployment: "acme", kind: "update", change: { deployment: {} } };
    assert.deepEqual((await planning.plan(update, viewer)).changes, []);
    assert.equal(await code(planning.request(update, viewer)), "FORBIDDEN");
    assert.equal(await code(planning.plan(update, { ...viewer, tenant: "green" })), "NOT_FOUND");
    assert.deepEqual(planned, ["acme"]);
  });

  it("are rejected without a trace except in the audit trail", async () => {
    assert.equal(await code(service.request(provision("beta", { change: { deployment: {} } }), ann)), "BAD_INPUT");
    assert.equal(await code(service.request({ deployment: "beta", kind: "update" }, ann)), "NOT_FOUND");
    assert.equal(await code(service.request(provision("acme"), ann)), "CONFLICT");
    assert.equal(await code(service.request(provision("beta"), { ...ann, role: "viewer" })), "FORBIDDEN");
    assert.equal(await deployments.byId(place.database, undefined, "beta"), undefined);
    const { nodes } = await auditTrail.auditPage(place.database, { filter: { target: "beta" } });
    assert.deepEqual(
      nodes.map(({ outcome }) => outcome),
      ["FORBIDDEN", "NOT_FOUND", "BAD_INPUT"],
    );
  });

  it("never reach another tenant's deployment or operation", async () => {
    for (const kind of ["update", "hibernate", "wake", "deprovision", "refresh"] as const) {
      assert.equal(await code(service.request({ deployment: "acme", kind }, bob)), "NOT_FOUND", kind);
    }
    const acme = { tenant: "red", filter: { deployment: "acme" } };
    const [operation] = (await operations.operationPage(place.database, acme)).nodes;
    assert.equal(await code(service.cancel(operation!.id, bob)), "NOT_FOUND");
    assert.equal(await code(service.retry(operation!.id, bob)), "NOT_FOUND");
    assert.equal(await code(service.protect("acme", true, bob)), "NOT_FOUND");
    assert.deepEqual((await deployments.deploymentPage(place.database, { tenant: "blue" })).nodes, []);
    assert.equal(await operations.byId(place.database, "blue", operation!.id), undefined);
  });

  it("for another tenant's id get the same answers as for an unknown id", async () => {
    const before = await deployments.byId(place.database, "red", "acme");
    const answers = async (id: string): Promise<string[]> => {
      const asked = [
        () => service.request({ deployment: id, kind: "update", change: { deployment: { slots: 2 } } }, bob),
        () => service.protect(id, true, bob),
        () => service.rollBackRecord(id, bob),
        () => service.request(provision(id, { revision: 7 }), bob),
        () => service.request(provision(id), bob),
        () => service.request(provision(id), bob),
        () => service.request({ deployment: id, kind: "deprovision" }, bob),
      ];
      const texts: string[] = [];
      for (const each of asked) {
        const said = await each().then(
          () => "accepted",
          (error: OperationError) => `${error.code} ${error.reason} ${error.path}`,
        );
        texts.push(said.replaceAll(id, "<id>"));
      }
      return texts;
    };
    const theirs = await answers("acme");
    assert.deepEqual(theirs, await answers("nobodys"));
    assert.equal(theirs.filter((each) => each === "accepted").length, 2);
    assert.deepEqual(await deployments.byId(place.database, "red", "acme"), before);
    const own = await deployments.byId(place.database, "blue", "acme");
    assert.match(own?.id ?? "", /^acme-[0-9a-f]{8}$/);
    assert.equal(own?.tenant, "blue");
    // Each tenant's operations are those of its own deployment.
    const listed = await operations.operationPage(place.database, { tenant: "blue", filter: { deployment: "acme" } });
    assert.deepEqual([...new Set(listed.nodes.map(({ deploymentId }) => deploymentId))], [own?.id]);
    const ids =
      (await deployments.deploymentPage(place.database, { filter: { id: "acme" }, first: 1 })).cursors[0] ?? "";
    const rest = await deployments.deploymentPage(place.database, { filter: { id: "acme" }, after: ids });
    assert.deepEqual(
      rest.nodes.map(({ id }) => id),
      [own?.id],
    );
  });

  it("of several tenants for one id are each accepted once when concurrent", async () => {
    const tenants = ["blue", "green", "red", "white"];
    const asked = [...tenants, ...tenants].map((tenant) =>
      service.request(provision("twin"), { tenant, actor: "x", role: "operator" }),
    );
    const settled = await Promise.allSettled(asked);
    assert.equal(settled.filter(({ status }) => status === "fulfilled").length, tenants.length);
    const rows = await deployments.deploymentPage(place.database, { filter: { id: "twin" } });
    assert.deepEqual(
      rows.nodes.map(({ name, tenant }) => `${tenant} ${name}`).toSorted(),
      tenants.map((tenant) => `${tenant} twin`),
    );
    assert.equal(new Set(rows.nodes.map(({ id }) => id)).size, tenants.length);
  });

  it("include the tenant in stack names when configured to", async () => {
    const apart = new Operations({ database: place.database, defaultPlatform: "dev", stackNaming: "tenant" });
    const { deploymentId } = await apart.request(provision("apart"), ann);
    assert.match(deploymentId, /^apart-[0-9a-f]{8}$/);
    assert.equal((await deployments.byId(place.database, "red", "apart"))?.id, deploymentId);
    const plain = await apart.request(provision("plain-id", { stackNaming: "id" }), ann);
    assert.equal(plain.deploymentId, "plain-id");
  });

  it("replace the caller's own pending request, and follow a running one exactly once", async () => {
    const first = await service.request(provision("fold"), ann);
    const second = await service.request(update("fold", { slots: 3 }), ann);
    assert.notEqual(second.id, first.id);
    assert.deepEqual([second.kind, second.change.deployment.slots, second.revision], ["provision", 3, 2]);
    const replaced = await now(first.id);
    assert.deepEqual([replaced.state, replaced.replacedBy, replaced.kind], ["replaced", second.id, "provision"]);
    assert.notEqual(replaced.endedAt, null);
    const reported = await events.eventPage(place.database, { operation: first.id });
    assert.deepEqual(reported.nodes.at(-1)?.data, { state: "replaced", replacedBy: second.id });
    await begin(second.id);
    const asked = await Promise.all([4, 5, 6, 7].map((slots) => service.request(update("fold", { slots }), ann)));
    const rows = await Promise.all(asked.map(({ id }) => now(id)));
    const waiting = rows.filter(({ state }) => state === "pending");
    assert.equal(waiting.length, 1);
    assert.equal(rows.filter(({ state }) => state === "replaced").length, 3);
    assert.equal(await queued(waiting[0]!.id), 0);
    assert.equal(waiting[0]!.revision, 6);
    assert.equal(waiting[0]!.change.deployment.slots, (await fieldsOf("fold")).slots);
  });

  it("of other callers stay separate and in order, and are canceled individually", async () => {
    const kim: Caller = { ...ann, actor: "kim" };
    const made = await service.request(provision("queue"), ann);
    const own = await service.request(update("queue", { slots: 3 }), kim);
    const last = await service.request(update("queue", { annotations: { team: "a" } }), ann);
    assert.deepEqual([(await now(made.id)).requestedBy, own.requestedBy, last.requestedBy], ["ann", "kim", "ann"]);
    assert.deepEqual(await Promise.all([made, own, last].map(({ id }) => queued(id))), [1, 0, 0]);
    // The runtime that the others wait for is created by the first.
    assert.equal(await code(service.cancel(made.id, ann)), "CONFLICT");
    assert.equal((await now(made.id)).state, "pending");
    await service.cancel(own.id, kim);
    assert.deepEqual(
      (await Promise.all([made, last].map(({ id }) => now(id)))).map(({ state }) => state),
      ["pending", "pending"],
    );
    assert.deepEqual(await fieldsOf("queue"), { version: "1", slots: 2, annotations: { team: "a" } });
    assert.deepEqual((await now(last.id)).previousConfig?.deployment, { version: "1", slots: 2 });
    await service.cancel(last.id, ann);
    await service.cancel(made.id, ann);
    assert.notEqual((await deployments.byId(place.database, "red", "queue"))?.deletedAt, null);
  });

  it("are queued when a request before them is canceled", async () => {
    const kim: Caller = { ...ann, actor: "kim" };
    await end((await service.request(provision("turn"), ann)).id);
    const first = await service.request(update("turn", { slots: 3 }), ann);
    const second = await service.request(update("turn", { version: "2" }), kim);
    const third = await service.request({ deployment: "turn", kind: "refresh" }, ann);
    await service.cancel(first.id, ann);
    assert.deepEqual(await Promise.all([first, second, third].map(({ id }) => queued(id))), [0, 1, 0]);
    assert.equal((await now(second.id)).message, "waiting for a worker");
    assert.deepEqual(await fieldsOf("turn"), { version: "2", slots: 2 });
  });

  it("never drop a deletion; later requests are rejected until it has ended", async () => {
    const kim: Caller = { ...ann, actor: "kim" };
    const made = await service.request(provision("lost"), ann);
    await begin(made.id);
    await service.request(update("lost", { slots: 3 }), ann);
    const deletion = await service.request({ deployment: "lost", kind: "deprovision" }, ann);
    for (const caller of [ann, kim]) {
      for (const asked of [
        provision("lost"),
        update("lost", { slots: 1 }),
        { deployment: "lost", kind: "refresh" as const },
      ]) {
        const refusal = await service.request(asked, caller).catch((error: unknown) => error as OperationError);
        assert.ok(refusal instanceof OperationError);
        assert.equal(refusal.code, "CONFLICT");
        assert.match(refusal.reason, new RegExp(`being deprovisioned by operation ${deletion.id}`));
      }
    }
    assert.deepEqual([(await now(deletion.id)).kind, (await now(deletion.id)).state], ["deprovision", "pending"]);
    await end(made.id);
    await begin(deletion.id);
    assert.equal(await code(service.request(provision("lost"), ann)), "CONFLICT");
    const again = await service.request({ deployment: "lost", kind: "deprovision" }, kim);
    assert.notEqual(again.id, deletion.id);
    await service.cancel(again.id, kim);
    assert.equal((await deployments.byId(place.database, "red", "lost"))?.desiredState, "absent");
  });

  it("raise the revision even when they are canceled", async () => {
    await end((await service.request(provision("taken"), ann)).id);
    await begin((await service.request(update("taken", { version: "2" }), ann)).id);
    const { id, revision } = await service.request(update("taken", { slots: 3 }), ann);
    await service.cancel(id, ann);
    const { slots } = await fieldsOf("taken");
    assert.equal(slots, 2);
    assert.equal(await code(service.request({ ...update("taken", { slots: 4 }), revision }, ann)), "CONFLICT");
    const row = await deployments.byId(place.database, "red", "taken");
    assert.equal(row?.revision, revision + 1);
    const based = await service.request({ ...update("taken", { slots: 4 }), revision: row.revision }, ann);
    assert.equal(based.guarded, true);
  });

  it("are based on the deployment's state after the previous request has ended", async () => {
    await end((await service.request(provision("based"), ann)).id);
    const failing = await service.request(update("based", { version: "2" }), ann);
    const owner = "me";
    const lease =
      "update operation set state = 'in_progress', lease_owner = $2, lease_epoch = 1, lease_until = now() + interval '1 hour' where id = $1";
    await place.pool.query(lease, [failing.id, owner]);
    const kim: Caller = { ...ann, actor: "kim" };
    const plain = await service.request(update("based", { slots: 3 }), ann);
    const guarded = await service.request({ ...update("based", { slots: 4 }), revision: plain.revision }, kim);
    const has = {
      desiredConfig: { platform: "organization/stackyard/dev", deployment: { slots: 2, version: "1" } },
      provisioner: "pool",
      outputs: {},
      revisions: {},
    };
    const ending = { state: "failed" as const, message: "it failed", has };
    const defaultPlatform = "organization/stackyard/dev";
    await finish(place.database, ending, { defaultPlatform, lease: { id: failing.id, owner, epoch: 1 } });
    assert.deepEqual((await now(plain.id)).previousConfig?.deployment, { version: "1", slots: 2 });
    // It names what the failed one would have made.
    assert.deepEqual((await now(guarded.id)).previousConfig?.deployment, { version: "2", slots: 3 });
    assert.deepEqual(await Promise.all([plain, guarded].map(({ id }) => queued(id))), [1, 0]);
    assert.deepEqual(await fieldsOf("based"), { version: "1", slots: 4 });
    assert.equal((await deployments.byId(place.database, "red", "based"))?.revision, guarded.revision + 1);
  });

  it("report the end of operations that never began", async () => {
    const ended: string[] = [];
    const reporting = new Operations({
      database: place.database,
      defaultPlatform: "organization/stackyard/dev",
      onEnd: (_transaction, { id }) => Promise.resolve(void ended.push(id)),
    });
    const first = await reporting.request(provision("report"), ann);
    const second = await reporting.request(update("report", { slots: 3 }), ann);
    assert.deepEqual(ended, [first.id]);
    await reporting.cancel(second.id, ann);
    assert.deepEqual(ended, [first.id, second.id]);
  });

  it("return the same operation for the same idempotency key and reject the key for another request", async () => {
    const asked = provision("keyed", { idempotencyKey: "k-1" });
    const [one, two] = await Promise.all([service.request(asked, ann), service.request(asked, ann)]);
    assert.equal(one.id, two.id);
    const other = provision("keyed", { idempotencyKey: "k-1", change: { deployment: { version: "2" } } });
    assert.equal(await code(service.request(other, ann)), "CONFLICT");
    const { id } = await service.request(provision("keyed-blue", { idempotencyKey: "k-1" }), bob);
    assert.notEqual(id, one.id);
  });

  it("return the first result for the same key, also if they start no operation", async () => {
    const keyed = { idempotencyKey: "k-2" };
    await service.request(provision("twice"), bob);
    const protect = () => service.protect("twice", true, bob, keyed);
    const [one, two] = await Promise.all([protect(), protect()]);
    assert.deepEqual([one.id, one.protected], [two.id, two.protected]);
    assert.equal(await code(service.protect("twice", false, bob, keyed)), "CONFLICT");
    assert.equal(await code(service.request(provision("other", keyed), bob)), "CONFLICT");
    assert.equal(await code(service.protect("twice", true, bob, { idempotencyKey: "a b" })), "BAD_INPUT");
    await service.protect("twice", false, bob);
    // What was sent again must not undo what came after it.
    assert.equal((await protect()).protected, false);

    const rollouts = new Rollouts({ database: place.database, operations: service, planner: () => assert.fail("no") });
    const refresh = { platform: "organization/stackyard/dev", idempotencyKey: "k-3" };
    const [first, again] = await Promise.all([rollouts.request(refresh, bob), rollouts.request(refresh, bob)]);
    assert.equal(first.id, again.id);
    assert.equal(await code(rollouts.request({ ...refresh, waves: "1" }, bob)), "CONFLICT");
    const canceled = await rollouts.cancel(first.id, bob, "k-4");
    assert.deepEqual([canceled.id, canceled.state], [first.id, "canceled"]);
    assert.equal((await rollouts.cancel(first.id, bob, "k-4")).state, "canceled");
    assert.equal(await code(rollouts.cancel(first.id, bob)), "CONFLICT");
    const { nodes } = await auditTrail.auditPage(place.database, { tenant: "blue", filter: { target: first.id } });
    assert.deepEqual(
      nodes.map(({ action, outcome }) => [action, outcome]),
      [
        ["cancelRollout", "CONFLICT"],
        ["cancelRollout", "accepted"],
      ],
    );
  });

  it("check with a dry run whether a deployment may be protected, and change nothing", async () => {
    const dry = { dryRun: true, idempotencyKey: "k-5" };
    assert.equal((await service.protect("keyed", true, ann, dry)).protected, false);
    assert.equal(await code(service.protect("keyed", true, ann, { ...dry, revision: 9 })), "CONFLICT");
    assert.equal((await service.protect("keyed", true, ann, { idempotencyKey: "k-5" })).protected, true);
  });

  it("are rejected with an old revision", async () => {
    const { revision } = await service.request(provision("rev", { revision: 0 }), ann);
    const update = { deployment: "rev", kind: "update" as const, change: { deployment: { version: "2" } } };
    const results = await Promise.allSettled([
      service.request({ ...update, revision }, ann),
      service.request({ ...update, revision }, ann),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });

  it("do not delete a protected deployment", async () => {
    await service.request(provision("kept"), ann);
    assert.equal(await code(service.protect("kept", true, ann, { revision: 7 })), "CONFLICT");
    await service.protect("kept", true, ann, { revision: 1 });
    assert.equal(await code(service.request({ deployment: "kept", kind: "deprovision" }, ann)), "PROTECTED");
    await service.protect("kept", false, ann);
    assert.equal((await service.request({ deployment: "kept", kind: "deprovision" }, ann)).kind, "deprovision");
  });

  it("stay within a tenant's quota, even when concurrent", async () => {
    await place.pool.query("insert into quota values ('small', 2, 5)");
    const caller = { ...ann, tenant: "small" };
    const results = await Promise.allSettled(["q1", "q2", "q3"].map((id) => service.request(provision(id), caller)));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 2);
    const [there] = (await deployments.deploymentPage(place.database, { tenant: "small" })).nodes;
    const grow = { deployment: there!.id, kind: "update" as const, change: { deployment: { slots: 4 } } };
    assert.equal(await code(service.request(grow, caller)), "QUOTA_EXCEEDED");
    // A plan is refused for what the change itself would be refused for.
    assert.equal(await code(service.plan(grow, caller)), "QUOTA_EXCEEDED");
    assert.equal(await code(service.plan(provision("q4"), caller)), "QUOTA_EXCEEDED");
  });

  it("are canceled at once while they wait, and can be retried afterwards", async () => {
    const { id } = await service.request(provision("gone"), ann);
    assert.equal((await service.cancel(id, ann)).state, "canceled");
    assert.equal(await queued(id), 0);
    assert.equal(await code(service.cancel(id, ann)), "CONFLICT");
    const other = await service.request(provision("gone-too"), ann);
    const twice = await Promise.all([service.cancel(other.id, ann, "c-1"), service.cancel(other.id, ann, "c-1")]);
    assert.deepEqual(
      twice.map(({ state }) => state),
      ["canceled", "canceled"],
    );
    const again = await service.retry(id, ann);
    assert.deepEqual([again.retryOf, again.state], [id, "pending"]);
    assert.equal(await code(service.retry(id, ann)), "CONFLICT");
  });

  it("need only one connection each", async () => {
    const pool = openPool({ connectionString: place.url, max: 1, connectionTimeoutMillis: 3_000 });
    const database = databaseOf(pool);
    const planner = { plan: () => Promise.resolve({ notes: [] as string[] } as unknown as Plan) } as unknown as Planner;
    const narrow = new Operations({ database, defaultPlatform: "organization/stackyard/dev", planner });
    const rollouts = new Rollouts({ database, operations: narrow, planner: () => planner });
    const admin: Caller = { ...ann, role: "admin" };
    try {
      await narrow.plan(provision("narrow"), ann);
      const { id } = await narrow.request(provision("narrow", { idempotencyKey: "n-1" }), ann);
      await narrow.cancel(id, ann, "n-2");
      await narrow.retry(id, ann, "n-3");
      await narrow.protect("narrow", true, ann, { idempotencyKey: "n-4" });
      await narrow.planLifetime("narrow", { timeToLive: 60 }, ann);
      await narrow.setLifetime("narrow", { timeToLive: 60 }, ann, { idempotencyKey: "n-7" });
      await narrow.touch("narrow", ann, "n-8");
      assert.equal(await code(narrow.rollBackRecord("narrow", ann)), "CONFLICT");
      const asked = { platform: "narrow", dryRun: true, idempotencyKey: "n-5" };
      await rollouts.cancel((await rollouts.request(asked, admin, false)).id, admin, "n-6");
    } finally {
      await pool.end();
    }
  });

  it("restore the previous configuration when canceled before they begin", async () => {
    const { id } = await service.request(provision("back"), ann);
    await begin(id);
    await place.pool.query("update operation set state = 'succeeded' where id = $1", [id]);
    const update = { deployment: "back", kind: "update" as const, change: { deployment: { version: "2" } } };
    await service.cancel((await service.request(update, ann)).id, ann);
    const kept = await deployments.byId(place.database, "red", "back");
    assert.equal((kept?.desiredConfig.deployment as { version: string }).version, "1");
    const other = await service.request(provision("never"), ann);
    await service.cancel(other.id, ann);
    assert.notEqual((await deployments.byId(place.database, "red", "never"))?.deletedAt, null);
  });

  it("are listed in pages without duplicates", async () => {
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const page = await operations.operationPage(place.database, { tenant: "red", first: 2, after });
      assert.ok(page.totalCount > 4);
      seen.push(...page.nodes.map(({ id }) => id));
      [more, after] = [page.hasNextPage, page.cursors.at(-1)];
    }
    assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
    const listed = await deployments.deploymentPage(place.database, {
      tenant: "red",
      filter: { id: "e", environment: "prod" },
    });
    assert.deepEqual(
      listed.nodes.map(({ id }) => id),
      ["acme", "based", "gone", "kept", "keyed", "rev", "taken"],
    );
  });
});
