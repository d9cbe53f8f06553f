/**
 * Callers of two tenants send, repeat and cancel requests to two replicas of the service with one host name, while services,
 * workers, engines, providers and PostgreSQL are killed, or stopped for longer than a lease. In the end each accepted request is
 * one operation that ended once; database, states, ledger, cluster and owners agree, and no orphan, lock or process remains.
 */

import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { connect } from "../../kubernetes/connect/connect";
import { closeLedgers } from "../../provider/ledger/database";
import { ENDED, type DeploymentRow, type OperationRow } from "../../service/database/tables";
import { configOf } from "../../engine/runtime/request/requests";
import { recordInState } from "../../engine/runtime/request/recorded";
import { parseCheckpoint, type StackState } from "../../engine/pulumi/state/checkpoint";
import { until } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { seededRandom } from "../../toolchain/tests/random";
import { remaining } from "./processes";
import { TestService } from "./service";
import { CALLERS, Requests } from "./soak/callers";
import { canIsolate, Replicas } from "./soak/replicas";
import { KINDS, LEASE_MS, makeTrouble } from "./soak/trouble";
import { objectsIn, ownersOf } from "./soak/truth";

const SEED = Number(process.env["STACKYARD_SOAK_SEED"] ?? randomInt(1_000_000));
const REQUESTS = Number(process.env["STACKYARD_SERVICE_SOAK"] ?? 6);
const TROUBLES = Number(process.env["STACKYARD_SERVICE_SOAK_KILLS"] ?? Math.max(KINDS, Math.ceil(REQUESTS * 0.3)));

/** An operation is killed again and again, and a slow machine takes long for each of its tries. */
const LIMIT_MS = 600_000;
const LIMITS = {
  HOST_STAGE_MS: String(LIMIT_MS),
  HOST_OPERATION_MS: String(LIMIT_MS),
  HOST_LEASE_MS: String(LEASE_MS),
};
const run = randomBytes(3).toString("hex");
const namespace = `service-soak-${run}`;
const host = `http://soak-${run}.localhost`;
const title = `${REQUESTS} requests of ${CALLERS.length} callers to 2 replicas with one host name under ${TROUBLES} faults`;

