import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { refOf } from "../../kubernetes/claims/claims";
import { connect } from "../../kubernetes/client/connect";
import { inventoryKey } from "../../kubernetes/client/objects";
import { markedIn } from "../../kubernetes/remove/marked";
import { byId } from "../../service/database/queries/deployments";
import { ENDED, type OperationKind } from "../../service/database/tables";
import { OperationError } from "../../service/operations";
import { configOf } from "../../engine/runtime/request/requests";
import { recordOf } from "../../engine/runtime/request/recorded";
import { parseCheckpoint, type StackState } from "../../engine/state/checkpoint";
import type { RuntimeChange } from "../../engine/stack/change";
import { until } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { harm, MARK } from "../engine/soak/harm";
import { dice } from "../engine/soak/plan";
import { patiently } from "./patience";
import { kill, remaining, type Role } from "./processes";
import { TestService } from "./service";

const SEED = Number(process.env["STACKYARD_SOAK_SEED"] ?? randomInt(1_000_000));
const OPERATIONS = Number(process.env["STACKYARD_SERVICE_SOAK"] ?? 6);
const IDS = ["ant", "bee", "cat", "dog"];
const KILLS = Number(process.env["STACKYARD_SERVICE_SOAK_KILLS"] ?? Math.max(5, Math.ceil(OPERATIONS * 0.3)));
const VICTIMS: readonly (Role | "postgres")[] = ["service", "worker", "engine", "provider", "postgres"];

/** An operation is killed again and again, and a slow machine takes long for each of its tries. */
const LIMIT_MS = 600_000;
const LIMITS = { HOST_STAGE_MS: String(LIMIT_MS), HOST_OPERATION_MS: String(LIMIT_MS) };
const run = randomBytes(3).toString("hex");
const namespace = `service-soak-${run}`;
const host = `http://soak-${run}.localhost`;

