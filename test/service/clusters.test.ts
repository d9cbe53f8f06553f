import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { at } from "../../kubernetes/objects/objects";
import { stagesOf } from "../../service/database/queries/operations";
import type { OperationRow } from "../../service/database/tables";
import { Gardener } from "../doubles/gardener/gardener";
import { GCP } from "../unit/gardener/clusters";
import { TestService } from "./service";

const CLUSTER = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" };

describe("clusters that the service gets from Gardener", () => {
  let gardener: Gardener;
  let other: Gardener;
  let service: TestService;

  before(async () => {
    const start = (project: string) =>
      Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project });
    const tag = randomBytes(1).toString("hex");
    gardener = await start(`s${tag}`);
    other = await start(`t${tag}`);
    const defaults = { autoScalerMin: 2, autoScalerMax: 4, maxSurge: 1, maxUnavailable: 0 };
    const provisioners = { garden: gardener.provisioner({ defaults }), other: other.provisioner({ defaults }) };
    service = await TestService.start({ defaultProvisioner: "garden", provisioners });
    await service.host();
  });
  after(async () => {
    await service.remove();
    await Promise.all([gardener.stop(), other.stop()]);
  });

  const stages = async ({ id }: OperationRow): Promise<string[]> =>
    (await stagesOf(service.place.database, [id])).map(({ name, state }) => `${name} ${state}`);
  const done = (...names: string[]) => ["settle", "apply", ...names].map((name) => `${name} succeeded`);

  it("are created, changed, hibernated, woken and deleted without an engine that waits for Gardener", async () => {
    const made = await service.done("acme", "provision", { deployment: { cluster: CLUSTER } });
    assert.equal(made.state, "succeeded", JSON.stringify(made.error));
    assert.deepEqual(
      await stages(made),
      done("WaitingForClusterDomain", "WaitingForClusterCreation", "CreatingBindingsForOperators"),
    );
    const annotations = (await gardener.shoot("acme"))?.metadata.annotations ?? {};
    assert.equal(annotations["kcp.provisioner.kyma-project.io/runtime-id"], "acme");
    assert.equal(annotations["kcp.provisioner.kyma-project.io/operation-id"], made.id);
    assert.equal(made.result?.outputs["provisioner"], "garden");

    const asleep = await service.done("acme", "hibernate");
    assert.equal(asleep.state, "succeeded", JSON.stringify(asleep.error));
    assert.deepEqual(await stages(asleep), done("WaitForHibernation"));
    assert.equal(at(await gardener.shoot("acme"), "status", "hibernated"), true);

    const awake = await service.done("acme", "wake");
    assert.equal(awake.state, "succeeded", JSON.stringify(awake.error));
    assert.equal(at(await gardener.shoot("acme"), "status", "hibernated"), false);

    const larger = { ...CLUSTER, autoScalerMax: 6 };
    const changed = await service.done("acme", "update", { deployment: { cluster: larger } });
    assert.deepEqual(
      await stages(changed),
      done("WaitingForShootNewVersion", "WaitingForShootUpgrade", "CreatingBindingsForOperators"),
    );
    assert.equal(at(await gardener.shoot("acme"), "spec", "provider", "workers", 0, "maximum"), 6);

    const gone = await service.done("acme", "deprovision");
    assert.equal(gone.state, "succeeded", JSON.stringify(gone.error));
    assert.equal(await gardener.shoot("acme"), undefined);
  });

  it("are created in the projects of their provisioners", async () => {
    const deployment = { cluster: CLUSTER, provisioner: "other" };
    const made = await service.done("blue", "provision", { deployment });
    assert.equal(made.state, "succeeded", JSON.stringify(made.error));
    assert.ok((await stages(made)).includes("WaitingForClusterCreation succeeded"));
    assert.ok(await other.shoot("blue"));
    assert.equal(await gardener.shoot("blue"), undefined);
    assert.equal((await service.done("blue", "deprovision")).state, "succeeded");
    assert.equal(await other.shoot("blue"), undefined);
  });
});
