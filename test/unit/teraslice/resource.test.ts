import assert from "node:assert/strict";
import { UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { needsRestart } from "../../../provider/resources/terasliceJob/applyJob";
import * as execution from "../../../provider/resources/terasliceJob/master/execution";
import type { JobInputs } from "../../../provider/resources/terasliceJob/inputs";
import { terasliceJob } from "../../../provider/resources/terasliceJob/terasliceJob";

const context: Context = {
  urn: "",
  backend: "file:///state",
  preview: false,
  signal: new AbortController().signal,
  timeoutSeconds: undefined,
  log: () => undefined,
};
const given = {
  cluster: "https://one",
  namespace: "ts",
  service: "acme-master",
  owner: "dev-example",
  job: { name: "example", workers: 2, labels: { stackyard: "dev-example" } },
};
const faults = async (inputs: object) => {
  const { failures } = await terasliceJob.check(context, { ...given, ...inputs });
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
};

describe("the inputs of a TerasliceJob", () => {
  it("have defaults, and can be unknown", async () => {
    const { inputs, failures } = await terasliceJob.check(context, given);
    assert.deepEqual(failures, []);
    assert.deepEqual([inputs["state"], inputs["port"], inputs["assets"]], ["running", 5678, []]);
    assert.deepEqual(await faults({ job: UNKNOWN, namespace: UNKNOWN, assets: UNKNOWN, kubeconfig: UNKNOWN }), []);
  });

  it("are rejected with their paths", async () => {
    assert.deepEqual(await faults({ state: "stopped" }), ['state: found "stopped"; expected running or registered']);
    assert.match(
      (await faults({ owner: "Not legal" })).join("\n"),
      /owner: found "Not legal"; expected a DNS-1123 label/,
    );
    assert.match(
      (await faults({ job: { ...given.job, job_id: "1" } })).join(),
      /job\.job_id: .*only the master gives it/,
    );
    assert.match(
      (await faults({ job: { labels: {} } })).join(),
      /job\.labels\.stackyard: found nothing; expected the owner/,
    );
    assert.match((await faults({ assets: [{ path: "a.zip", sha256: "x" }] })).join(), /assets\[0\]\.sha256/);
    assert.match((await faults({ jobs: {} })).join(), /jobs: found an unknown property/);
  });
});

describe("a change of a TerasliceJob", () => {
  const inputs = { ...given, state: "running", port: 5678, assets: [], footprint: "", timeoutSeconds: 1 } as JobInputs;
  const diff = (change: object) =>
    terasliceJob.diff(context, "", { inputs, state: { jobId: "1", registered: {} } }, { ...inputs, ...change });

  it("is made in place, and shows its path", async () => {
    assert.deepEqual((await diff({ job: { ...given.job, workers: 3 } })).changes, { "job.workers": "update" });
    assert.deepEqual((await diff({ state: "registered" })).changes, { state: "update" });
  });

  it("is empty if only the timeout changes", async () => {
    assert.deepEqual((await diff({ timeoutSeconds: 9 })).changes, {});
  });

  it("replaces the job, after its deletion, if the master changes", async () => {
    const found = await diff({ service: "other-master" });
    assert.deepEqual(found.changes, { service: "update-replace" });
    assert.equal(found.deleteBeforeReplace, true);
  });

  it("restarts a running job unless only the number of workers changes", () => {
    assert.ok(!needsRestart(given.job, { ...given.job, workers: 5 }));
    assert.ok(needsRestart(given.job, { ...given.job, name: "other" }));
    assert.ok(needsRestart(given.job, { workers: 2, name: "example" }));
  });
});

describe("an execution", () => {
  const job = { lifecycle: "once", _updated: "2026-01-01T10:00:00.000Z" };
  const run = (_status: string, _created = "2026-01-01T11:00:00.000Z") => ({ _status, _created });

  it("is live from pending until it ends", () => {
    const live = ["pending", "scheduling", "initializing", "running", "recovering", "failing", "paused", "stopping"];
    const ended = ["completed", "stopped", "rejected", "failed", "terminated"];
    assert.ok(live.every((status) => execution.isLive(run(status))));
    assert.ok(!ended.some((status) => execution.isLive(run(status))) && !execution.isLive(undefined));
  });

  it("is no longer starting while it processes what the last one left", () => {
    const coming = ["pending", "scheduling", "initializing"];
    assert.ok(coming.every((status) => execution.isComing(run(status))));
    assert.ok(!["recovering", "running"].some((status) => execution.isComing(run(status))));
  });

  it("is done if the current version of a job that runs once is completed", () => {
    assert.ok(execution.isDone(run("completed"), job));
    assert.ok(!execution.isDone(run("failed"), job));
    assert.ok(!execution.isDone(run("completed", "2026-01-01T09:00:00.000Z"), job));
    assert.ok(!execution.isDone(run("completed"), { ...job, lifecycle: "persistent" }));
  });
});