describe(`${title} (STACKYARD_SOAK_SEED=${SEED})`, function () {
  this.timeout(180_000 + REQUESTS * 20_000);
  let service: TestService;
  let receiver: Server;
  let replicas: Replicas;
  let requests: Requests;
  /** Operations whose end was reported to the receiver. */
  const reported: unknown[] = [];

  before(async () => {
    if (!canIsolate) console.log("      both in one PID namespace: unshare --pid is not permitted here");
    receiver = createServer((request, response) => {
      reported.push(request.headers["stackyard-operation"]);
      // Some are killed while they wait for it, and some have to come again.
      setTimeout(() => response.writeHead(reported.length % 3 === 0 ? 503 : 204).end(), 200);
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    service = await TestService.start({
      defaultProvisioner: "cluster",
      provisioners: {
        cluster: kubernetesProvisioner(namespace, { timeoutSeconds: 60 }),
        pool: { type: "static", spec: { runtimes: [{ host, slots: 30 }] } },
      },
    });
  });
  after(async () => {
    await replicas.stop();
    await service.remove(async () => (await objects()).length === 0);
    await until("no process remains", () => Promise.resolve(remaining(run).length === 0));
    receiver.close();
  });

  const stateOf = async (stack: string): Promise<StackState | undefined> => {
    const key = `%/stacks/stackyard-runtime/${stack}.json`;
    const { rows } = await service.place.pool.query<{ data: { data: string } }>(
      "select data from pulumi_state where key like $1",
      [key],
    );
    return rows[0] && parseCheckpoint(stack, Buffer.from(rows[0].data.data, "base64").toString());
  };
  const cluster = () => connect(readFileSync(service.project.place.kubeconfig, "utf8"), undefined, {});
  const objects = () => objectsIn(cluster(), namespace);
  const operations = (): Promise<OperationRow[]> =>
    service.place.database.selectFrom("operation").selectAll().orderBy("id").execute();
  const deployments = (): Promise<DeploymentRow[]> =>
    service.place.database.selectFrom("deployment").selectAll().orderBy("id").execute();

  it("end exactly once each", async () => {
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    replicas = new Replicas(service, run, {
      HOST_WORKERS: "1",
      HOST_WEBHOOK: hook,
      HOST_STACK_NAMES: "tenant",
      ...LIMITS,
    });
    requests = new Requests(replicas, service.place.database, run);
    await Promise.all(replicas.names.map((name) => replicas.start(name, true)));
    // Its own numbers, so that the time that requests take does not decide what is requested.
    const trouble = makeTrouble(replicas, run, TROUBLES, seededRandom(SEED + 1));
    const fewest = Math.min(TROUBLES, KINDS);
    // Quick operations could all have ended before each kind of trouble was made once.
    const wants = (number: number): boolean =>
      number < REQUESTS || (trouble.done.length < fewest && number < 20 * REQUESTS);
    await Promise.all(CALLERS.map((_, index) => requests.call(index, SEED, wants)));
    for (const id of requests.accepted.keys()) await service.end({ id }, LIMIT_MS);
    await trouble.end();
    if (process.env["STACKYARD_SOAK_VERBOSE"]) {
      const { accepted, canceled } = requests;
      console.log(`      accepted: ${accepted.size}, canceled: ${canceled.size}; ${trouble.done.join(", ")}`);
      const states = Map.groupBy(
        await operations(),
        ({ kind, state, error }) => `${kind} ${state} ${error?.code ?? ""}`,
      );
      for (const [what, { length }] of states) console.log(`      ${what}: ${length}`);
    }
    assert.deepEqual(requests.faults, []);
    assert.ok(trouble.done.length >= fewest, `only this happened: ${trouble.done.join(", ")}`);
  });

  it("have one operation each with the requested outcome, and no other operation exists", async () => {
    const rows = await operations();
    const { accepted, canceled } = requests;
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...accepted.keys()].sort());
    const stacks = new Map((await deployments()).map(({ id, tenant, name }) => [id, `${tenant}/${name}`]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    const wrong = rows.filter((row) => {
      const { caller, input } = accepted.get(row.id)!;
      const isWhose = row.tenant === caller.tenant && row.requestedBy === caller.actor;
      const next = byId.get(row.replacedBy ?? "");
      const isIncluded = next?.requestedBy === row.requestedBy && next.deploymentId === row.deploymentId;
      const isFolded = rows.some(({ replacedBy }) => replacedBy === row.id);
      const ends: Partial<Record<OperationRow["state"], boolean>> = {
        succeeded: row.error === null,
        failed: row.error !== null && !["INTERNAL", "TIMEOUT"].includes(row.error.code),
        canceled: canceled.has(row.id),
        replaced: isIncluded,
      };
      const isOf = stacks.get(row.deploymentId) === `${caller.tenant}/${input.deployment}`;
      return !isWhose || !isOf || ends[row.state] !== true || (row.kind !== input.kind && !isFolded);
    });
    assert.deepEqual(wrong, []);
    const { rows: ends } = await service.place.pool.query<{ id: string; count: string }>(
      "select operation_id as id, count(*) from event where kind = 'state' and data ->> 'state' = any($1) group by 1",
      [[...ENDED]],
    );
    assert.deepEqual(
      ends.filter(({ count }) => count !== "1"),
      [],
    );
    assert.equal(ends.length, rows.length);
    const keys = await service.place.database.selectFrom("idempotency").selectAll().execute();
    const ofKeys = new Map(keys.map(({ tenant, key, operationId }) => [`${tenant} ${key}`, operationId]));
    for (const [id, { caller, key }] of accepted) assert.equal(ofKeys.get(`${caller.tenant} ${key}`), id, key);
  });

  it("are reported to the receiver, however often their processes are killed", async function () {
    this.timeout(300_000);
    const { database } = service.place;
    const open = () => database.selectFrom("webhookDelivery").selectAll().where("state", "!=", "delivered").execute();
    while ((await open()).length > 0) await sleep(200);
    assert.deepEqual(
      (await operations()).map(({ id }) => id).filter((id) => !reported.includes(id)),
      [],
    );
  });

  it("leave database, states, ledger and cluster consistent with one owner each after a final request", async () => {
    for (const { tenant, name, deletedAt, desiredState } of await deployments()) {
      if (deletedAt !== null) continue;
      const kind = desiredState === "absent" ? "deprovision" : "update";
      const caller = CALLERS.find((each) => each.tenant === tenant)!;
      const asked = { deployment: name, kind, change: { deployment: {} } } as const;
      const operation = await service.end(await service.operations.request(asked, caller));
      assert.deepEqual([operation.state, operation.error], ["succeeded", null], `${tenant}/${name}`);
    }
    const slots: string[] = [];
    const stacks: string[] = [];
    const inventory: string[] = [];
    const owners: string[] = [];
    for (const row of await deployments()) {
      const state = await stateOf(row.id);
      assert.equal(state !== undefined, row.deletedAt === null, row.id);
      if (!state) continue;
      stacks.push(row.id);
      assert.equal(state.pending, 0, row.id);
      const record = recordInState(state);
      assert.deepEqual(row.desiredConfig, record && configOf(record, row.id), row.id);
      assert.equal(row.provisioner, record?.provisioner, row.id);
      const sets = state.resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
      inventory.push(...sets.flatMap(({ outputs = {} }) => outputs["inventory"] as string[]));
      owners.push(...sets.map(({ outputs = {} }) => `${String(outputs["name"])} stackyard-runtime/${row.id}`));
      if (record?.provisioner !== "pool") continue;
      slots.push(`${row.id} ${record.deployment.slots}`);
      owners.push(`here/pool/${row.id} stackyard-runtime/${row.id}`);
    }
    assert.deepEqual(await service.stacks(), stacks.sort());
    const { ledgerUrl } = service.project.place;
    const ledger = new Client({ connectionString: ledgerUrl });
    await ledger.connect();
    const { rows } = await ledger.query<{ row: string }>(
      "select deployment || ' ' || slots as row from stackyard.allocations where host = $1 order by 1",
      [host],
    );
    await ledger.end();
    assert.deepEqual(rows.map(({ row }) => row).sort(), slots.sort());
    assert.deepEqual(await objects(), inventory.sort());
    assert.deepEqual(await ownersOf(cluster(), namespace, ledgerUrl, "here/pool"), owners.sort());
    await closeLedgers();
    const locks = await service.place.pool.query("select key from pulumi_state where key like '%/locks/%'");
    assert.deepEqual(locks.rows, []);
    const orphans = await service.project.stackyard("runtime", "list", "--orphans", "-o", "json");
    assert.deepEqual(JSON.parse(orphans.stdout), []);
    const checked = await service.project.stackyard("runtime", "check", "--all");
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
  });
});
