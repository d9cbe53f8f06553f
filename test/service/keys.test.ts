import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import * as deployments from "../../service/database/queries/deployments";
import { OperationError, Operations, type Caller, type OperationInput } from "../../service/operations";
import { Rollouts } from "../../service/rollouts/rollouts";
import { testYard } from "../engine/runtime/yard";
import { testDatabase, type TestDatabase } from "./database";
import { refusal } from "./refusal";
import { ask, ServiceProcess } from "./process";

const ann: Caller = { tenant: "red", actor: "ann", role: "admin" };
const PLATFORM = "organization/stackyard/here";
const AGAIN = "This is the answer to the first request with its idempotency key; use a new key to try again";

describe("idempotency keys of refused requests", () => {
  let place: TestDatabase;
  let service: Operations;

  before(async () => {
    place = await testDatabase();
    service = new Operations({ database: place.database, defaultPlatform: PLATFORM });
  });
  after(() => place.remove());

  const asked = (deployment: string, idempotencyKey?: string, more: Partial<OperationInput> = {}): OperationInput => ({
    ...{ deployment, kind: "provision", idempotencyKey },
    change: { deployment: { version: "1", slots: 2 } },
    ...more,
  });
  const records = async (key: string): Promise<readonly Record<string, unknown>[]> =>
    (await place.pool.query<Record<string, unknown>>("select * from idempotency where key = $1", [key])).rows;
  const limit = (slots: number) =>
    place.pool.query("insert into quota values ('red', null, $1) on conflict (tenant) do update set slots = $1", [
      slots,
    ]);

  it("give the same refusal again although the request would be accepted now, and a new key does not", async () => {
    await limit(1);
    const first = await refusal(service.request(asked("full", "k-1"), ann));
    assert.equal(first.code, "QUOTA_EXCEEDED");
    await limit(100);
    const again = await refusal(service.request(asked("full", "k-1"), ann));
    assert.deepEqual(again.stored(), { ...first.stored(), advice: `${first.advice}. ${AGAIN}` });
    const other = await refusal(service.request(asked("full", "k-1", { change: { deployment: {} } }), ann));
    assert.deepEqual([other.code, other.path], ["CONFLICT", "idempotencyKey"]);
    assert.equal(await deployments.byId(place.database, "red", "full"), undefined);
    assert.equal((await service.request(asked("full", "k-2"), ann)).state, "pending");
  });

  it("give each kind of refusal again, also of requests that start no operation", async () => {
    await service.request(asked("there"), ann);
    const judge = () => Promise.resolve(new OperationError("BAD_INPUT", { reason: "no", path: "provisioner" }));
    const judged = new Operations({ database: place.database, defaultPlatform: PLATFORM, judge });
    const rollouts = new Rollouts({ database: place.database, operations: service, planner: () => assert.fail("no") });
    const rollout = { platform: PLATFORM, idempotencyKey: "k-rollout" };
    await rollouts.request({ platform: PLATFORM }, ann);
    const { id } = await service.request(asked("canceled"), ann);
    await service.cancel(id, ann);
    await service.protect("there", true, ann);
    const cases: readonly (readonly [code: string, path: string, work: () => Promise<unknown>])[] = [
      ["CONFLICT", "id", () => service.request(asked("there", "k-there"), ann)],
      ["CONFLICT", "revision", () => service.protect("there", true, ann, { revision: 9, idempotencyKey: "k-protect" })],
      ["CONFLICT", "id", () => service.cancel(id, ann, "k-cancel")],
      ["CONFLICT", "platform", () => rollouts.request(rollout, ann)],
      ["NOT_FOUND", "id", () => service.touch("nowhere", ann, "k-nowhere")],
      [
        "PROTECTED",
        "id",
        () => service.request(asked("there", "k-kept", { kind: "deprovision", change: undefined }), ann),
      ],
      ["BAD_INPUT", "provisioner", () => judged.request(asked("judged", "k-judged"), ann)],
    ];
    for (const [code, path, work] of cases) {
      const [one, two] = [await refusal(work()), await refusal(work())];
      assert.deepEqual([one.code, one.path, two.code, two.path, two.reason], [code, path, code, path, one.reason]);
      assert.ok(two.advice?.endsWith(AGAIN), two.advice);
    }
    // The judge refuses what was written already: nothing of it stays.
    assert.equal(await deployments.byId(place.database, "red", "judged"), undefined);
  });

  it("give concurrent duplicates one refusal", async () => {
    const tries = await Promise.all([1, 2, 3].map(() => refusal(service.request(asked("there", "k-3"), ann))));
    assert.deepEqual(new Set(tries.map(({ code, reason }) => `${code} ${reason}`)).size, 1);
    assert.equal((await records("k-3")).length, 1);
  });

  it("are free after an answer that says nothing about the request, or that does not depend on the service", async () => {
    const judge = () => Promise.resolve(new OperationError("UNAVAILABLE", { reason: "the platform can't be read" }));
    const away = new Operations({ database: place.database, defaultPlatform: PLATFORM, judge });
    assert.equal((await refusal(away.request(asked("free", "k-4"), ann))).code, "UNAVAILABLE");
    const broken = () => Promise.reject(new TypeError("a fault of the service"));
    const faulty = new Operations({ database: place.database, defaultPlatform: PLATFORM, onEnd: broken });
    const { id } = await service.request(asked("faulty"), ann);
    await assert.rejects(faulty.cancel(id, ann, "k-5"), TypeError);
    assert.equal((await refusal(service.request(asked("a b", "k-6"), ann))).code, "BAD_INPUT");
    const viewer = { ...ann, role: "viewer" } as const;
    assert.equal((await refusal(service.request(asked("free", "k-7"), viewer))).code, "FORBIDDEN");
    for (const key of ["k-4", "k-5", "k-6", "k-7"]) assert.deepEqual(await records(key), [], key);
    assert.equal((await service.request(asked("free", "k-4"), ann)).state, "pending");
  });

  it("are those of another request to an earlier version, which knows no refusals", async () => {
    await refusal(service.touch("nowhere", ann, "k-8"));
    const known = createHash("sha256")
      .update(canonicalJson({ touch: "nowhere" }))
      .digest("hex");
    assert.notEqual((await records("k-8"))[0]?.["digest"], known);
  });

  it("are refused by a replica that was frozen while another one refused them", async () => {
    const [{ env }, own] = await Promise.all([testYard(), testDatabase()]);
    const protect = (isProtected: boolean) => own.pool.query("update deployment set protected = $1", [isProtected]);
    await own.pool.query(
      "insert into deployment (id, name, tenant, desired_config, desired_state) values ('kept', 'kept', 'red', '{}', 'running')",
    );
    const variables = { ...env, APP_DATABASE_URL: own.url, APP_PLATFORM: "here", APP_WORKERS: "1" };
    const replicas = await Promise.all([1, 2].map(() => ServiceProcess.start(variables)));
    const [frozen, other] = [replicas[0]!, replicas[1]!];
    const query = 'mutation { deprovisionDeployment(id: "kept", idempotencyKey: "k-9") { operation { id } } }';
    try {
      await protect(true);
      frozen.child.kill("SIGSTOP");
      const late = ask(frozen.url, query);
      // It does not answer, so its caller asks the other one.
      const refused = await ask(other.url, query);
      assert.equal(refused.errors?.[0]?.extensions["code"], "PROTECTED");
      await protect(false);
      frozen.child.kill("SIGCONT");
      const { data, errors } = await late;
      assert.deepEqual([data, errors?.[0]?.message], [null, refused.errors[0].message]);
      assert.equal((await own.pool.query("select from operation")).rowCount, 0);
    } finally {
      frozen.child.kill("SIGCONT");
      await Promise.all(replicas.map((replica) => replica.stop()));
      await own.remove();
    }
  });
});
