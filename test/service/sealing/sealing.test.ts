import assert from "node:assert/strict";
import { databaseOf, type Database } from "../../../service/database/database";
import { byId } from "../../../service/database/queries/deployments";
import * as auditTrail from "../../../service/database/queries/audit";
import { byId as operationById } from "../../../service/database/queries/operations";
import { checkKeys } from "../../../service/database/knownKeys";
import { reseal } from "../../../service/database/reseal";
import { Vault } from "../../../service/database/sealing/vault";
import {
  OperationError,
  Operations,
  type Caller,
  type ErrorCode,
  type OperationInput,
} from "../../../service/operations";
import { finish } from "../../../service/operations/run/finish";
import { acquireLease } from "../../../service/operations/run/lease";
import { stagesWith } from "../../../service/gardener/clusterStages";
import { everythingIn, testDatabase, type TestDatabase } from "../database";

const ann: Caller = { tenant: "red", actor: "ann", role: "admin" };
const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const OLD = key("old", 1);
const NEW = key("new", 2);
/** What remains of a request that was refused. */
const RECORD = {
  cluster: {},
  kyma: {
    version: "2.20.0",
    configuration: [{ key: "global.password", secret: true }],
    components: [{ component: "one", namespace: "n", configuration: [{ key: "a.b", secret: true }] }],
  },
};
const NOTHING = { deployments: 0, operations: 0, audit: 0, idempotencyKeys: 0, forgottenKeys: [] };