describe(`${OPERATIONS} operations while ${KILLS} processes are killed (STACKYARD_SOAK_SEED=${SEED})`, function () {
  this.timeout(60_000 + OPERATIONS * 20_000);
  let service: TestService;
  let receiver: Server;
  const asked: string[] = [];
  /** Operations whose end was reported to the receiver. */
  const reported: unknown[] = [];

  before(async () => {
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
    await service.remove(async () => (await objects()).length === 0);
    await until("no process remains", () => Promise.resolve(remaining(run).length === 0));
    receiver.close();
  });

  const start = (name: string) => {
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    return service.host({ [MARK]: `${run}-${name}-`, HOST_WORKERS: "1", HOST_WEBHOOK: hook, ...LIMITS });
  };
  const stateOf = async (id: string): Promise<StackState | undefined> => {
    const key = `%/stacks/stackyard-runtime/${id}.json`;
    const { rows } = await service.place.pool.query<{ data: { data: string } }>(
      "select data from pulumi_state where key like $1",
      [key],
    );
    return rows[0] && parseCheckpoint(id, Buffer.from(rows[0].data.data, "base64").toString());
  };

  /** What the cluster has of runtimes, with their disks. */
  const objects = async (): Promise<string[]> => {
    const client = connect(readFileSync(service.project.place.kubeconfig, "utf8"), undefined, {});
    const marked = await markedIn(client, namespace);
    return marked
      .map((object) => inventoryKey(refOf(object)))
      .filter((key) => key.includes("runtime-"))
      .sort();
  };

  it("end, each of them once", async () => {
    const roll = dice(SEED);
    const oneOf = <T>(list: readonly T[]): T => list[Math.floor(roll() * list.length)] as T;
    const names = ["x", "y"];
    await Promise.all(names.map(start));
    let done = false;
    // Its own dice: how long things take must not decide what is asked for.
    const fate = dice(SEED + 1);
    const killed: string[] = [];
    const killing = (async () => {
      while (!done && killed.length < KILLS) {
        await sleep(300 + fate() * 1_500);
        const name = names[Math.floor(fate() * names.length)] ?? "x";
        // Each in turn, so that a short soak has all of them.
        const victim = VICTIMS[killed.length % VICTIMS.length] ?? "worker";
        if (victim === "postgres") await harm("postgres", { pid: 0, mark: run, isOver: () => done });
        else if (kill(`${run}-${name}-`, victim) === 0) continue;
        killed.push(victim);
        if (victim === "service") await start(name);
      }
    })();
    const fewestKills = Math.min(KILLS, VICTIMS.length);
    // Quick operations could all have ended before each kind of process was killed once.
    const mayEnd = (number: number): boolean => killed.length >= fewestKills || number >= 20 * OPERATIONS;
    for (let number = 0; number < OPERATIONS || !mayEnd(number); number++) {
      const id = IDS[number % IDS.length] ?? "";
      const there = await patiently(() => byId(service.place.database, undefined, id));
      const isThere = there !== undefined && there.deletedAt === null && there.desiredState !== "absent";
      const provisioner = oneOf(["cluster", "pool"]);
      const slots = 1 + Math.floor(roll() * 3);
      const wanted = oneOf<OperationKind>(["update", "update", "hibernate", "wake", "move", "refresh", "deprovision"]);
      const kind = isThere ? wanted : "provision";
      const changes: Partial<Record<OperationKind, RuntimeChange>> = {
        provision: { deployment: { version: "1", slots, provisioner } },
        update: { deployment: { version: String(number), slots } },
        move: { deployment: {}, move: provisioner },
      };
      try {
        asked.push((await service.ask(id, kind, changes[kind])).id);
      } catch (error) {
        // What was asked for a moment ago has ended, and with it what this was decided by.
        if (!(error instanceof OperationError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")))
          throw error;
      }
      await sleep(roll() * 1_500);
    }
    for (const id of new Set(asked)) await service.end({ id }, LIMIT_MS);
    done = true;
    await killing;
    if (process.env["STACKYARD_SOAK_VERBOSE"]) console.log(`killed: ${killed.join(" ")}`);
    assert.ok(killed.length >= fewestKills, `only these were killed: ${killed.join(" ")}`);
    const rows = await service.place.database.selectFrom("operation").selectAll().execute();
    assert.deepEqual(
      rows.filter(({ state }) => !ENDED.has(state)).map(({ id }) => id),
      [],
    );
    assert.deepEqual(
      rows.filter(({ error }) => error?.code === "INTERNAL" || error?.code === "TIMEOUT").map(({ error }) => error),
      [],
    );
    const ends = await service.place.pool.query(
      "select operation_id from event where kind = 'state' and data ->> 'state' in ('succeeded', 'failed', 'canceled', 'replaced') group by 1 having count(*) <> 1",
    );
    assert.deepEqual(ends.rows, []);
  });

  it("are reported to the receiver, however often their processes were killed", async function () {
    this.timeout(300_000);
    const { database } = service.place;
    const open = () => database.selectFrom("webhookDelivery").selectAll().where("state", "!=", "delivered").execute();
    while ((await open()).length > 0) await sleep(200);
    // What replaces another is requested by this test, which has no webhook.
    const ended = await database.selectFrom("operation").select("id").where("state", "!=", "replaced").execute();
    assert.deepEqual(
      ended.filter(({ id }) => !reported.includes(id)),
      [],
    );
  });

  it("leave database, states and ledger equal, once each deployment was asked for something more", async () => {
    for (const id of IDS) {
      const there = await byId(service.place.database, undefined, id);
      if (there === undefined || there.deletedAt !== null) continue;
      const isGoing = there.desiredState === "absent";
      const operation = await service.done(id, isGoing ? "deprovision" : "update", { deployment: {} });
      assert.deepEqual([operation.state, operation.error], ["succeeded", null], id);
    }
    const expected: string[] = [];
    const stacks: string[] = [];
    const inventory: string[] = [];
    for (const id of IDS) {
      const row = await byId(service.place.database, undefined, id);
      const state = await stateOf(id);
      assert.equal(state !== undefined, row !== undefined && row.deletedAt === null, id);
      if (!state || !row) continue;
      stacks.push(id);
      assert.equal(state.pending, 0, id);
      const record = recordOf(state);
      assert.deepEqual(row.desiredConfig, record && configOf(record, id), id);
      assert.equal(row.provisioner, record?.provisioner, id);
      const sets = state.resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
      inventory.push(...sets.flatMap(({ outputs = {} }) => outputs["inventory"] as string[]));
      if (record?.provisioner === "pool") expected.push(`${id} ${record.deployment.slots}`);
    }
    assert.deepEqual(await service.stacks(), stacks);
    const ledger = new Client({ connectionString: service.project.place.ledgerUrl });
    await ledger.connect();
    const { rows } = await ledger.query<{ row: string }>(
      "select deployment || ' ' || slots as row from stackyard.allocations where host = $1 order by 1",
      [host],
    );
    await ledger.end();
    assert.deepEqual(
      rows.map(({ row }) => row),
      expected.sort(),
    );
    assert.deepEqual(await objects(), inventory.sort());
    const locks = await service.place.pool.query("select key from pulumi_state where key like '%/locks/%'");
    assert.deepEqual(locks.rows, []);
    const orphans = await service.project.stackyard("runtime", "list", "--orphans", "-o", "json");
    assert.deepEqual(JSON.parse(orphans.stdout), []);
  });
});
