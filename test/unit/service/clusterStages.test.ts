import assert from "node:assert/strict";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { RuntimeChange } from "../../../engine/stack/change";
import type { OperationKind } from "../../../service/kinds/kinds";
import type { ClusterLimits } from "../../../service/kinds/clusterLimits";
import { StageFailure } from "../../../service/operations/run/failure";
import type { Stage, StageContext, StageEnd } from "../../../service/operations/run/stage";
import { stagesWith } from "../../../service/gardener/clusterStages";
import { deploymentRow, operationRow, OPERATIONS } from "./api/fakeBackend";

const MINUTE = 60_000;
const limits: ClusterLimits = {
  domain: 10 * MINUTE,
  creation: 60 * MINUTE,
  bindings: 5 * MINUTE,
  installation: 110 * MINUTE,
  upgrade: 80 * MINUTE,
  shootRefresh: 5 * MINUTE,
  shootUpgrade: 30 * MINUTE,
  hibernation: 60 * MINUTE,
  cleanup: 20 * MINUTE,
  deletion: 30 * MINUTE,
  gone: 60 * MINUTE,
};

const rowOf = (deployment: object) => ({ desiredConfig: { platform: "organization/stackyard/dev", deployment } });
const BARE = { cluster: { name: "acme" } };
const KYMA = { ...BARE, kyma: { version: "2.20.0" } };

/** Gardener that has this Shoot, none, or does not answer. */
function place(shoot: KubeObject | Error | undefined) {
  const retried: string[] = [];
  const shoots = {
    of: () => (shoot instanceof Error ? Promise.reject(shoot) : Promise.resolve(shoot)),
    watched: () => Promise.resolve(undefined),
    retry: ({ id }: { readonly id: string }) => Promise.resolve(void retried.push(id)),
    remove: () => Promise.resolve(),
    force: () => Promise.resolve(),
  };
  const stagesFor = stagesWith({ shoots, limits: { kyma: limits, bare: { ...limits, creation: MINUTE } } });
  return { stagesFor, retried };
}

const row = deploymentRow("acme-1", "acme");
const operation = operationRow(OPERATIONS.acme, "acme-1", "acme");

const run = (stage: Stage | undefined, more: Partial<StageContext> = {}): Promise<StageEnd> => {
  const context: Partial<StageContext> = {
    operation,
    deployment: row,
    limitMs: stage?.limitMs,
    signal: new AbortController().signal,
    ...more,
  };
  return stage?.run(context as StageContext) ?? assert.fail("there is no such stage");
};

const shootWith = (
  lastOperation: object,
  more: { readonly spec?: object; readonly status?: object } = {},
): KubeObject => ({
  apiVersion: "core.gardener.cloud/v1beta1",
  kind: "Shoot",
  metadata: { name: "acme", namespace: "garden-dev", generation: 2 },
  spec: { dns: { domain: "acme.example.com" }, ...more.spec },
  status: { observedGeneration: 2, lastOperation, ...more.status },
});

const CREATING = { type: "Create", state: "Processing", progress: 40, description: "creating" };
const failedWith = (...codes: string[]): KubeObject =>
  shootWith(
    { ...CREATING, state: "Failed" },
    { status: { lastErrors: [{ description: "the cloud said no", codes }] } },
  );

