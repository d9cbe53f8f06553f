import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import * as events from "../../service/database/queries/events";
import { byId as deploymentById } from "../../service/database/queries/deployments";
import { byId } from "../../service/database/queries/operations";
import type { OperationRow } from "../../service/database/tables";
import { holdLedger, until, waitsForLedger } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { MARK } from "../engine/soak/harm";
import { kill, remaining, type Role } from "./processes";
import { askHost, CALLER, TestService } from "./service";

const run = randomBytes(3).toString("hex");
const first = `${run}-first-`;
const second = `${run}-second-`;

const HELD = 4711;
const OF_HELD = `from pg_locks where locktype = 'advisory' and objid = ${HELD} and not granted`;

describe("operations whose processes die", () => {
  let service: TestService;

  before(async function () {
    this.timeout(180_000);
    service = await TestService.start({
      defaultProvisioner: "pool",
      provisioners: {
        cluster: kubernetesProvisioner(`recovery-${run}`, { timeoutSeconds: 90 }),
        pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 40 }] } },
      },
    });
    await Promise.all([
      service.host({ [MARK]: first, HOST_WORKERS: "1" }),
      service.host({ [MARK]: second, HOST_WORKERS: "1" }),
    ]);
  });
  after(async () => {
    await service.remove();
    await until("no process remains", () => Promise.resolve(remaining(run).length === 0));
  });

  const provision = (id: string) => service.ask(id, "provision", { deployment: { version: "1", slots: 1 } });
  const now = async ({ id }: OperationRow): Promise<OperationRow> =>
    (await byId(service.place.database, undefined, id)) ?? assert.fail(`operation ${id} is gone`);
  const worksOn = async (operation: OperationRow): Promise<string> => {
    const { leaseOwner } = await now(operation);
    return Number(leaseOwner?.split(":")[1]) === service.hosts[1]?.child.pid ? second : first;
  };
  const succeeded = async (operation: OperationRow): Promise<OperationRow> => {
    const row = await service.end(operation);
    assert.deepEqual([row.state, row.error], ["succeeded", null]);
    return row;
  };

  for (const victim of ["engine", "worker"] as const satisfies readonly Role[]) {
    it(`continue when the ${victim} is killed midway`, async () => {
      const release = await holdLedger(service.project.place);
      let operation: OperationRow;
      try {
        operation = await provision(`killed-${victim}`);
        await until("it waits for the ledger", () => waitsForLedger(service.project.place));
        assert.ok(kill(await worksOn(operation), victim) > 0);
        await until("it is tried again", async () => (await now(operation)).attempts > 1);
      } finally {
        await release();
      }
      await succeeded(operation);
    });
  }

  it("are handed over by a terminating process", async () => {
    const third = await service.host({ [MARK]: `${run}-third-`, HOST_WORKERS: "1", HOST_DRAIN_MS: "500" });
    const owner = (operation: OperationRow) => now(operation).then(({ leaseOwner }) => leaseOwner?.split(":")[1]);
    const release = await holdLedger(service.project.place);
    const asked: OperationRow[] = [];
    try {
      // As many as there are workers, so that each process has one.
      for (const name of ["a", "b", "c"]) asked.push(await provision(`drained-${name}`));
      await until("all are worked on", async () => {
        const owners = await Promise.all(asked.map(owner));
        return owners.includes(String(third.child.pid));
      });
      third.child.kill("SIGTERM");
      assert.deepEqual(await third.ended, { code: 0, signal: null });
    } finally {
      await release();
    }
    for (const operation of asked) await succeeded(operation);
    // The workers have ended. Their engines got a signal and end a moment later.
    await until("nothing of it remains", () => Promise.resolve(remaining(`${run}-third-`).length === 0));
  });

  it("are taken over when their process is killed", async () => {
    const release = await holdLedger(service.project.place);
    let operation: OperationRow;
    try {
      operation = await provision("killed-service");
      await until("it waits for the ledger", () => waitsForLedger(service.project.place));
      const mark = await worksOn(operation);
      const { leaseOwner } = await now(operation);
      assert.equal(kill(mark, "service"), 1);
      await until("somebody else works on it", async () => {
        const row = await now(operation);
        return row.leaseOwner !== leaseOwner && row.attempts > 1;
      });
      await until("nothing of the first remains", () => Promise.resolve(remaining(mark).length === 0));
    } finally {
      await release();
    }
    await succeeded(operation);
    const { nodes } = await events.eventPage(service.place.database, { operation: operation.id });
    assert.ok(nodes.some(({ text }) => text.startsWith("taken over from")));
  });

  it("end cleanly when canceled, and their resources can be deleted", async () => {
    // More than any node has, so that it waits.
    const deployment = { version: "1", slots: 500, provisioner: "cluster" };
    const operation = await service.ask("canceled", "provision", { deployment });
    await until("the engine waits", async () => {
      const { nodes } = await events.eventPage(service.place.database, { operation: operation.id });
      return nodes.some(({ text }) => text.startsWith("waiting for StatefulSet"));
    });
    await service.operations.cancel(operation.id, CALLER);
    const row = await service.end(operation, 30_000);
    assert.deepEqual([row.state, row.error?.code], ["canceled", "CANCELED"]);
    await succeeded(await service.ask("canceled", "deprovision"));
    assert.equal((await service.stacks()).includes("canceled"), false);
  });

  const keysOf = async (id: string): Promise<string[]> => {
    const { rows } = await service.place.pool.query<{ key: string }>(
      "select key from pulumi_state where key ~ '/(stacks|locks)/' and key like $1 and key not like '%.bak' order by 1 desc",
      [`%/stackyard-runtime/${id}%`],
    );
    return rows.map(({ key }) => key);
  };
  /** As an engine on another machine does. */
  const lock = async (id: string, pid: number): Promise<void> => {
    const name = new URL(service.place.url).pathname.slice(1);
    const text = JSON.stringify({ pid, username: "root", hostname: "elsewhere", timestamp: "2026-01-01T00:00:00Z" });
    const key = `${name}/.pulumi/locks/organization/stackyard-runtime/${id}/${pid}.json`;
    const data = JSON.stringify({ data: Buffer.from(text).toString("base64") });
    await service.place.pool.query("insert into pulumi_state (key, data) values ($1, $2)", [key, data]);
  };
  const unlock = async (pid: number): Promise<number | null> =>
    (await service.place.pool.query("delete from pulumi_state where key like $1", [`%/${pid}.json`])).rowCount;
  const isDeleted = async (id: string): Promise<boolean> =>
    (await deploymentById(service.place.database, CALLER.tenant, id))?.deletedAt !== null;

  /** Has the first write of an engine to the state of such a stack wait, until the engine is killed. */
  const holdStates = async (stacks: string): Promise<() => Promise<void>> => {
    const client = await service.place.pool.connect();
    await client.query(`create function hold() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(${HELD}); return new; end'`);
    await client.query(`create trigger hold before update on pulumi_state for each row
      when (new.key like '%/${stacks}%') execute function hold()`);
    await client.query("select pg_advisory_lock($1)", [HELD]);
    return async () => {
      await client.query(`select pg_terminate_backend(pid) ${OF_HELD}`);
      await client.query("drop function hold cascade");
      await client.query("select pg_advisory_unlock($1)", [HELD]);
      client.release();
    };
  };
  const isHeld = async (): Promise<boolean> => (await service.place.pool.query(`select 1 ${OF_HELD}`)).rowCount === 1;

  for (const victim of ["engine", "worker"] as const satisfies readonly Role[]) {
    it(`leave neither a stack nor a lock when canceled after their ${victim} was killed at the start`, async () => {
      const id = `unborn-${victim}`;
      const release = await holdStates(id);
      let operation: OperationRow;
      try {
        operation = await provision(id);
        await until("its engine has begun", isHeld);
        assert.ok(kill(await worksOn(operation), victim) > 0);
        await service.operations.cancel(operation.id, CALLER);
      } finally {
        await release();
      }
      assert.equal((await service.end(operation)).state, "canceled");
      assert.deepEqual([await isDeleted(id), await keysOf(id)], [true, []]);
    });
  }

  it("leave no stack of a new deployment whose preview was killed", async () => {
    const change = { deployment: { version: "1" } };
    const plan = service.plan({ deployment: "unborn-plan", kind: "provision", change });
    await Promise.all([
      assert.rejects(plan, { code: "UNAVAILABLE" }),
      until("it has a stack", async () => (await keysOf("unborn-plan")).length > 0).then(() =>
        // Either process of the service may plan it.
        [first, second].map((mark) => kill(mark, "worker")),
      ),
    ]);
    assert.deepEqual(await keysOf("unborn-plan"), []);
  });

  it("leave no stack of a new deployment whose preview was killed with its whole service process", async () => {
    const [id, mark] = ["unborn-alone", `${run}-alone-`];
    const host = await service.host({ [MARK]: mark, HOST_WORKERS: "1" });
    const plan = { deployment: id, kind: "provision", change: { deployment: { version: "1" } } } as const;
    const answer = askHost(host, { caller: CALLER, plan });
    await until("it has a stack", async () => (await keysOf(id)).length > 0);
    for (const role of ["service", "worker", "engine", "provider"] as const) kill(mark, role);
    assert.deepEqual([await answer, (await keysOf(id)).length], [undefined, 1]);
    await service.place.pool.query("update preview set until = now() where deployment_id = $1", [id]);
    await until("another process has removed it", async () => (await keysOf(id)).length === 0);
    await until("nothing of it remains", () => Promise.resolve(remaining(mark).length === 0));
  });

  it("keep a deployment while another process locks its empty stack", async () => {
    const made = await service.project.pulumi("stack", "init", "occupied", "--no-select");
    assert.equal(made.code, 0, made.stderr);
    await lock("occupied", 4141);
    const operation = await provision("occupied");
    await until("it says so", async () => (await now(operation)).message.includes("pid 4141 of root on elsewhere"));
    await service.operations.cancel(operation.id, CALLER);
    assert.equal((await service.end(operation)).state, "canceled");
    assert.equal(await isDeleted("occupied"), false);
    assert.equal(await unlock(4141), 1);
    await succeeded(await service.ask("occupied", "deprovision"));
    assert.deepEqual([await isDeleted("occupied"), await keysOf("occupied")], [true, []]);
  });

  it("wait for a manual command that works on the stack", async () => {
    await succeeded(await provision("by-hand"));
    const release = await holdLedger(service.project.place);
    let operation: OperationRow;
    const hand = service.project.start("runtime", "up", "by-hand", "--slots", "2");
    try {
      await until("the hand waits for the ledger", () => waitsForLedger(service.project.place));
      operation = await service.ask("by-hand", "update", { deployment: { version: "2" } });
      await until("it says so", async () => (await now(operation)).message.includes("its stack is locked"));
    } finally {
      await release();
    }
    assert.equal((await hand.ended).code, 0);
    const row = await succeeded(operation);
    assert.equal(row.result?.outputs["cpu"], 2);
  });

  it("remove a stale lock of our own engine on another machine, and no other lock", async () => {
    const { id: operation, deploymentId: id } = await succeeded(await provision("elsewhere"));
    const update = () => service.ask("elsewhere", "update", { deployment: { slots: 2 } });
    await service.place.pool.query("update operation set engines = $2 where id = $1", [
      operation,
      JSON.stringify([{ host: "elsewhere", pid: 4242, at: Date.parse("2026-01-01T00:00:00Z") }]),
    ]);
    await lock(id, 4242);
    await succeeded(await update());
    await lock(id, 4343);
    const waiting = await update();
    await until("it says so", async () => (await now(waiting)).message.includes("pid 4343 of root on elsewhere"));
    await service.operations.cancel(waiting.id, CALLER);
    assert.equal((await service.end(waiting)).state, "canceled");
    assert.equal(await unlock(4343), 1);
  });
});
