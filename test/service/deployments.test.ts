import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Capacity } from "../../service/capacity/capacity";
import * as deployments from "../../service/database/queries/deployments";
import { byId, stagesOf } from "../../service/database/queries/operations";
import * as events from "../../service/database/queries/events";
import { parseCheckpoint } from "../../engine/pulumi/state/checkpoint";
import type { OperationRow } from "../../service/database/tables";
import { projectRoot } from "../../toolchain/root";
import * as path from "node:path";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { until } from "../engine/cli/held";
import { connect } from "../../kubernetes/connect/connect";
import { CALLER, TestService } from "./service";

const run = randomBytes(3).toString("hex");

describe("the deployments of the service", () => {
  let service: TestService;

  before(async function () {
    this.timeout(180_000);
    service = await TestService.start({
      defaultProvisioner: "cluster",
      provisioners: {
        cluster: kubernetesProvisioner(`service-${run}`),
        pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 8 }] } },
      },
    });
    await service.host();
  });
  after(() => service.remove());

  const row = (id: string) => deployments.byId(service.place.database, undefined, id);
  const now = async ({ id }: OperationRow) => (await byId(service.place.database, undefined, id))!;
  const namespace = `service-${run}`;
  const succeeded = (operation: OperationRow): OperationRow => {
    assert.deepEqual([operation.state, operation.error], ["succeeded", null]);
    return operation;
  };

  it("get a runtime and report its stages and the engine's events", async () => {
    const operation = succeeded(await service.done("acme", "provision", { deployment: { version: "1", slots: 2 } }));
    assert.equal(operation.result?.outputs["cpu"], 2);
    const stages = await stagesOf(service.place.database, [operation.id]);
    assert.deepEqual(
      stages.map(({ name, state }) => [name, state]),
      [
        ["settle", "succeeded"],
        ["apply", "succeeded"],
      ],
    );
    const { nodes } = await events.eventPage(service.place.database, { operation: operation.id });
    const steps = nodes.filter(({ kind }) => kind === "step").map(({ text }) => text);
    assert.equal(steps.length, 1);
    assert.match(steps[0] ?? "", /^creating ManifestSet /);
    const deployment = await row("acme");
    assert.equal(deployment?.provisioner, "cluster");
    assert.equal(deployment.outputs["cpu"], 2);
    assert.equal(operation.engines.length, 1);
  });

  it("use the same stacks as manual commands and write no file into the checkout", async () => {
    const before = readdirSync(path.join(projectRoot(), "runtime"));
    assert.deepEqual(await service.stacks(), ["acme"]);
    const { code, stdout, stderr } = await service.project.stackyard("runtime", "status", "acme", "-o", "json");
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"provisioner": "cluster"/);
    assert.deepEqual(readdirSync(path.join(projectRoot(), "runtime")), before);
  });

  it("are updated, hibernated and woken, and report an update without changes", async () => {
    succeeded(await service.done("acme", "update", { deployment: { version: "2", annotations: { team: "red" } } }));
    succeeded(await service.done("acme", "hibernate"));
    assert.equal((await row("acme"))?.desiredState, "hibernated");
    succeeded(await service.done("acme", "wake"));
    const nothing = succeeded(await service.done("acme", "update", { deployment: {} }));
    assert.deepEqual(Object.keys(nothing.result?.changes ?? {}), ["same"]);
    const desiredConfig = (await row("acme"))?.desiredConfig.deployment;
    assert.deepEqual(desiredConfig, { slots: 2, version: "2", annotations: { team: "red" } });
  });

  it("keep the owner id of their objects after a refresh", async () => {
    const owner = async () => {
      const { rows } = await service.place.pool.query<{ data: { data: string } }>(
        "select data from pulumi_state where key like '%/stacks/stackyard-runtime/acme.json'",
      );
      const { resources } = parseCheckpoint("acme", Buffer.from(rows[0]!.data.data, "base64").toString());
      return resources.find(({ type }) => type === "stackyard:index:ManifestSet")?.outputs?.["ownerId"];
    };
    const before = await owner();
    succeeded(await service.done("acme", "refresh"));
    assert.deepEqual([typeof before, await owner()], ["string", before]);
  });

  it("plan an operation with values and change nothing", async () => {
    const { changes } = await service.plan({
      deployment: "acme",
      kind: "update",
      change: { deployment: { slots: 4 } },
    });
    assert.deepEqual(
      changes.map(({ action, type }) => [action, type]),
      [["update", "ManifestSet"]],
    );
    const cpu = changes[0]!.properties.find(({ path: place }) => place.endsWith("limits.cpu"));
    assert.deepEqual([String(cpu?.before), String(cpu?.after)], ["2", "4"], JSON.stringify(changes[0]!.properties));
    const made = await service.plan({ deployment: "new", kind: "provision", change: { deployment: { version: "1" } } });
    assert.deepEqual(
      made.changes.map(({ action, type }) => [action, type]),
      [["create", "ManifestSet"]],
    );
    const gone = await service.plan({ deployment: "acme", kind: "deprovision" });
    assert.deepEqual(
      gone.changes.map(({ action, type }) => [action, type]),
      [["delete", "ManifestSet"]],
    );
    assert.deepEqual(gone.notes, ["Its disk is deleted, with all of its data."]);
    assert.deepEqual(await service.stacks(), ["acme"]);
    assert.equal(await row("new"), undefined);
    await assert.rejects(service.plan({ deployment: "new", kind: "update" }), { code: "NOT_FOUND" });
    const wrong = { version: "1", provisioner: "pol" };
    await assert.rejects(service.plan({ deployment: "new", kind: "provision", change: { deployment: wrong } }), {
      code: "BAD_INPUT",
      message: /did you mean pool/,
    });
    assert.deepEqual(await service.stacks(), ["acme"]);
  });

  it("count towards the usage of their provisioners", async () => {
    const { env } = service.project.place;
    const before = process.env;
    process.env = { ...env };
    try {
      const capacity = new Capacity({
        database: service.place.database,
        workspace: service.project.workspaces.platforms,
        defaultPlatform: "organization/stackyard/here",
      });
      const [cluster, pool] = await capacity.read();
      assert.deepEqual([cluster?.name, cluster?.runtimes, cluster?.slotsUsed], ["cluster", 1, 2]);
      assert.deepEqual([pool?.name, pool?.runtimes, pool?.slotsTotal, pool?.slotsFree], ["pool", 0, 8, 8]);
    } finally {
      process.env = before;
    }
  });

  it("move only when requested", async () => {
    const refused = await service.done("acme", "update", { deployment: { provisioner: "pool" } });
    assert.deepEqual([refused.state, refused.error?.code], ["failed", "CONFLICT"]);
    assert.deepEqual(Object.keys((await row("acme"))?.desiredConfig.deployment ?? {}).sort(), [
      "annotations",
      "slots",
      "version",
    ]);
    succeeded(await service.done("acme", "move", { deployment: {}, move: "pool" }));
    assert.equal((await row("acme"))?.provisioner, "pool");
  });

  it("keep nothing of a rejected request", async () => {
    const refused = await service.done("toolarge", "provision", {
      deployment: { version: "1", slots: 99, provisioner: "pool" },
    });
    assert.equal(refused.state, "failed");
    assert.match(refused.error?.reason ?? "", /99/);
    assert.notEqual((await row("toolarge"))?.deletedAt, null);
    assert.deepEqual(await service.stacks(), ["acme"]);
  });

  it("fail without a retry on a missing platform and leave nothing", async () => {
    const platform = "organization/stackyard/nowhere";
    const { state, error, id } = await service.done("lost", "provision", { deployment: { version: "1" }, platform });
    assert.deepEqual([state, error?.code, error?.component], ["failed", "BAD_INPUT", "platform"]);
    assert.match(
      error?.reason ?? "",
      /^platform stack "organization\/stackyard\/nowhere" cannot be read: unknown stack/,
    );
    const stages = await stagesOf(service.place.database, [id]);
    assert.deepEqual(
      stages.map(({ name, attempts }) => [name, attempts]),
      [
        ["settle", 1],
        ["apply", 1],
      ],
    );
    assert.notEqual((await row("lost"))?.deletedAt, null);
    assert.ok(!(await service.stacks()).includes("lost"));
  });

  it("keep manual changes in the next operation", async () => {
    const { code, stderr } = await service.project.stackyard("runtime", "up", "acme", "--version", "7");
    assert.equal(code, 0, stderr);
    succeeded(await service.done("acme", "update", { deployment: { slots: 3 } }));
    const desiredConfig = (await row("acme"))?.desiredConfig.deployment as { version: string; slots: number };
    assert.deepEqual([desiredConfig.version, desiredConfig.slots], ["7", 3]);
  });

  it("run one more operation per caller for several requests during an operation", async () => {
    const first = await service.ask("acme", "update", { deployment: { version: "8" } });
    await until("it has begun", async () => (await now(first)).state !== "pending");
    const kim = { ...CALLER, actor: "kim" };
    const asked = { deployment: "acme", kind: "update" as const };
    const theirs = await service.operations.request({ ...asked, change: { deployment: { version: "9" } } }, kim);
    const replaced = await service.ask("acme", "update", { deployment: { slots: 1 } });
    const last = await service.ask("acme", "update", { deployment: { slots: 4 } });
    const ends = await Promise.all([first, theirs, replaced, last].map((each) => service.end(each)));
    assert.deepEqual(
      ends.map(({ state, requestedBy }) => [state, requestedBy]),
      [
        ["succeeded", "ann"],
        ["succeeded", "kim"],
        ["replaced", "ann"],
        ["succeeded", "ann"],
      ],
    );
    assert.equal(ends[2]?.replacedBy, last.id);
    assert.ok(ends[1]!.startedAt! >= ends[0]!.endedAt!);
    assert.ok(ends[3]!.startedAt! >= ends[1]!.endedAt!);
    const { outputs, desiredConfig, revision } = (await row("acme"))!;
    assert.equal(outputs["cpu"], 4);
    assert.equal((desiredConfig.deployment as { version: string }).version, "9");
    assert.equal(revision, last.revision);
  });

  it("reject a change for an outdated revision", async () => {
    const before = (await row("acme"))!;
    const { code, stderr } = await service.project.stackyard("runtime", "up", "acme", "--version", "11");
    assert.equal(code, 0, stderr);
    const late = await service.ask("acme", "update", { deployment: { slots: 2 } }, { revision: before.revision });
    const { state, error } = await service.end(late);
    assert.deepEqual([state, error?.code, error?.path], ["failed", "CONFLICT", "revision"]);
    const { desiredConfig, revision: newest } = (await row("acme"))!;
    assert.ok(newest > late.revision);
    const { version, slots } = desiredConfig.deployment as { version: string; slots: number };
    assert.deepEqual([version, slots], ["11", 4]);
    succeeded(
      await service.end(await service.ask("acme", "update", { deployment: { slots: 2 } }, { revision: newest })),
    );
  });

  it("are deleted despite later requests, and get a new disk when created again", async () => {
    const disk = async (): Promise<string | undefined> => {
      const client = connect(readFileSync(service.project.place.kubeconfig, "utf8"), undefined, {});
      const name = "data-runtime-old-0";
      const claim = await client.get({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name });
      return claim?.metadata.uid;
    };
    const provision = { deployment: { version: "1", provisioner: "cluster" } };
    succeeded(await service.done("old", "provision", provision));
    const before = await disk();
    assert.ok(before);
    const running = await service.ask("old", "update", { deployment: { version: "2" } });
    await until("it has begun", async () => (await now(running)).state !== "pending");
    const deletion = await service.ask("old", "deprovision");
    await assert.rejects(service.ask("old", "provision", provision), { code: "CONFLICT" });
    succeeded(await service.end(deletion));
    assert.equal((await service.end(deletion)).kind, "deprovision");
    await until("its disk is gone", async () => (await disk()) === undefined);
    succeeded(await service.done("old", "provision", provision));
    assert.notEqual(await disk(), before);
    succeeded(await service.done("old", "deprovision"));
  });

  it("are deleted with their stack and can be created again", async () => {
    succeeded(await service.done("acme", "deprovision"));
    assert.notEqual((await row("acme"))?.deletedAt, null);
    assert.deepEqual(await service.stacks(), []);
    succeeded(await service.done("acme", "provision", { deployment: { version: "1" } }));
    succeeded(await service.done("acme", "deprovision"));
  });
});
