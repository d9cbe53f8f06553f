import assert from "node:assert/strict";
import { enqueue } from "../../../service/operations/queue";
import { exampleShoot } from "../../doubles/gardener/exampleShoot";
import { CODES } from "../../doubles/director/director";
import { until } from "../../engine/cli/held";
import { configOf, STATUS, type RuntimePlace, type Status } from "./place";

/** A runtime in the Director that others registered. */
const THEIRS = { id: "theirs", tenant: "red", name: "theirs", labels: {}, status: { condition: "CONNECTED" } };

/** What goes wrong, and how it goes on. */
export function failures(placeOf: () => RuntimePlace): void {
  const again = async ({ id }: Status): Promise<Status> => {
    const query = `mutation { retryOperation(id: "${id}") { operation { id } } }`;
    const { operation } = await placeOf().get<{ operation: Status }>(query);
    return operation;
  };
  const failed = async (begun: Status): Promise<Status> => {
    const status = await placeOf().until(begun.id);
    assert.equal(status.state, "Failed", JSON.stringify(status));
    return status;
  };
  const gone = (begun: Status): Promise<void> => placeOf().gone(begun);

  it("continues where it failed once the cloud has room, and asks Gardener to retry", async () => {
    const place = placeOf();
    const begun = await place.provision("full", 'targetSecret: "quota-exceeded"');
    const { lastError } = await failed(begun);
    assert.deepEqual([lastError.reason, lastError.component], ["ERR_INFRA_QUOTA_EXCEEDED", "gardener"]);
    const before = (await place.gardener.shoot("full"))?.metadata.uid;
    await place.release("full");
    await place.succeeded(await again(begun));
    assert.equal((await place.gardener.shoot("full"))?.metadata.uid, before);
    await gone(begun);
  });

  it("fails if the Shoot's name is taken, keeps that Shoot, and leaves nothing in the Director", async () => {
    const place = placeOf();
    await place.gardener.garden.apply(exampleShoot(place.gardener.namespace, "taken"));
    const begun = await place.provision("taken");
    assert.match((await failed(begun)).lastError.errMessage, /is there already/);
    await gone(begun);
    assert.ok(await place.gardener.shoot("taken"));
    assert.equal(place.director.runtimes.size, 0);
  });

  it("retries a Director that fails once, and fails with the Director's error if it keeps failing", async () => {
    const place = placeOf();
    const { troubles } = place.director;
    troubles.push({ kind: "status", status: 503 });
    const once = await place.provision("once");
    await place.succeeded(once);
    await gone(once);
    const trouble = { kind: "error", code: CODES.scopes, message: "insufficient scopes" } as const;
    troubles.push(...Array.from({ length: 20 }, () => trouble));
    const often = await place.provision("often");
    const { lastError } = await failed(often);
    assert.match(lastError.errMessage, /insufficient scopes/);
    troubles.splice(0);
    assert.equal(await place.gardener.shoot("often"), undefined);
    await place.succeeded(await again(often));
    await gone(often);
  });

  it("deletes a runtime that was never created because its name is taken in the Director", async () => {
    const place = placeOf();
    place.director.runtimes.set("theirs", { ...THEIRS });
    const begun = await place.provision("theirs");
    assert.match((await failed(begun)).lastError.errMessage, /Object is not unique.*choose another name/);
    const removed = await place.succeeded(await place.deprovision(begun.runtimeID));
    assert.equal(removed.operation, "DeprovisionNoInstall");
    assert.equal((await place.deprovision(begun.runtimeID)).id, removed.id);
    assert.deepEqual([...place.director.runtimes.keys()], ["theirs"]);
    place.director.runtimes.clear();
  });

  it("fails to change a deleted cluster and keeps the configuration", async () => {
    const place = placeOf();
    const begun = await place.provision("lost");
    await place.succeeded(begun);
    const { gardener } = place;
    await place.merge("lost", { metadata: { annotations: { "confirmation.gardener.cloud/deletion": "true" } } });
    const shoot = exampleShoot(gardener.namespace, "lost");
    await gardener.garden.remove({ ...shoot, namespace: gardener.namespace, name: "lost" });
    await gardener.until("lost", (one) => one === undefined);
    const change = await place.change("upgradeShoot", begun.runtimeID, "{ gardenerConfig: { autoScalerMax: 7 } }");
    assert.match((await failed(change)).lastError.errMessage, /was deleted outside of this stack/);
    const config = "runtimeConfiguration { clusterConfig { autoScalerMax } }";
    const { runtimeConfiguration: shown } = await place.get<{
      runtimeConfiguration: { clusterConfig: { autoScalerMax: number } };
    }>(`{ runtimeStatus(id: "${begun.runtimeID}") { ${config} } }`);
    assert.equal(shown.clusterConfig.autoScalerMax, 4);
    await gone(begun);
  });

  it("cancels a waiting operation at once; the runtime can then be retried, hibernated and deleted", async () => {
    const place = placeOf();
    const begun = await place.provision("canceled", 'targetSecret: "cleanup"');
    await place.until(begun.id, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    await place.get(`mutation { cancelOperation(id: "${begun.id}") { operation { id } } }`);
    assert.match((await failed(begun)).message, /^canceled/);
    await place.release("canceled");
    await place.succeeded(await again(begun));
    await place.succeeded(await place.change("hibernateRuntime", begun.runtimeID));
    await gone(begun);
  });

  it("fails in an unknown stage and ignores an operation that has ended", async () => {
    const place = placeOf();
    const begun = await place.provision("stage", 'targetSecret: "cleanup"');
    await place.until(begun.id, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    const { pool, database } = place.host.place;
    await pool.query("update operation set stage = 'Nonsense' where id = $1", [begun.id]);
    const { lastError } = await failed(begun);
    assert.equal(lastError.reason, "err_provisioner_step_not_found");
    await enqueue(database, begun.id);
    const waiting = "select from graphile_worker.jobs where key = $1";
    await until("its job is done", async () => (await pool.query(waiting, [`operation:${begun.id}`])).rowCount === 0);
    assert.deepEqual((await place.operation(begun.id)).lastError, lastError);
    await place.release("stage");
    await gone(begun);
    const page = "{ operations(first: 2) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }";
    const { nodes, pageInfo } = await place.get<{ nodes: Status[]; pageInfo: { hasNextPage: boolean } }>(page);
    assert.deepEqual([nodes.length, pageInfo.hasNextPage], [2, true]);
  });

  it("plans a creation and a change field by field and executes neither", async () => {
    const place = placeOf();
    const plan = "changes { action type properties { path before after } }";
    interface Plan {
      changes: { action: string; type: string; properties: { path: string; before: unknown; after: unknown }[] }[];
    }
    const created = await place.get<Plan>(`{ provisionRuntimePlan(config: ${configOf("plan")}) { ${plan} } }`);
    assert.ok(created.changes.some(({ action, type }) => action === "create" && type === "Shoot"));
    assert.equal(await place.gardener.shoot("plan"), undefined);
    const begun = await place.provision("planned");
    await place.succeeded(begun);
    const config = "{ gardenerConfig: { autoScalerMax: 9 } }";
    const { changes } = await place.get<Plan>(
      `{ upgradeShootPlan(id: "${begun.runtimeID}", config: ${config}) { ${plan} } }`,
    );
    const shoot = changes.find(({ type }) => type === "Shoot");
    const field = shoot?.properties.find(({ path }) => path.endsWith("maximum"));
    assert.deepEqual([shoot?.action, field?.before, field?.after], ["update", 4, 9], JSON.stringify(changes));
    const { state } = await place.get(`{ runtimeOperationStatus(id: "${begun.id}") { ${STATUS} } }`);
    assert.equal(state, "Succeeded");
    await gone(begun);
  });
}
