import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textAt } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import { exampleShoot } from "../../doubles/gardener/exampleShoot";
import { testDatabase, type TestDatabase } from "../database";
import { GLOBAL, OTHER } from "../process";
import { NO_ERROR, STATUS, type RuntimePlace, type Status } from "./place";

const TABLES = readFileSync(join(projectRoot(), "test", "fixtures", "provisioner", "tables.sql"), "utf8");
const FAILED = { errMessage: "quota of cpu exceeded", reason: "ERR_INFRA_QUOTA_EXCEEDED", component: "gardener" };

/** Runtimes of the original Runtime Provisioner, which go over to the service. */
export function moved(placeOf: () => RuntimePlace): void {
  let original: TestDatabase;
  let red: string;
  let blue: string;
  const failed = randomUUID();

  before(async function () {
    this.timeout(120_000);
    const { gardener, host } = placeOf();
    Object.assign(host.project.place.env, { STACKYARD_TOKEN: GLOBAL });
    original = await testDatabase(false);
    await original.pool.query(TABLES);
    red = await runtime("moved-red", "red", "SUCCEEDED");
    blue = await runtime("moved-blue", "blue", "SUCCEEDED");
    await runtime("moved-busy", "blue", "IN_PROGRESS");
    await runtime("moved-gone", "blue", "SUCCEEDED", true);
    await operation(red, "UPGRADE_SHOOT", "FAILED", "2023-05-02 08:00", failed);
    for (const name of ["moved-red", "moved-blue"]) {
      const shoot = exampleShoot(gardener.namespace, name);
      const annotations = { "kcp.provisioner.kyma-project.io/licence-type": "TestDevelopmentAndDemo" };
      const metadata = { ...shoot.metadata, annotations, labels: { account: "red", subaccount: "sub" } };
      await gardener.garden.apply({ ...shoot, metadata });
      await gardener.until(name, (live) => textAt(live, "status", "lastOperation", "state") === "Succeeded");
    }
  });
  after(() => original.remove());

  async function operation(cluster: string, type: string, state: string, start: string, id: string = randomUUID()) {
    const { errMessage, reason, component } = state === "FAILED" ? FAILED : NO_ERROR;
    await original.pool.query(
      `insert into operation values ($1, $2, $3, 'the message', $4::timestamp, $4::timestamp + interval '9 minutes', $5,
         'Finished', null, $6, $7, $8)`,
      [id, type, state, start, cluster, errMessage, reason, component],
    );
  }

  /** Writes a runtime as the original does, and returns its id. */
  async function runtime(shoot: string, tenant: string, state: string, isDeleted = false): Promise<string> {
    const id = randomUUID();
    const { pool } = original;
    await pool.query("insert into cluster values ($1, null, $2, '2023-05-01 10:00', $3, 'sub', null, true)", [
      id,
      tenant,
      isDeleted,
    ]);
    await pool.query(
      `insert into gardener_config
         (cluster_id, name, project_name, kubernetes_version, machine_type, region, provider, seed, target_secret,
          worker_cidr, auto_scaler_min, auto_scaler_max, max_surge, max_unavailable, eu_access)
       values ($1, $2, $3, '1.32.8', 'n1-standard-4', 'europe-west3', 'gcp', '', 'gcp', '10.250.0.0/16', 2, 4, 1, 0, false)`,
      [id, shoot, placeOf().gardener.project],
    );
    await operation(id, "PROVISION_NO_INSTALL", state, "2023-05-01 10:00");
    return id;
  }

  const importing = (...more: readonly string[]) => {
    const { host, service } = placeOf();
    const from = ["--from-provisioner", original.url, "--service", `${service.url}/graphql`];
    return host.project.stackyard("runtime", "import", ...from, ...more);
  };
  const ofGarden = ["--provisioner", "garden"];
  const seen = async () => {
    const { gardener } = placeOf();
    const all = await Promise.all(["moved-red", "moved-blue"].map((name) => gardener.shoot(name)));
    return all.map((shoot) => ({ spec: shoot?.["spec"], annotations: shoot?.metadata.annotations }));
  };

  it("are listed by a dry run, with what can't be imported and why", async () => {
    const several = await importing("--dry-run");
    assert.equal(several.code, 0, several.stderr);
    assert.match(several.stdout, /several provisioners have the Gardener project .*choose one with --provisioner/);
    const { code, stdout, stderr } = await importing(...ofGarden, "--dry-run");
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      new RegExp(`${red} +red +moved-red +UPGRADE_SHOOT FAILED 2023-05-02 +2 +stack and deployment`),
    );
    assert.match(stdout, /moved-busy .* not possible: operation \S+ \(PROVISION_NO_INSTALL\) is in progress/);
    assert.doesNotMatch(stdout, /moved-gone/);
    assert.match(stderr, /1 deprovisioned runtime in it stay.*\n[^]*nothing was imported/);
    const asked = await importing(...ofGarden);
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /Runtime Provisioner must be stopped[^]*pass --yes/);
  });

  it("keep ids, tenants, operations and clusters when they are imported", async () => {
    const place = placeOf();
    const before = await seen();
    // As an import that was interrupted after the first stack.
    const only = await importing(red, ...ofGarden, "--yes");
    assert.equal(only.code, 0, only.stderr);
    const rest = await importing(...ofGarden, "--yes");
    assert.equal(rest.code, 1, rest.stderr);
    assert.match(rest.stderr, new RegExp(`${blue} is imported`));
    const again = await importing(...ofGarden, "--json");
    const { runtimes } = JSON.parse(again.stdout) as { readonly runtimes: readonly { id: string; done: boolean }[] };
    assert.deepEqual(new Set(runtimes.filter(({ done }) => done).map(({ id }) => id)), new Set([red, blue]));
    assert.deepEqual(await seen(), before);

    const { lastOperationStatus: last } = await place.get<{ readonly lastOperationStatus: Status }>(
      `{ runtimeStatus(id: "${red}") { lastOperationStatus { ${STATUS} } } }`,
    );
    const expected = { id: failed, operation: "UpgradeShoot", state: "Failed", message: "the message" };
    assert.deepEqual(last, { ...expected, runtimeID: red, compassRuntimeID: null, lastError: FAILED });
    assert.deepEqual(await place.operation(failed), last);
    const { operations } = await place.get<{ readonly operations: { readonly nodes: readonly object[] } }>(
      `{ deployment(id: "${red}") { operations { nodes { kind state requestedAt endedAt } } } }`,
    );
    assert.deepEqual(operations.nodes, [
      { kind: "update", state: "failed", requestedAt: "2023-05-02T08:00:00.000Z", endedAt: "2023-05-02T08:09:00.000Z" },
      {
        kind: "provision",
        state: "succeeded",
        requestedAt: "2023-05-01T10:00:00.000Z",
        endedAt: "2023-05-01T10:09:00.000Z",
      },
    ]);
    const stranger = await place.ask(`{ runtimeStatus(id: "${red}") { lastOperationStatus { id } } }`, "blue", OTHER);
    assert.match(stranger.errors?.[0]?.message ?? "", /the tenant has no runtime of this id/);
  });

  it("can't retry an operation of the original, and are upgraded and deprovisioned by their ids", async () => {
    const place = placeOf();
    const retried = await place.ask(`mutation { retryOperation(id: "${failed}") { operation { id } } }`);
    assert.match(retried.errors?.[0]?.message ?? "", /was run by an earlier system/);
    await place.succeeded(await place.change("upgradeShoot", red, "{ gardenerConfig: { autoScalerMax: 7 } }"));
    const [shoot] = await seen();
    assert.equal(
      textAt(shoot, "annotations", "kcp.provisioner.kyma-project.io/licence-type"),
      "TestDevelopmentAndDemo",
    );
    await place.gone({ runtimeID: red });
    const there = await importing(red, ...ofGarden);
    assert.match(there.stdout, /not possible: --shoot: found no Shoot/);
  });

  it("are read from the tables of earlier versions, and from nothing else", async () => {
    await original.pool.query("alter table operation drop err_message, drop reason, drop component");
    await original.pool.query("alter table gardener_config drop eu_access");
    await original.pool.query("alter table cluster drop is_kubeconfig_encrypted");
    const { stdout } = await importing(...ofGarden, "--dry-run");
    assert.match(stdout, new RegExp(`${blue} +blue .* done before`));
    await original.pool.query("drop table gardener_config");
    assert.match((await importing("--dry-run")).stderr, /is no database of the Runtime Provisioner/);
    const { code, stderr } = await placeOf().host.project.stackyard(
      "runtime",
      "import",
      "--from-provisioner",
      "mysql://x",
    );
    assert.equal(code, 2);
    assert.match(stderr, /expected the URL of its database/);
  });
}
