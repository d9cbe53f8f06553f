import assert from "node:assert/strict";
import { kill } from "../processes";
import type { RuntimePlace, Status } from "./place";

/** Processes that die while something is done to a cluster. */
export function killed(placeOf: () => RuntimePlace): void {
  let runtime: Status;
  const inStage = (id: string, stage: string) =>
    placeOf().until(id, ({ message }) => message.endsWith(`Stage ${stage}`));
  /** `kill -9` of the service's process, and another one. */
  const restart = async (env?: Readonly<Record<string, string>>): Promise<void> => {
    await placeOf().service.stop("SIGKILL");
    await placeOf().begin(env);
  };
  /** How often something happened in an operation, by its events. */
  const happened = async ({ id }: Pick<Status, "id">, text: string): Promise<number> => {
    const { pool } = placeOf().host.place;
    const { rowCount } = await pool.query("select from event where operation_id = $1 and text like $2", [id, text]);
    return rowCount ?? 0;
  };

  it("creates one cluster and one registration when the service is killed while it waits", async () => {
    const place = placeOf();
    runtime = await place.provision("killed", 'targetSecret: "cleanup"');
    await inStage(runtime.id, "WaitingForClusterCreation");
    const uid = (await place.gardener.shoot("killed"))?.metadata.uid;
    await restart();
    await place.release("killed");
    await place.succeeded(runtime);
    assert.equal((await place.gardener.shoot("killed"))?.metadata.uid, uid);
    assert.equal(place.director.runtimes.size, 1);
    assert.deepEqual([await happened(runtime, "begun"), await happened(runtime, "done")], [1, 1]);
  });

  for (const victim of ["engine", "worker"] as const) {
    it(`changes a cluster once when the ${victim} is killed midway`, async () => {
      const place = placeOf();
      const max = victim === "engine" ? 5 : 6;
      const config = `{ gardenerConfig: { autoScalerMax: ${max} } }`;
      const begun = await place.change("upgradeShoot", runtime.runtimeID, config);
      await place.untilWorkedOn(begun.id, true);
      assert.ok(kill(place.mark, victim) > 0);
      await place.succeeded(begun);
      assert.deepEqual([await happened(begun, "begun"), await happened(begun, "done")], [1, 1]);
      const workers = JSON.stringify((await place.gardener.shoot("killed"))?.["spec"]);
      assert.ok(workers.includes(`"maximum":${max}`), workers);
    });
  }

  it("deletes a cluster once when the service is killed while it waits", async () => {
    const place = placeOf();
    await place.hold("killed");
    const begun = await place.deprovision(runtime.runtimeID);
    await inStage(begun.id, "WaitForClusterDeletion");
    const { runtimeID: id } = runtime;
    for (const change of [
      `deprovisionRuntime(id: "${id}")`,
      `reprovisionRuntime(id: "${id}") { id }`,
      `hibernateRuntime(id: "${id}") { id }`,
      `upgradeShoot(id: "${id}", config: { gardenerConfig: { autoScalerMax: 9 } }) { id }`,
    ]) {
      const [error] = (await place.ask(`mutation { ${change} }`)).errors ?? [];
      assert.equal(error?.extensions["error_code"], 400, change);
    }
    await restart();
    await place.release("killed");
    await place.succeeded(begun);
    assert.equal(await place.gardener.shoot("killed"), undefined);
    assert.equal(place.director.runtimes.size, 0);
    await place.emptyCluster();
    assert.deepEqual([await happened(begun, "begun"), await happened(begun, "done")], [1, 1]);
  });

  it("fails with the original's reason when a stage times out", async () => {
    const place = placeOf();
    await restart({ APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_CREATION: "2s" });
    const begun = await place.provision("late", 'targetSecret: "cleanup"');
    const { state, lastError } = await place.until(begun.id);
    assert.deepEqual([state, lastError.reason], ["Failed", "err_provisioner_timeout"]);
    await place.release("late");
    await place.gone(begun);
  });
}