const failure = async (work: Promise<StageEnd>): Promise<StageFailure["failure"]> => {
  const error: unknown = await work.then(
    (end) => assert.fail(`it ended: ${JSON.stringify(end)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StageFailure, String(error));
  return error.failure;
};

describe("an operation on a cluster", () => {
  const names = (kind: OperationKind, deployment: object, change: RuntimeChange = { deployment: {} }) =>
    place(undefined)
      .stagesFor({ kind, change }, rowOf(deployment))
      .map(({ name }) => name);

  it("has the stages of the original, with the engine only at the beginning and the end", () => {
    const created = ["settle", "apply", "WaitingForClusterDomain", "WaitingForClusterCreation"];
    const changed = ["settle", "apply", "WaitingForShootNewVersion", "WaitingForShootUpgrade"];
    assert.deepEqual(names("provision", BARE), [...created, "CreatingBindingsForOperators"]);
    assert.deepEqual(names("provision", KYMA), [...created, "WaitingForInstallation"]);
    const upgrade = { deployment: { cluster: { name: "acme" }, kyma: { version: "2.20.0" } } };
    assert.deepEqual(names("update", KYMA, upgrade), [...changed, "WaitingForInstallation"]);
    assert.deepEqual(names("update", KYMA, { deployment: { kyma: { version: "2.21.0" } } }), [
      "settle",
      "StartingUpgrade",
    ]);
    assert.deepEqual(names("hibernate", KYMA), ["settle", "apply", "WaitForHibernation"]);
    assert.deepEqual(names("wake", BARE), ["settle", "apply", "WaitForHibernation", "CreatingBindingsForOperators"]);
    const deleted = ["DeprovisionCluster", "WaitForClusterDeletion", "destroy"];
    assert.deepEqual(names("deprovision", BARE), ["settle", ...deleted]);
    assert.deepEqual(names("deprovision", KYMA), ["settle", "CleanupCluster", ...deleted]);
  });

  it("has only the common stages without a cluster or without access to Gardener", () => {
    assert.deepEqual(names("provision", { version: "1" }), ["settle", "apply"]);
    const blind = stagesWith(undefined)({ kind: "provision", change: { deployment: {} } }, rowOf(BARE));
    assert.deepEqual(
      blind.map(({ name }) => name),
      ["settle", "apply"],
    );
  });

  it("has the original's timeout for each stage, and other timeouts without Kyma", () => {
    const { stagesFor } = place(undefined);
    const times = (deployment: object) =>
      stagesFor({ kind: "provision", change: { deployment: {} } }, rowOf(deployment)).map(
        ({ limitMs = 0 }) => limitMs / MINUTE,
      );
    assert.deepEqual(times(KYMA), [0, 0, 10, 60, 110]);
    assert.deepEqual(times(BARE), [0, 0, 10, 1, 5]);
  });

  const stage = (shoot: KubeObject | Error | undefined, name: string, kind: OperationKind = "provision") => {
    const { stagesFor, retried } = place(shoot);
    const found = stagesFor({ kind, change: { deployment: {} } }, rowOf(KYMA)).find((one) => one.name === name);
    return { found, retried };
  };

  it("waits for the domain, then for the creation, and reports Gardener's progress", async () => {
    const early = shootWith({ ...CREATING, progress: 5 }, { spec: { dns: {} } });
    assert.equal((await run(stage(early, "WaitingForClusterDomain").found)).end, "waits");
    assert.deepEqual(await run(stage(shootWith(CREATING), "WaitingForClusterDomain").found), { end: "done" });
    const end = await run(stage(shootWith(CREATING), "WaitingForClusterCreation").found);
    assert.deepEqual(end, { end: "waits", afterMs: 1000, because: "Create Processing, 40 %: creating" });
    const ready = shootWith({ ...CREATING, state: "Succeeded", progress: 100 });
    assert.deepEqual(await run(stage(ready, "WaitingForClusterCreation").found), { end: "done" });
  });

  it("polls less often the longer it takes, but at least every 20 seconds", async () => {
    const { found } = stage(shootWith(CREATING), "WaitingForClusterCreation");
    const after = async (minutes: number) => {
      const end = await run(found, { limitMs: (60 - minutes) * MINUTE });
      return end.end === "waits" ? end.afterMs : 0;
    };
    assert.deepEqual([await after(0), await after(0.5), await after(30)], [1000, 7500, 20_000]);
  });

  it("ignores the status from before a change", async () => {
    const old = {
      ...shootWith({ type: "Reconcile", state: "Succeeded", progress: 100 }),
      metadata: { name: "acme", generation: 3 },
    };
    assert.equal((await run(stage(old, "WaitingForShootNewVersion", "update").found)).end, "waits");
    assert.equal((await run(stage(old, "WaitingForShootUpgrade", "update").found)).end, "waits");
  });

  it("fails with Gardener's codes and advice if a retry cannot help", async () => {
    const { error, passes } = await failure(
      run(stage(failedWith("ERR_INFRA_QUOTA_EXCEEDED"), "WaitingForClusterCreation").found),
    );
    assert.deepEqual([passes, error.code, error.component], [false, "PROVISIONING_FAILED", "gardener"]);
    assert.match(error.reason, /the cloud said no.*ERR_INFRA_QUOTA_EXCEEDED/);
    assert.match(error.advice ?? "", /quota/);
  });

  it("makes Gardener retry after a rate limit, and waits", async () => {
    const { found, retried } = stage(failedWith("ERR_INFRA_RATE_LIMITS_EXCEEDED"), "WaitingForClusterCreation");
    assert.equal((await failure(run(found))).passes, true);
    assert.deepEqual(retried, ["acme-1"]);
  });

  it("continues while Gardener is unavailable, and fails if the Shoot is gone", async () => {
    const away = await failure(run(stage(new Error("connect ECONNREFUSED"), "WaitingForClusterCreation").found));
    assert.deepEqual([away.passes, away.error.code, away.error.component], [true, "UNAVAILABLE", "gardener-api"]);
    const expired = new ApiError("could not read Shoot acme: Unauthorized", 401, "Unauthorized");
    const refused = await failure(run(stage(expired, "WaitingForClusterCreation").found));
    assert.deepEqual([refused.passes, refused.error.code], [true, "UNAVAILABLE"]);
    assert.match(refused.error.reason, /^Gardener refuses a request: could not read Shoot acme: Unauthorized$/);
    assert.match(refused.error.advice ?? "", /Renew the kubeconfig of the provisioner.*continues/);
    const gone = await failure(run(stage(undefined, "WaitingForClusterCreation").found));
    assert.deepEqual(
      [gone.passes, gone.error.reason],
      [false, "Gardener failed: the Shoot was deleted outside of this stack"],
    );
  });

  it("ends when the cluster is hibernated, and fails if Gardener cannot hibernate it", async () => {
    const asleep = { spec: { hibernation: { enabled: true } }, status: { hibernated: true } };
    const done = { type: "Reconcile", state: "Succeeded", progress: 100 };
    assert.deepEqual(await run(stage(shootWith(done, asleep), "WaitForHibernation", "hibernate").found), {
      end: "done",
    });
    const still = shootWith(done, { ...asleep, status: {} });
    assert.equal((await run(stage(still, "WaitForHibernation", "hibernate").found)).end, "waits");
    const failed = failedWith("ERR_CONFIGURATION_PROBLEM");
    assert.equal((await failure(run(stage(failed, "WaitForHibernation", "hibernate").found))).passes, false);
  });
});
