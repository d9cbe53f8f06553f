import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import * as events from "../../service/database/queries/events";
import { byId } from "../../service/database/queries/operations";
import type { OperationRow } from "../../service/database/tables";
import { holdLedger, until, waitsForLedger } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { MARK } from "../engine/soak/harm";
import { kill, remaining, type Role } from "./processes";
import { CALLER, TestService } from "./service";

const run = randomBytes(3).toString("hex");
const first = `${run}-first-`;
const second = `${run}-second-`;

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
    it(`go on when the ${victim} is killed in the middle`, async () => {
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

  it("are handed over by a process that is to end", async () => {
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
    const { nodes } = await events.page(service.place.database, { operation: operation.id });
    assert.ok(nodes.some(({ text }) => text.startsWith("taken over from")));
  });

  it("end cleanly when they are canceled, and what they made can be removed", async () => {
    // More than any node has, so that it waits.
    const deployment = { version: "1", slots: 500, provisioner: "cluster" };
    const operation = await service.ask("canceled", "provision", { deployment });
    await until("the engine waits", async () => {
      const { nodes } = await events.page(service.place.database, { operation: operation.id });
      return nodes.some(({ text }) => text.startsWith("waiting for StatefulSet"));
    });
    await service.operations.cancel(operation.id, CALLER);
    const row = await service.end(operation, 30_000);
    assert.deepEqual([row.state, row.error?.code], ["canceled", "CANCELED"]);
    await succeeded(await service.ask("canceled", "deprovision"));
    assert.equal((await service.stacks()).includes("canceled"), false);
  });

  it("wait for somebody who works on the stack by hand", async () => {
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

  it("remove a lock that an engine of ours left behind on another machine, and nobody else's", async () => {
    const { id } = await succeeded(await provision("elsewhere"));
    const lock = async (pid: number) => {
      const name = new URL(service.place.url).pathname.slice(1);
      const text = JSON.stringify({ pid, username: "root", hostname: "elsewhere", timestamp: "2026-01-01T00:00:00Z" });
      const key = `${name}/.pulumi/locks/organization/stackyard-runtime/elsewhere/${pid}.json`;
      const data = JSON.stringify({ data: Buffer.from(text).toString("base64") });
      await service.place.pool.query("insert into pulumi_state (key, data) values ($1, $2)", [key, data]);
    };
    const update = () => service.ask("elsewhere", "update", { deployment: { slots: 2 } });
    await service.place.pool.query("update operation set engines = $2 where id = $1", [
      id,
      JSON.stringify([{ host: "elsewhere", pid: 4242, at: Date.parse("2026-01-01T00:00:00Z") }]),
    ]);
    await lock(4242);
    await succeeded(await update());
    await lock(4343);
    const waiting = await update();
    await until("it says so", async () => (await now(waiting)).message.includes("pid 4343 of root on elsewhere"));
    await service.operations.cancel(waiting.id, CALLER);
    assert.equal((await service.end(waiting)).state, "canceled");
    const { rowCount } = await service.place.pool.query("delete from pulumi_state where key like '%/4343.json'");
    assert.equal(rowCount, 1);
  });
});
