import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "../../kubernetes/connect/connect";
import * as deployments from "../../service/database/queries/deployments";
import { newestOf } from "../../service/database/queries/operations";
import type { OperationRow } from "../../service/database/tables";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { Rollouts } from "../../service/rollouts/rollouts";
import { until } from "../engine/cli/held";
import { CALLER, TestService } from "./service";

const run = randomBytes(3).toString("hex");
const namespace = `protected-${run}`;

describe("a protected deployment", () => {
  let service: TestService;

  before(async function () {
    this.timeout(180_000);
    service = await TestService.start(provisioners(namespace, "example/runtime"));
    await service.host();
    succeeded(await service.done("acme", "provision", { deployment: { version: "1" } }));
  });
  after(() => service.remove());

  const provisioners = (place: string, image: string) => ({
    defaultProvisioner: "cluster",
    provisioners: {
      cluster: kubernetesProvisioner(place, { image }),
      pool: { type: "static", spec: { runtimes: [{ host: `http://${run}.localhost`, slots: 8 }] } },
    },
  });
  const changePlatform = async (config: object): Promise<void> => {
    const kubeconfig = { path: service.project.place.kubeconfig };
    service.project.describe({ cluster: { type: "existing", kubeconfig }, ...config });
    await service.project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  };
  const succeeded = (operation: OperationRow): OperationRow => {
    assert.deepEqual([operation.state, operation.error], ["succeeded", null]);
    return operation;
  };
  const disk = async (): Promise<string | undefined> => {
    const client = connect(readFileSync(service.project.place.kubeconfig, "utf8"), undefined, {});
    const name = "data-runtime-acme-0";
    return (await client.get({ apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name }))?.metadata.uid;
  };
  const protect = async (isProtected: boolean): Promise<OperationRow> => {
    const { id } = await service.operations.protect("acme", isProtected, CALLER);
    const [newest] = await newestOf(service.place.database, [id]);
    return succeeded(await service.end(newest!));
  };
  const refused = async (...command: string[]): Promise<string> => {
    const { code, stderr, stdout } = await service.project.stackyard("runtime", ...command);
    assert.equal(code, 1, `${command.join(" ")}: ${stdout}`);
    return stderr;
  };

  it("keeps its disk from every caller when protected by the service", async () => {
    const before = await disk();
    assert.ok(before);
    await protect(true);
    for (const asked of [
      { kind: "deprovision" as const },
      { kind: "move" as const, change: { deployment: {}, move: "pool" } },
    ]) {
      await assert.rejects(service.operations.request({ deployment: "acme", ...asked }, CALLER), { code: "PROTECTED" });
    }
    assert.match(await refused("destroy", "acme", "--yes"), /is protected.*stackyard runtime unprotect acme/s);
    assert.match(
      await refused("up", "acme", "--provisioner", "pool", "--move"),
      /is protected, so nothing was changed/,
    );
    const plain = await service.project.pulumi("destroy", "-s", "acme", "--yes", "--skip-preview");
    assert.notEqual(plain.code, 0, plain.stdout);
    assert.equal(await disk(), before);
    succeeded(await service.done("acme", "update", { deployment: { version: "2" } }));
    const unprotect = await refused("unprotect", "acme");
    assert.match(unprotect, /protected through a service \(service update, \S+\)[^]*pass --yes to confirm/);
    assert.match(await refused("destroy", "acme", "--yes"), /is protected/);
    assert.equal(await disk(), before);
  });

  it("keeps its disk through a rollout, even if its provisioner now uses another namespace", async () => {
    const before = await disk();
    await changePlatform(provisioners(`${namespace}-b`, "example/other"));
    const { database } = service.place;
    const { operations } = service;
    const rollouts = new Rollouts({ database, operations, planner: () => assert.fail("not here") });
    const { id } = await rollouts.request({ platform: "here" }, CALLER);
    const rollout = () => database.selectFrom("rollout").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await until("the rollout has ended", async () => (await rollout()).endedAt !== null);
    assert.match((await rollout()).message ?? "", /^1 updated to the platform's configuration, 0 failed/);
    assert.equal(await disk(), before);
    assert.match(await refused("destroy", "acme", "--yes"), /is protected/);
    await changePlatform(provisioners(namespace, "example/other"));
  });

  it("keeps its disk when protected by the command line, until both remove the protection", async () => {
    const before = await disk();
    await protect(false);
    const { code, stderr } = await service.project.stackyard("runtime", "protect", "acme");
    assert.equal(code, 0, stderr);
    const operation = await service.done("acme", "deprovision");
    assert.deepEqual([operation.state, operation.error?.code], ["failed", "PROTECTED"]);
    const row = await deployments.byId(service.place.database, undefined, "acme");
    assert.deepEqual([row?.protected, row?.desiredState, row?.deletedAt], [true, "running", null]);
    assert.equal(await disk(), before);
    await protect(false);
    succeeded(await service.done("acme", "deprovision"));
  });
});
