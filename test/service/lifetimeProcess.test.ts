import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "../../kubernetes/connect/connect";
import { isSigned } from "../tools/isSigned";
import { until } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { ADMIN, ask, follow, ServiceProcess, stackOf, TOKEN } from "./process";
import { TestService } from "./service";

const run = randomBytes(3).toString("hex");
const namespace = `lifetime-${run}`;
const DAY = 86_400;

interface Notice {
  readonly level: string;
  readonly subject: string;
  readonly text: string;
}

describe("a deployment with a limited lifetime", () => {
  let place: TestService;
  let env: Record<string, string | undefined>;
  let service: ServiceProcess;
  let receiver: Server;
  let seen = 0;
  const received: { type: string; notice?: Notice; operation?: { kind: string; requestedBy: string } }[] = [];

  before(async function () {
    this.timeout(180_000);
    receiver = createServer((request, response) => {
      void text(request).then((body) => {
        const header = String(request.headers["stackyard-signature"]);
        if (isSigned(header, body, "key", Date.now() / 1000)) received.push(JSON.parse(body) as (typeof received)[0]);
        response.end();
      });
    }).listen(0, "127.0.0.1");
    const provisioners = { cluster: kubernetesProvisioner(namespace, { claimsWhenDeleted: "Delete" }) };
    place = await TestService.start({ defaultProvisioner: "cluster", provisioners });
    env = {
      ...place.project.place.env,
      APP_DATABASE_URL: place.place.url,
      APP_PLATFORM: "here",
      APP_LIFETIME_STOPPED_RETENTION: "30d",
      APP_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      APP_WEBHOOK_SECRET: "key",
    };
    service = await ServiceProcess.start(env);
  });
  after(async () => {
    await service.stop();
    await place.remove();
    receiver.close();
  });

  const answer = async <T>(query: string, token = TOKEN): Promise<T> => {
    const { data, errors } = await ask(service.url, query, token);
    assert.equal(errors, undefined);
    return Object.values(data ?? {})[0] as T;
  };
  const lifetime = async () => {
    const fields = "timeToLive idleLimit stoppedRetention hibernatesAt deletesAt announcedAt";
    const query = `{ deployment(id: "acme") { desiredState lifetime { ${fields} } } }`;
    type Shown = Readonly<Record<"idleLimit" | "hibernatesAt" | "deletesAt" | "announcedAt", string | null>>;
    return answer<{ desiredState: string; lifetime: Shown | null }>(query);
  };
  /** Everything about the deployment was so much earlier, and the periodic check comes now instead of within a minute. */
  const pass = async (days: number): Promise<void> => {
    await place.place.pool.query(
      `update lifetime set set_at = set_at - $1 * interval '1 day', used_at = used_at - $1 * interval '1 day',
         stopped_at = stopped_at - $1 * interval '1 day', due_at = due_at - $1 * interval '1 day',
         acts_at = acts_at - $1 * interval '1 day', next_at = next_at - $1 * interval '1 day'`,
      [days],
    );
    await place.place.pool.query("select graphile_worker.add_job('lifetimes')");
  };
  const notices = async (): Promise<string[]> => {
    const query = "{ notices(filter: { kind: [lifetime] }) { nodes { subject text } } }";
    const { nodes } = await answer<{ nodes: Notice[] }>(query);
    return nodes.map(({ subject, text: said }) => `${subject}: ${said}`).reverse();
  };
  /** Waits for the next notice. */
  const noticed = async (what: RegExp): Promise<void> => {
    await until(`a notice ${what.source}`, async () => (await notices()).length > seen);
    assert.match((await notices())[seen] ?? "", what);
    seen += 1;
  };
  const byItself = () =>
    answer<{ nodes: { id: string; kind: string; state: string }[] }>(
      '{ operations(filter: { requestedBy: "lifetime" }) { nodes { id kind state } } }',
    ).then(({ nodes }) => nodes);
  const disks = async (): Promise<number> => {
    const client = connect(readFileSync(place.project.place.kubeconfig, "utf8"), undefined, {});
    return (await client.list({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace })).length;
  };

  it("shows its hibernation time in a preview and gets its limits with the request", async () => {
    const wanted = 'id: "acme", deployment: { version: "1" }, lifetime: { idleLimit: "10d" }';
    const shown = await answer<{ plan: { notes: string[]; lifetime: Record<string, unknown> } }>(
      `mutation { provisionDeployment(${wanted}, dryRun: true) { plan { notes lifetime { idleLimit stoppedRetention hibernatesAt } } } }`,
    );
    assert.deepEqual([shown.plan.lifetime["idleLimit"], shown.plan.lifetime["stoppedRetention"]], ["10d", "30d"]);
    assert.match(shown.plan.notes.join("\n"), /It is hibernated at \S+Z, because its idle limit of 10d since its last/);
    const { operation } = await answer<{ operation: { id: string } }>(
      `mutation { provisionDeployment(${wanted}) { operation { id } } }`,
    );
    assert.equal((await follow(service.url, operation.id)).at(-1), "done");
    const { lifetime: has } = await lifetime();
    assert.equal(has?.idleLimit, "10d");
    assert.ok(has?.hibernatesAt);
  });

  it("announces its hibernation by notice and webhook, and is not hibernated after a reported use", async () => {
    await pass(9.5);
    await noticed(/^acme: it is hibernated at .* because its idle limit of 10d/);
    await until("the webhook", () => Promise.resolve(received.some(({ type }) => type === "notice")));
    assert.equal(received.find(({ type }) => type === "notice")?.notice?.level, "warning");
    assert.ok((await lifetime()).lifetime?.announcedAt);
    await answer('mutation { touchDeployment(id: "acme") { id } }');
    await pass(1);
    await noticed(/^acme: it is not hibernated at/);
    assert.deepEqual(await byItself(), []);
  });

  it("is not hibernated automatically when the command line has protected it", async () => {
    await place.project.must("stackyard", "runtime", "protect", stackOf("acme"));
    await pass(10);
    await noticed(/^acme: it is hibernated at/);
    await pass(1);
    await until("the operation has failed", async () => (await byItself())[0]?.state === "failed");
    await pass(0);
    await noticed(/^acme: it is hibernated by operation/);
    // The command line has used it.
    await pass(10);
    await noticed(/^acme: it stays, because it is protected, when its idle limit/);
    assert.equal((await lifetime()).desiredState, "running");
    await answer('mutation { unprotectDeployment(id: "acme") { deployment { id } } }', ADMIN);
    await settled();
  });

  it("is announced first after a long outage of the service, then hibernated by its own operation", async () => {
    await service.stop();
    await pass(100);
    service = await ServiceProcess.start(env);
    await noticed(/^acme: it is hibernated at/);
    assert.equal((await byItself()).length, 1);
    await pass(1);
    await noticed(/^acme: it is hibernated by operation/);
    const [operation] = await byItself();
    assert.equal((await follow(service.url, operation?.id ?? "")).at(-1), "done");
    const { desiredState, lifetime: has } = await lifetime();
    assert.deepEqual([desiredState, has?.hibernatesAt], ["hibernated", null]);
    assert.ok(Date.parse(has?.deletesAt ?? "") > Date.now() + 29 * DAY * 1000);
    assert.equal(await disks(), 1);
    await until("its end is sent", () =>
      Promise.resolve(received.some(({ operation: sent }) => sent?.requestedBy === "lifetime")),
    );
  });

  const settled = () =>
    until("its operations have ended", async () => {
      const query = '{ deployment(id: "acme") { currentOperation { id } } }';
      return (await answer<{ currentOperation: unknown }>(query)).currentOperation === null;
    });

  it("keeps its disk and restarts its periods after the command line has used it", async () => {
    const byHand = async (...verbs: string[]): Promise<void> => {
      await pass(29.5);
      await noticed(/^acme: it is deprovisioned at/);
      for (const verb of verbs) await place.project.must("stackyard", "runtime", verb, stackOf("acme"));
      await pass(1);
      await noticed(/^acme: it is deprovisioned by operation/);
      await until("the operation has failed", async () => (await byItself())[0]?.state === "failed");
      assert.equal(await disks(), 1);
    };
    const inDays = (at: string | null | undefined): number => (Date.parse(at ?? "") - Date.now()) / DAY / 1000;
    await byHand("wake", "hibernate");
    assert.ok(inDays((await lifetime()).lifetime?.deletesAt) > 29);
    await byHand("wake");
    const { desiredState, lifetime: has } = await lifetime();
    assert.equal(desiredState, "running");
    assert.ok(inDays(has?.hibernatesAt) > 9);
    await answer('mutation { hibernateDeployment(id: "acme") { deployment { id } } }');
    await settled();
  });

  it("stays with its disk while it is protected", async () => {
    await answer('mutation { protectDeployment(id: "acme") { deployment { id } } }');
    await settled();
    await pass(300);
    await noticed(/^acme: it stays, because it is protected, when its retention of 30d/);
    assert.deepEqual([(await lifetime()).lifetime?.deletesAt, (await byItself()).length], [null, 4]);
    await answer('mutation { unprotectDeployment(id: "acme") { deployment { id } } }', ADMIN);
    await settled();
    assert.equal(await disks(), 1);
  });

  it("is deprovisioned with its disk after a separate announcement", async () => {
    // Removing the protection was a request, so the retention was restarted.
    await pass(29.5);
    await noticed(/^acme: it is deprovisioned at \S+Z, because its retention of 30d/);
    assert.equal(await disks(), 1);
    const plan = await answer<{ plan: { notes: string[] } }>(
      'mutation { setDeploymentLifetime(id: "acme", lifetime: { stoppedRetention: null }, dryRun: true) { plan { notes } } }',
    );
    assert.ok(
      plan.plan.notes.every((note) => !note.includes("deprovisioned")),
      plan.plan.notes.join(),
    );
    await pass(1);
    await noticed(/^acme: it is deprovisioned by operation/);
    const [operation] = await byItself();
    assert.equal(operation?.kind, "deprovision");
    assert.equal((await follow(service.url, operation.id)).at(-1), "done");
    await until("its disk is gone", async () => (await disks()) === 0);
    assert.equal((await lifetime()).lifetime, null);
  });

  it("is neither announced nor made again after the command line has destroyed it", async () => {
    const wanted = 'id: "left", deployment: { version: "1" }, lifetime: { idleLimit: "10d" }';
    const { operation } = await answer<{ operation: { id: string } }>(
      `mutation { provisionDeployment(${wanted}) { operation { id } } }`,
    );
    assert.equal((await follow(service.url, operation.id)).at(-1), "done");
    await pass(9.5);
    await noticed(/^left: it is hibernated at .* because its idle limit of 10d/);
    await place.project.must("stackyard", "runtime", "destroy", stackOf("left"), "--yes");
    const before = await byItself();
    await pass(1);
    await noticed(/^left: it is not hibernated at \S+Z: it has been destroyed without the service/);
    for (const days of [1, 30]) {
      await pass(days);
      await until("the check", async () => {
        const due =
          "select from lifetime join deployment on id = deployment_id where name = 'left' and next_at <= now()";
        return (await place.place.pool.query(due)).rowCount === 0;
      });
    }
    assert.deepEqual([(await notices()).slice(seen), await byItself(), await disks()], [[], before, 0]);
  });
});
