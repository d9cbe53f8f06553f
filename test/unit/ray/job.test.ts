import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { IncompleteError, UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { projectFiles } from "../../../foundation/schema/files";
import { readWorkingFolder } from "../../../foundation/rayJob/workingFolder";
import type { JobInputs, JobState } from "../../../provider/resources/rayJob/inputs";
import { rayJob } from "../../../provider/resources/rayJob/rayJob";
import { RayJobsDouble, type DoubledJob } from "../../doubles/rayJobs";
import { blocksOf } from "../../fixtures/pages";
import { contextOf } from "../provider/context";

const URN = "urn:pulumi:dev::acme::stackyard:index:RayJob::train";
const given = {
  cluster: "https://one",
  namespace: "ray",
  service: "one-ray-head-svc",
  tokenSecret: "one-ray-token",
  owner: "dev-train",
  entrypoint: "python train.py",
};

describe("a RayJob", function () {
  this.timeout(20_000);
  let double: RayJobsDouble;
  let kubeconfig: string;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    double = new RayJobsDouble();
    kubeconfig = await double.listen();
  });
  afterEach(() => double.stop());

  const context = (more: Partial<Context> = {}): Context =>
    contextOf((line) => lines.push(line), { urn: URN, ...more });
  const inputsOf = async (more: object = {}): Promise<JobInputs> => {
    const { inputs, failures } = await rayJob.check(context(), { kubeconfig, ...given, ...more });
    assert.deepEqual(failures, []);
    return inputs as unknown as JobInputs;
  };
  const create = async (more: object = {}, by: Partial<Context> = {}) => {
    const inputs = await inputsOf(more);
    return { inputs, state: (await rayJob.create(context(by), inputs)).state };
  };
  const update = async (old: { inputs: JobInputs; state: JobState }, more: object = {}) => {
    const inputs = await inputsOf(more);
    return { inputs, state: await rayJob.update(context(), "", old, inputs) };
  };
  /** The state that an engine keeps of a failed update. */
  const incomplete = async (work: Promise<unknown>): Promise<{ message: string; state: JobState }> => {
    const error: unknown = await work.then(
      () => assert.fail("it succeeded"),
      (each: unknown) => each,
    );
    assert.ok(error instanceof IncompleteError, String(error));
    return { message: error.message, state: error.state as JobState };
  };
  const ids = (): string[] => double.jobs.map(({ submission_id }) => submission_id);
  const fails = (times: number, logs = "") => {
    double.react = (job: DoubledJob) => {
      job.status = times-- > 0 ? "FAILED" : "SUCCEEDED";
      job.message = "Job entrypoint command failed with exit code 3, last available logs:\nsome";
      job.logs = logs;
    };
  };

  it("is submitted with what it reserves, and is done when it has succeeded", async () => {
    const { state } = await create({ cpus: 0.5, memoryGb: 2, resources: { disk: 1 }, metadata: { team: "data" } });
    const [job] = double.jobs;
    assert.equal(job?.entrypoint, "python train.py");
    assert.deepEqual(
      [job["entrypoint_num_cpus"], job["entrypoint_memory"], job["entrypoint_resources"], job.metadata["team"]],
      [0.5, 2e9, { disk: 1 }, "data"],
    );
    assert.deepEqual([state.status, state.submissionId], ["SUCCEEDED", job.submission_id]);
    assert.equal(job.metadata["stackyard-stack"], "acme/dev");
  });

  it("runs in a copy of its folder, which is refused if it changed since the preview", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ray-job-"));
    try {
      writeFileSync(path.join(folder, "train.py"), "print(1)\n");
      const read = readWorkingFolder(projectFiles("."), folder);
      assert.ok("sha256" in read);
      const workingDir = { path: folder, sha256: read.sha256 };
      await create({ workingDir });
      assert.deepEqual([...double.packages.keys()], [double.jobs[0]?.runtime_env["working_dir"]]);
      writeFileSync(path.join(folder, "train.py"), "print(2)\n");
      const { message } = await incomplete(create({ workingDir, owner: "dev-other" }));
      assert.match(message, /changed since the preview; run it again/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("fails with Ray's reason and its last lines, and is submitted again by the next update", async () => {
    fails(1, `${"old\n".repeat(30)}ValueError: no data\n`);
    const { message, state } = await incomplete(create());
    assert.match(
      message,
      /^job dev-train failed \(dev-train-1-\w+-1\): Job entrypoint .* exit code 3, last available logs:/,
    );
    assert.match(message, /Its last lines:\n( {2}old\n){19} {2}ValueError: no data$/);
    const { state: next } = await update({ inputs: await inputsOf(), state });
    assert.deepEqual(ids(), [state.submissionId, next.submissionId]);
    assert.match(next.submissionId, /-2$/);
    assert.equal(next.generation, 1);
    assert.equal(next.unsettled, undefined);
  });

  it("is repeated as often as it may be", async () => {
    fails(2);
    const { state } = await create({ retries: 2 });
    assert.deepEqual([ids().length, state.status], [3, "SUCCEEDED"]);
    assert.equal(lines.filter((line) => /^warning: .*exit code 3/.test(line)).length, 2);
    fails(9);
    await incomplete(create({ retries: 1, owner: "dev-other" }));
    assert.equal(ids().length, 5);
  });

  it("is submitted once if the answer is lost, or the update is killed and run again", async () => {
    let left = 1;
    double.mishap = (request) => (request === "POST /api/jobs/" && left-- > 0 ? "cut" : undefined);
    const { state } = await create();
    // The engine has no state of a killed creation.
    const { state: again } = await create();
    assert.deepEqual([ids(), again.submissionId], [[state.submissionId], state.submissionId]);
  });

  it("continues after an interrupted update, which says so", async () => {
    double.react = (job) => (job.status = "RUNNING");
    const stop = new AbortController();
    const work = create({}, { signal: stop.signal });
    while (!lines.some((line) => line.startsWith("status: running"))) await sleep(10);
    stop.abort();
    const { message, state } = await incomplete(work);
    assert.match(message, /The run continues, and the next update waits for it/);
    double.jobs[0]!.status = "SUCCEEDED";
    const { state: next } = await update({ inputs: await inputsOf(), state });
    assert.deepEqual([next.status, ids().length], ["SUCCEEDED", 1]);
  });

  it("runs again for another content, also for an earlier one, and not for another way to wait", async () => {
    const first = await create();
    const second = await update(first, { entrypoint: "python other.py" });
    const third = await update(second);
    assert.equal(new Set(ids()).size, 3);
    assert.deepEqual(
      [first, second, third].map(({ state }) => state.generation),
      [1, 2, 3],
    );
    const { changes } = await rayJob.diff(context(), "", third, await inputsOf({ retries: 3, timeoutSeconds: 9 }));
    assert.deepEqual(changes, {});
    await update(third, { port: 8265 });
    assert.equal(ids().length, 3);
  });

  it("stops its run before when it changes", async () => {
    double.react = (job) => (job.status = "RUNNING");
    const old = await create({ waitFor: "running" });
    assert.equal(old.state.status, "RUNNING");
    await update(old, { entrypoint: "python other.py", waitFor: "running" });
    assert.deepEqual(
      double.jobs.map(({ status }) => status),
      ["STOPPED", "RUNNING"],
    );
  });

  it("is stopped at its time limit", async () => {
    double.react = (job) => {
      job.status = "RUNNING";
      job.logs = "epoch 3\n";
    };
    const { message } = await incomplete(create({ timeoutSeconds: 1 }));
    assert.match(
      message,
      /is not completed after 1 seconds and was stopped \(dev-train-1-\w+-1\)\. Its last lines:\n {2}epoch 3/,
    );
    assert.equal(double.jobs[0]?.status, "STOPPED");
    assert.ok(
      lines.some((line) => /^status: running for \d+ s: epoch 3$/.test(line)),
      lines.join("\n"),
    );
  });

  it("says so if the cluster has lost its run, or somebody has stopped it", async () => {
    double.react = (job) => (job.status = "STOPPED");
    assert.match((await incomplete(create({ retries: 3 }))).message, /was stopped by somebody/);
    double.react = () => double.jobs.splice(0);
    assert.match(
      (await incomplete(create({ owner: "dev-other" }))).message,
      /no longer has this run.*head was restarted/,
    );
  });

  it("is stopped and forgotten when it is deleted", async () => {
    double.react = (job) => (job.status = "RUNNING");
    const old = await create({ waitFor: "running" });
    await rayJob.delete(context(), "", old);
    assert.deepEqual(ids(), []);
    assert.ok(double.requests.some((request) => request.endsWith("/stop")));
  });

  it("is gone with its cluster", async () => {
    const old = await create();
    double.isGone = true;
    await rayJob.delete(context(), "", old);
    assert.match(
      lines.at(-1) ?? "",
      /^warning: the Ray cluster's head is gone, so nothing of job dev-train runs any more/,
    );
  });

  it("is created again after a refresh if it should run and does not", async () => {
    double.react = (job) => (job.status = "RUNNING");
    const old = await create({ waitFor: "running" });
    assert.deepEqual(await rayJob.read(context(), "", old), old);
    double.jobs[0]!.status = "SUCCEEDED";
    assert.equal((await rayJob.read(context(), "", old))?.state.status, "SUCCEEDED");
    double.jobs[0]!.status = "FAILED";
    assert.equal(await rayJob.read(context(), "", old), undefined);
    const done = { ...old, state: { ...old.state, status: "SUCCEEDED" } };
    double.jobs.splice(0);
    assert.deepEqual(await rayJob.read(context(), "", done), done);
  });

  it("of another stack is neither changed nor stopped", async () => {
    double.react = (job) => (job.status = "RUNNING");
    const old = await create({ waitFor: "running" });
    const other = { urn: URN.replace("dev", "prod") };
    const refused = /run dev-train-1-\w+-1 belongs to stack acme\/dev in file:\/\/\/state. Nothing was changed/;
    await assert.rejects(create({}, other), refused);
    await assert.rejects(create({}, { ...other, preview: true }), refused);
    // The state proves that a stack that moved to another backend goes on.
    await rayJob.delete(context({ backend: "s3://other" }), "", old);
    assert.deepEqual(ids(), []);
  });

  it("is previewed without a cluster that answers", async () => {
    double.isSilent = true;
    const { state } = await create({}, { preview: true });
    assert.deepEqual([state.submissionId, double.jobs], [UNKNOWN, []]);
    double.isSilent = false;
    const old = await create();
    assert.deepEqual(await rayJob.update(context({ preview: true }), "", old, old.inputs), old.state);
  });

  it("is accepted as on its page", async () => {
    const { text } = blocksOf("docs/ray-jobs.md").find(({ language }) => language === "ts")!;
    let args: object = {};
    class RayJob {
      constructor(_name: string, all: object) {
        args = all;
      }
    }
    const program = text.replaceAll(/^import .*$/gm, "");
    // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- the page's program
    new Function("RayJob", "readFileSync", program)(RayJob, () => kubeconfig);
    const { failures } = await rayJob.check(context(), args as Record<string, unknown>);
    assert.deepEqual([Object.keys(args).length > 5, failures], [true, []]);
  });

  it("is rejected with the paths of all its faults", async () => {
    const wrong = {
      entrypoint: " ",
      cpus: 0,
      retries: -1,
      waitFor: "ever",
      workingDir: { path: "jobs", sha256: "x" },
      runtimeEnv: {
        working_dir: "s3://b/a.zip",
        pip: "requirements.txt",
        uv: ["x"],
        env_vars: { A: 1 },
        py_modules: ["lib"],
      },
      metadata: { "stackyard-x": "1" },
      resources: { disk: "1" },
    };
    const { failures } = await rayJob.check(context(), { ...given, ...wrong });
    const paths = failures.map(({ property }) => property).sort();
    const envs = ["env_vars.A", "pip", "py_modules", "uv", "working_dir"].map((key) => `runtimeEnv.${key}`);
    assert.deepEqual(
      paths,
      [
        "cpus",
        "entrypoint",
        "metadata.stackyard-x",
        "resources.disk",
        "retries",
        "waitFor",
        "workingDir.sha256",
        ...envs,
      ].sort(),
    );
    const unknown = {
      owner: UNKNOWN,
      entrypoint: UNKNOWN,
      runtimeEnv: { env_vars: { A: UNKNOWN } },
      kubeconfig: UNKNOWN,
    };
    assert.deepEqual((await rayJob.check(context(), { ...given, ...unknown })).failures, []);
  });
});