describe("secrets in the service's database", () => {
  let place: TestDatabase;

  before(async () => {
    place = await testDatabase();
  });
  after(() => place.remove());

  /** A service of these keys. */
  const at = (...keys: readonly (typeof OLD)[]): { vault: Vault; database: Database; operations: Operations } => {
    const vault = new Vault(keys);
    const database = databaseOf(place.pool, vault);
    return { vault, database, operations: new Operations({ database, vault, defaultPlatform: "o/stackyard/dev" }) };
  };
  const kyma = (secret: string) => ({
    version: "2.20.0",
    configuration: [{ key: "global.password", value: secret, secret: true }],
    components: [
      { component: "one", namespace: "n", configuration: [{ key: "a.b", value: `${secret}-one`, secret: true }] },
    ],
  });
  const ask = (deployment: string, secret: string, more: Partial<OperationInput> = {}): OperationInput => ({
    deployment,
    kind: "provision",
    change: { deployment: { cluster: {}, kyma: kyma(secret) } },
    idempotencyKey: `key-${deployment}`,
    ...more,
  });
  const REFUSED = ask("acme", "hush-3", { kind: "update", revision: 1, idempotencyKey: "key-no" });
  const end = (id: string, state: string) =>
    place.pool.query("update operation set state = $2 where id = $1", [id, state]);
  const everything = (): Promise<string> => everythingIn(place.pool);

  it("are rejected without a key; requests without secrets are accepted", async () => {
    const { operations } = at();
    const refused = { code: "UNAVAILABLE", retryable: false, advice: /APP_ENCRYPTION_KEYS/ };
    await assert.rejects(operations.request(ask("keyless", "hush"), ann), refused);
    await assert.rejects(operations.plan(ask("keyless", "hush"), ann), refused);
    assert.equal(await byId(place.database, "red", "keyless"), undefined);
    const plain = { deployment: "plain", kind: "provision" as const, change: { deployment: { version: "1" } } };
    assert.equal((await operations.request(plain, ann)).state, "pending");
    assert.doesNotMatch(await everything(), /hush/);
  });

  it("are never stored in plain text and are returned to readers of requests", async () => {
    const { operations, database } = at(OLD);
    const first = await operations.request(ask("acme", "hush-1"), ann);
    const folded = { idempotencyKey: "key-folded", kind: "update" as const };
    const made = await operations.request(ask("acme", "hush-2", folded), ann);
    assert.equal((await operationById(database, "red", first.id))?.replacedBy, made.id);
    await end(made.id, "failed");
    const again = await operations.retry(made.id, ann);
    assert.deepEqual(again.change.deployment.kyma, kyma("hush-2"));
    await end(again.id, "succeeded");
    await operations.request({ deployment: "acme", kind: "hibernate" }, ann);
    await assert.rejects(operations.request(REFUSED, ann), { code: "CONFLICT", path: "revision" });
    const canceled = await operations.request(ask("other", "hush-4"), ann);
    await operations.cancel(canceled.id, ann);

    assert.deepEqual((await byId(database, "red", "acme"))?.desiredConfig.deployment, {
      cluster: {},
      kyma: kyma("hush-2"),
      state: "hibernated",
    });
    assert.deepEqual((await operationById(database, "red", made.id))?.change.deployment.kyma, kyma("hush-2"));
    const { nodes } = await auditTrail.auditPage(database, { tenant: "red", filter: { target: "acme" } });
    assert.equal(nodes.filter(({ details }) => JSON.stringify(details).includes("[secret]")).length, 4);
    assert.doesNotMatch(await everything(), /hush/);
  });

  it("are deleted with a rejected or canceled first request and kept if a retry may succeed", async () => {
    const { operations, database } = at(OLD);
    const options = {
      owner: "here",
      leaseMs: 30_000,
      operationMs: 60_000,
      stagesFor: stagesWith(undefined),
      defaultPlatform: "p",
    };
    const ended = async (id: string, code: ErrorCode) => {
      const error = new OperationError(code, { reason: "no" }).stored();
      const { lease } = (await acquireLease(database, id, options)) ?? assert.fail();
      const ending = { state: "failed", message: "no", error, has: null } as const;
      return finish(database, ending, { ...options, lease });
    };
    const refused = await operations.request(ask("refused", "hush-refused"), ann);
    assert.equal((await ended(refused.id, "BAD_INPUT")).state, "failed");
    const row = await byId(database, "red", "refused");
    assert.notEqual(row?.deletedAt, null);
    assert.deepEqual(row?.desiredConfig.deployment, RECORD);
    const { change } = (await operationById(database, "red", refused.id)) ?? assert.fail();
    assert.deepEqual(change.deployment.kyma, {
      ...kyma("[secret]"),
      components: [{ ...kyma("").components[0], configuration: [{ key: "a.b", value: "[secret]", secret: true }] }],
    });
    await assert.rejects(operations.retry(refused.id, ann), {
      code: "CONFLICT",
      reason: /was refused, and the secrets of its request were not kept/,
    });
    assert.ok((await operations.request(ask("refused", "hush-new", { idempotencyKey: undefined }), ann)).id);

    const failed = await operations.request(ask("failed", "hush-failed"), ann);
    await ended(failed.id, "UNAVAILABLE");
    assert.deepEqual((await byId(database, "red", "failed"))?.desiredConfig.deployment, RECORD);
    const again = await operations.retry(failed.id, ann);
    assert.deepEqual(again.change.deployment.kyma, kyma("hush-failed"));
    assert.deepEqual(
      (await byId(database, "red", "failed"))?.desiredConfig.deployment,
      ask("", "hush-failed").change?.deployment,
    );

    const canceled = await operations.request(ask("undone", "hush-undone"), ann);
    await operations.cancel(canceled.id, ann);
    assert.deepEqual((await byId(database, "red", "undone"))?.desiredConfig.deployment, RECORD);
  });

  it("are compared for an idempotency key by a sealed digest that does not reveal them", async () => {
    const { operations } = at(OLD);
    const first = await operations.request(ask("twice", "hush"), ann);
    assert.equal((await operations.request(ask("twice", "hush"), ann)).id, first.id);
    await assert.rejects(operations.request(ask("twice", "other"), ann), { code: "CONFLICT" });
    const { rows } = await place.pool.query<{ digest: string }>("select digest from idempotency where key = $1", [
      "key-twice",
    ]);
    assert.match(rows[0]?.digest ?? "", /^v1:old:/);
  });

  it("cannot be read after a copy into another row", async () => {
    const { database } = at(OLD);
    const paste =
      "update deployment set desired_config = (select desired_config from deployment where id = 'acme') where id = $1";
    await place.pool.query(
      "insert into deployment (id, name, tenant, desired_config, desired_state) values ($1, $1, 'red', '{}', 'running')",
      ["thief"],
    );
    await place.pool.query(paste, ["thief"]);
    await assert.rejects(byId(database, "red", "thief"), /red\.thief\.deployment\.kyma.* can't be opened/);
    await place.pool.query("delete from deployment where id = 'thief'");
  });

  it("are sealed by a repeatable command if an earlier version stored them in plain text", async () => {
    const plain = JSON.stringify({ deployment: { cluster: {}, kyma: kyma("hush-before") } });
    const row =
      "insert into deployment (id, name, tenant, desired_config, desired_state) values ($1, $1, 'red', $2, 'running')";
    await place.pool.query(row, ["before", plain]);
    await place.pool.query(
      `insert into operation (id, deployment_id, tenant, kind, change, previous_config, revision, message, requested_by, state)
       values ('00000000-0000-7000-8000-000000000001', 'before', 'red', 'update', $1, $1, 1, 'done', 'ann', 'succeeded')`,
      [plain],
    );
    const digest = "0".repeat(64);
    await place.pool.query(
      `insert into idempotency (tenant, key, digest, operation_id)
       values ('red', 'key-before', $1, '00000000-0000-7000-8000-000000000001')`,
      [digest],
    );
    const details = JSON.stringify({ change: JSON.parse(plain) as object, revision: 1 });
    const entry =
      "insert into audit (tenant, actor, action, target, outcome, details) values ('red', 'ann', $1, $2, 'accepted', $3)";
    await place.pool.query(entry, ["update", "before", details]);
    assert.match(await everything(), /hush-before/);

    const { vault, database } = at(OLD);
    await checkKeys(database, vault);
    const done = await reseal(place.pool, database, vault);
    assert.deepEqual(done, { ...NOTHING, deployments: 1, operations: 1, audit: 1, idempotencyKeys: 1 });
    assert.doesNotMatch(await everything(), /hush/);
    assert.ok(!(await everything()).includes(digest));
    assert.deepEqual((await byId(database, "red", "before"))?.desiredConfig, JSON.parse(plain));
    assert.deepEqual(await reseal(place.pool, database, vault), NOTHING);
  });

  it("are sealed with the new key after a rotation, while processes with the old key continue", async () => {
    const both = at(NEW, OLD);
    await checkKeys(both.database, both.vault);
    // The step before: the new key is known everywhere, and seals nowhere yet.
    const before = at(OLD, NEW);
    await both.operations.request(ask("rotated", "hush-rotated"), ann);
    assert.deepEqual((await byId(before.database, "red", "rotated"))?.desiredConfig.deployment, {
      cluster: {},
      kyma: kyma("hush-rotated"),
    });
    await before.operations.request(ask("late", "hush-late"), ann);
    const done = await reseal(place.pool, both.database, both.vault);
    assert.deepEqual(done.forgottenKeys, ["old"]);
    assert.ok(done.deployments >= 4 && done.operations >= 4 && done.idempotencyKeys >= 3, JSON.stringify(done));
    assert.doesNotMatch(await everything(), /hush|v1:old:/);

    const alone = at(NEW);
    await checkKeys(alone.database, alone.vault);
    assert.deepEqual((await byId(alone.database, "red", "late"))?.desiredConfig.deployment, {
      cluster: {},
      kyma: kyma("hush-late"),
    });
    await assert.rejects(alone.operations.request(REFUSED, ann), { code: "CONFLICT", path: "revision" });
    const repeated = await alone.operations.request(ask("twice", "hush"), ann);
    assert.equal(repeated.deploymentId, "twice");
  });

  it("make a process without their key or with another key of that name fail without changes", async () => {
    const before = await everything();
    const fault = async (...keys: readonly (typeof OLD)[]): Promise<string> => {
      const { database, vault } = at(...keys);
      return checkKeys(database, vault).then(
        () => assert.fail("they were accepted"),
        ({ message }: Error) => message,
      );
    };
    assert.match(await fault(), /^APP_ENCRYPTION_KEYS: found no key new, with which secrets are sealed\. /);
    assert.match(await fault(key("new", 9)), /found a key new that is not the one with which secrets are sealed/);
    assert.match(await fault(OLD), /found no key new/);
    // Not even that somebody came with another key: who has the right one has it still.
    assert.equal(await everything(), before);
    const { database, vault } = at(NEW);
    await checkKeys(database, vault);
    assert.ok((await byId(database, "red", "late"))?.desiredConfig);
    assert.equal(vault.writer?.id, "new");
  });
});
