import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { migrate } from "../../service/database/migrate";
import { byClusterName } from "../../service/database/queries/clusterNames";
import * as deployments from "../../service/database/queries/deployments";
import { Operations, type OperationError, type Caller, type OperationInput } from "../../service/operations";
import { GCP } from "../unit/gardener/clusters";
import { MIGRATIONS, testDatabase, type TestDatabase } from "./database";
import { refusal } from "./refusal";

const PLATFORM = "organization/stackyard/dev";
const RED: Caller = { tenant: "red", actor: "ann", role: "operator" };
const BLUE: Caller = { tenant: "blue", actor: "bob", role: "operator" };

describe("the name of a cluster", () => {
  let place: TestDatabase;
  let service: Operations;

  before(async () => {
    place = await testDatabase();
    service = new Operations({ database: place.database, defaultPlatform: PLATFORM });
  });
  after(() => place.remove());

  const asked = (deployment: string, name: string, provisioner = "garden"): OperationInput => ({
    deployment,
    kind: "provision",
    change: { deployment: { provisioner, cluster: { ...GCP, name } } },
  });
  const holder = async (name: string) =>
    (await byClusterName(place.database, { platform: PLATFORM, provisioner: "garden", name }))?.name;

  for (const [who, other] of [
    ["two tenants", BLUE],
    ["one tenant", RED],
  ] as const) {
    it(`belongs to one deployment when ${who} request it concurrently`, async () => {
      for (let round = 0; round < 10; round++) {
        const [name, one, two] = [
          `ra${round}-${other.tenant}`,
          `a-${round}-${other.tenant}`,
          `b-${round}-${other.tenant}`,
        ];
        const tries = await Promise.allSettled([
          service.request(asked(one, name), RED),
          service.request(asked(two, name), other),
        ]);
        assert.equal(tries.filter(({ status }) => status === "fulfilled").length, 1);
        const lost = tries.find((each) => each.status === "rejected")?.reason as OperationError;
        assert.deepEqual([lost.code, lost.path], ["CONFLICT", "cluster.name"], lost.message);
        const [winner, loser] = tries[0].status === "fulfilled" ? [one, two] : [two, one];
        assert.equal(await holder(name), winner);
        const refused = loser === one ? RED : other;
        assert.equal(await deployments.byId(place.database, refused.tenant, loser), undefined);
      }
    });
  }

  it("is rejected with the owning deployment's name only for the same tenant, also in a plan", async () => {
    await service.request(asked("mine", "taken"), RED);
    const [own, others] = [
      await refusal(service.request(asked("more", "taken"), RED)),
      await refusal(service.request(asked("more", "taken"), BLUE)),
    ];
    assert.match(own.message, /cluster taken of provisioner garden belongs to deployment mine/);
    assert.match(others.message, /belongs to another deployment$/);
    assert.equal((await refusal(service.plan(asked("more", "taken"), BLUE))).path, "cluster.name");
    await service.request(asked("more", "taken", "another-garden"), BLUE);
  });

  it("stays with its deployment through changes and is free again after the deletion", async () => {
    const { deploymentId } = await service.request(asked("first", "free"), RED);
    const set = (values: string) => place.pool.query(`update deployment set ${values} where id = $1`, [deploymentId]);
    await set("outputs = '{}', revision = 9");
    assert.equal(await holder("free"), "first");
    await set("deleted_at = now()");
    assert.equal(await holder("free"), undefined);
    await service.request(asked("second", "free"), BLUE);
    await assert.rejects(set("deleted_at = null"), /cluster_name_pkey/);
  });

  it("stays with the first of several deployments that shared it earlier, and all of them keep working", async () => {
    const old = await testDatabase(false);
    const folder = await mkdtemp(path.join(tmpdir(), "migrations-"));
    try {
      await cp(MIGRATIONS, folder, { recursive: true, filter: (file) => !/00(1[1-9]|[2-9]\d)_/.test(file) });
      await migrate(old.pool, folder);
      const config = JSON.stringify({
        platform: PLATFORM,
        deployment: { provisioner: "garden", cluster: { name: "both" } },
      });
      for (const id of ["one", "two"]) {
        await old.pool.query(
          "insert into deployment (id, name, tenant, desired_config, wish, desired_state) values ($1, $1, 'red', $2, $2, 'running')",
          [id, config],
        );
      }
      await migrate(old.pool, MIGRATIONS);
      const { rows } = await old.pool.query("select deployment_id from cluster_name");
      assert.deepEqual(rows, [{ deployment_id: "one" }]);
      const both = new Operations({ database: old.database, defaultPlatform: PLATFORM });
      await both.request({ deployment: "two", kind: "hibernate" }, RED);
      await both.request({ deployment: "one", kind: "hibernate" }, RED);
      await old.pool.query("update deployment set outputs = '{}', deleted_at = now() where id = 'two'");
      assert.equal((await refusal(both.request(asked("two", "both"), RED))).path, "cluster.name");
      await old.pool.query("update deployment set deleted_at = now() where id = 'one'");
      assert.equal((await old.pool.query("select 1 from cluster_name")).rowCount, 0);
    } finally {
      await old.remove();
      await rm(folder, { recursive: true });
    }
  });
});
