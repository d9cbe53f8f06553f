import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "../../kubernetes/connect/connect";
import { byId } from "../../service/database/queries/deployments";
import type { RolloutRow } from "../../service/database/tables";
import { Capacity } from "../../service/capacity/capacity";
import { createMetrics } from "../../service/http/metrics";
import { Watch } from "../../service/watch/watch";
import { noticePage } from "../../service/watch/notices";
import { Orphans } from "../../service/orphans/orphans";
import { Rollouts } from "../../service/rollouts/rollouts";
import { until } from "../engine/cli/held";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { CALLER, TestService } from "./service";

const run = randomBytes(3).toString("hex");

describe("a platform with deployments of the service", () => {
  let service: TestService;
  let rollouts: Rollouts;
  const config = (image: string) => ({
    defaultProvisioner: "cluster",
    provisioners: { cluster: kubernetesProvisioner(`platform-${run}`, { image }) },
  });

  before(async function () {
    this.timeout(180_000);
    service = await TestService.start(config("example/one"));
    await service.host();
    const { operations } = service;
    rollouts = new Rollouts({ database: service.place.database, operations, planner: () => assert.fail("not here") });
    for (const operation of await Promise.all(["a", "b"].map((id) => service.ask(id, "provision", VERSION)))) {
      assert.equal((await service.end(operation)).state, "succeeded");
    }
  });
  after(() => service.remove());

  const VERSION = { deployment: { version: "1" } };
  const ended = async ({ id }: RolloutRow): Promise<RolloutRow> => {
    const row = () =>
      service.place.database.selectFrom("rollout").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    await until("the rollout has ended", async () => (await row()).endedAt !== null);
    return row();
  };

  it("shows which deployments would change and updates them in waves", async () => {
    const { yard, ...described } = { yard: service.project.place.kubeconfig, ...config("example/two") };
    service.project.describe({ cluster: { type: "existing", kubeconfig: { path: yard } }, ...described });
    await service.project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");

    const shown = await ended(await rollouts.request({ platform: "here", dryRun: true }, CALLER));
    assert.deepEqual([shown.state, shown.message], ["planned", "2 of 2 would change"]);
    const [item] = await rollouts.items(shown.id);
    const image = item?.changes?.changes[0]?.properties.find(({ path }) => path.endsWith(".image"));
    assert.deepEqual([image?.before, image?.after], ["example/one:1", "example/two:1"]);

    const row = await rollouts.request({ platform: "here", waves: "1" }, CALLER);
    await assert.rejects(rollouts.request({ platform: "here" }, CALLER), { code: "CONFLICT" });
    const done = await ended(row);
    assert.deepEqual([done.state, done.message], ["succeeded", "2 updated to the platform's configuration, 0 failed"]);
    const items = await rollouts.items(row.id);
    assert.deepEqual(
      items.map(({ state, wave }) => [state, wave]),
      [
        ["succeeded", 1],
        ["succeeded", 2],
      ],
    );
    const again = await ended(await rollouts.request({ platform: "here" }, CALLER));
    assert.equal(again.message, "0 updated to the platform's configuration, 0 failed");
  });

  it("has no orphans and detects new ones", async () => {
    const { database } = service.place;
    const before = process.env;
    process.env = { ...service.project.place.env };
    try {
      const orphans = new Orphans({ database, workspaces: service.project.workspaces });
      assert.deepEqual(await orphans.find(), { orphans: [], unseen: [] });

      await service.project.must("stackyard", "runtime", "up", "hand", "--version", "3", "--slots", "2");
      const byHand = (await orphans.find()).orphans;
      assert.deepEqual(
        byHand.map(({ kind, id }) => [kind, id]),
        [["stack", "hand"]],
      );
      await assert.rejects(orphans.adopt("hand", { ...CALLER, role: "operator" }), { code: "FORBIDDEN" });
      const adopted = await orphans.adopt("hand", CALLER);
      assert.deepEqual(adopted.desiredConfig.deployment, { slots: 2, version: "3" });
      const updated = await service.done("hand", "update", { deployment: { version: "4" } });
      assert.deepEqual([updated.state, updated.result?.outputs["cpu"]], ["succeeded", 2]);

      await service.place.pool.query("delete from pulumi_state where key like '%/stacks/stackyard-runtime/hand.json'");
      const lost = (await orphans.find()).orphans;
      assert.deepEqual(
        lost.map(({ kind, id }) => [kind, id]),
        [
          ["deployment", "hand"],
          ["parts", "hand"],
        ],
      );
      const refused = await service.done("hand", "deprovision");
      assert.match(refused.error?.reason ?? "", /the state of hand is empty, but resources exist:\n +- Service/);
      await orphans.forget("hand", CALLER);
      assert.notEqual((await byId(database, undefined, "hand"))?.deletedAt, null);
      await service.project.must(
        "stackyard",
        "runtime",
        "remove-orphan",
        "hand",
        "--yes",
        "--allow-data-loss",
        `platform-${run}/data-runtime-hand-0`,
      );
      assert.deepEqual((await orphans.find()).orphans, []);
    } finally {
      process.env = before;
    }
  });

  it("is watched for its usage and for the readiness of its runtimes' pods", async () => {
    const { database } = service.place;
    const before = process.env;
    process.env = { ...service.project.place.env };
    try {
      const { platforms, runtimes } = service.project.workspaces;
      const capacity = new Capacity({ database, workspace: platforms, defaultPlatform: "organization/stackyard/here" });
      const log = {
        info: () => undefined,
        warn: (fields: object) => assert.fail(JSON.stringify(fields)),
        error: () => undefined,
      };
      const watch = new Watch({ database, workspace: runtimes, capacity, log });
      const health = () =>
        database.selectFrom("health").select(["deploymentId", "state", "reason"]).orderBy("deploymentId").execute();
      await watch.look();
      assert.deepEqual(await health(), [
        { deploymentId: "a", state: "healthy", reason: null },
        { deploymentId: "b", state: "healthy", reason: null },
      ]);
      const client = connect(readFileSync(service.project.place.kubeconfig, "utf8"), undefined, {});
      await client.remove({
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        namespace: `platform-${run}`,
        name: "runtime-a",
      });
      await watch.look();
      await watch.look();
      const { nodes } = await noticePage(database, { tenant: CALLER.tenant });
      assert.deepEqual(
        nodes.map(({ kind, level, subject, text }) => [kind, level, subject, text]),
        [["health", "warning", "a", `StatefulSet platform-${run}/runtime-a was deleted`]],
      );
      assert.deepEqual((await noticePage(database, { tenant: "blue" })).nodes, []);
      const { registry } = createMetrics(database);
      const metrics = await registry.metrics();
      assert.match(metrics, /stackyard_runtimes\{health="unhealthy"\} 1/);
      assert.match(
        metrics,
        /stackyard_provisioner_slots_used\{platform="organization\/stackyard\/here",provisioner="cluster"\} 2/,
      );
    } finally {
      process.env = before;
    }
  });
});
