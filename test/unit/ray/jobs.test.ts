import assert from "node:assert/strict";
import { chartValues } from "../../../components/ray/plan";
import { jobArgs, jobOwner } from "../../../components/ray/jobArgs";
import { decode, FILES, filesOf, goodWith, linesOf } from "../config/fixtures";

const folder = filesOf({
  "jobs/train.py": "print(1)\n",
  "jobs/lib/data.csv": "a,b\n",
  "large/data.csv": "x".repeat(800_000),
});
const files = {
  read: (path: string) => (/^(jobs|large)\//.test(path) ? folder.read(path) : FILES.read(path)),
  list: (...[path, skipped]: Parameters<typeof folder.list>) => folder.list(path, skipped),
};
const scaled = { mode: "autoscaling", workerGroups: { cpus: { minReplicas: 0, maxReplicas: 3 } } };
const withJob = (job: object, cluster: object = {}, key = "train") =>
  goodWith({
    ray: { one: { mode: "static", ...cluster, jobs: { [key]: { entrypoint: "python train.py", ...job } } } },
  });
const jobOf = (job: object) => decode(withJob(job), {}, files).ray!["one"]!.jobs[0]!;

/** The one fault of a job. */
function fault(job: object, expected: RegExp, cluster?: object, key?: string): void {
  const lines = linesOf(withJob(job, cluster, key), {}, files);
  assert.equal(lines.length, 1, lines.join("\n"));
  assert.match(lines[0]!, expected);
}

describe("the jobs of a Ray cluster", () => {
  it("need only an entrypoint", () => {
    const { entrypoint, retries, timeoutSeconds, schedule } = jobOf({});
    assert.deepEqual([entrypoint, retries, timeoutSeconds, schedule], ["python train.py", 0, 3600, undefined]);
    fault({ entrypoint: " " }, /jobs\.train\.entrypoint: found " "; expected a command line/);
    fault({ entrypont: "x" }, /jobs\.train\.entrypont: found an unknown key; .*did you mean entrypoint/);
    fault({}, /expected a name of a-z.* 40 characters at most/, {}, "Train");
  });

  it("have a folder, whose content decides whether they run again", () => {
    const { folder: read, content } = jobOf({ workingDir: "jobs" });
    assert.match(read?.sha256 ?? "", /^[0-9a-f]{64}$/);
    assert.equal(content, undefined);
    assert.equal(jobOf({ workingDir: "s3://bucket/job.zip" }).uri, "s3://bucket/job.zip");
    fault({ workingDir: "jbos" }, /workingDir: found "jbos", no such folder; expected a folder with at most 100 MB/);
    fault({ workingDir: "s3://bucket/job" }, /expected an archive at https:\/\/, s3:\/\//);
  });

  it("may have any runtime environment that Ray accepts and finds", () => {
    const env = { pip: ["polars"], env_vars: { A: "1" }, py_modules: ["s3://b/m.zip"], config: {} };
    assert.deepEqual(linesOf(withJob({ runtimeEnv: env }), {}, files), []);
    fault({ runtimeEnv: { working_dir: "." } }, /runtimeEnv\.working_dir: .*none, because workingDir sets it/);
    fault({ runtimeEnv: { pip: [], conda: {} } }, /runtimeEnv\.pip: .*none beside conda, because Ray refuses both/);
    fault({ runtimeEnv: { pip: "requirements.txt" } }, /the packages themselves, because files are not sent/);
    fault({ runtimeEnv: { env_vars: { A: 1 } } }, /env_vars\.A: found 1; expected a text; put it in quotes/);
    fault({ runtimeEnv: { py_modules: ["lib"] } }, /a list of URIs, because folders are not sent/);
    const { warnings } = decode(withJob({ runtimeEnv: { env_var: {} } }), {}, files);
    assert.deepEqual(warnings, [
      "stackyard:ray.one.jobs.train.runtimeEnv.env_var: found an unknown key; expected a key that Ray has, or a plugin; did you mean env_vars",
    ]);
  });

  it("are refused if no pod of the cluster can ever run them", () => {
    const offer =
      /jobs\.train: found CPU 8; expected what a pod of the cluster offers to Ray: head with memoryGb 21; worker with CPU 7, memoryGb 21$/;
    fault({ cpus: 8 }, offer);
    assert.deepEqual(linesOf(withJob({ cpus: 7, memoryGb: 21 }), {}, files), []);
    // Memory, but no CPU, is on the head.
    assert.deepEqual(linesOf(withJob({ memoryGb: 20 }, { workerGroups: { w: { replicas: 0 } } }), {}, files), []);
    fault({ cpus: 1 }, /found CPU 1; expected .*head with memoryGb 21$/, { workerGroups: { w: { replicas: 0 } } });
    assert.deepEqual(linesOf(withJob({ cpus: 1 }, { head: { runsTasks: true } }), {}, files), []);
    fault({ gpus: 1 }, /found GPU 1; expected/, scaled);
    fault({ resources: { disk: 1 } }, /found disk 1; expected/);
    const custom = { head: { rayStartParams: { resources: '{"disk": 2}' } } };
    assert.deepEqual(linesOf(withJob({ resources: { disk: 1 } }, custom), {}, files), []);
    const devices = { workerGroups: { w: { devices: { "nvidia.com/mig-1g.10gb": 1, "google.com/tpu": 4 } } } };
    assert.deepEqual(linesOf(withJob({ gpus: 1, resources: { TPU: 4 } }, devices), {}, files), []);
    assert.deepEqual(linesOf(withJob({ resources: { "accelerator_type:A10G": 0.01 } }), {}, files), []);
    // Each alone fits, but not on the same pod.
    const mixed = { workerGroups: { cpu: { cpu: 9 }, gpu: { cpu: 3, gpu: 1 } } };
    fault({ cpus: 4, gpus: 1 }, /found CPU 4, GPU 1; expected .*cpu with CPU 8.*gpu with CPU 2, GPU 1/, mixed);
  });

  it("with a schedule are CronJobs, with their folder in a ConfigMap", () => {
    const schedule = { cron: "0 3 * * 1-5", timeZone: "Europe/Berlin" };
    const job = { schedule, workingDir: "jobs", memoryGb: 2, runtimeEnv: { env_vars: { A: "1" } }, retries: 1 };
    const { jobs } = chartValues("one", decode(withJob(job), {}, files).ray!["one"]!) as {
      jobs: Record<string, { schedule: object; request: object; folder: { data: object; items: object } }>;
    };
    assert.deepEqual(jobs["train"]!.request, {
      ...{ entrypoint: "python train.py", runtime_env: { env_vars: { A: "1" } }, metadata: {} },
      entrypoint_memory: 2e9,
    });
    assert.deepEqual(Object.values(jobs["train"]!.folder.data), ["a,b\n", "print(1)\n"]);
    assert.deepEqual(jobs["train"]!.folder.items, [
      { key: Object.keys(jobs["train"]!.folder.data)[0], path: "lib/data.csv" },
      { key: "folder.train.py", path: "train.py" },
    ]);
    assert.deepEqual(jobs["train"]!.schedule, {
      ...schedule,
      ...{ concurrencyPolicy: "Forbid", suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    });
    assert.equal(chartValues("one", decode(withJob({}), {}, files).ray!["one"]!)["jobs"], undefined);
  });

  it("with a schedule are refused as Kubernetes would refuse them", () => {
    const schedule = { cron: "@daily" };
    fault({ schedule: { cron: "daily" } }, /schedule\.cron: .*five fields as of cron/);
    fault({ schedule: { cron: "0 3 * *" } }, /five fields as of cron/);
    for (const cron of [
      "61 * * * *",
      "0 24 * * *",
      "0 0 0 * *",
      "0 0 * 13 *",
      "0 0 * * 7",
      "*/0 * * * *",
      "0 0-24 * * *",
    ])
      fault({ schedule: { cron } }, /five fields as of cron/);
    fault({ schedule: { ...schedule, timeZone: "Europe/Berln" } }, /timeZone: .*a time zone such as Europe\/Berlin/);
    fault({ schedule, waitFor: "running" }, /waitFor: found running; expected none, because no update waits/);
    fault(
      { schedule, workingDir: "large" },
      /a folder with 800000 bytes; expected at most 700000 bytes.*; or an archive/,
    );
    const long = "n".repeat(40);
    assert.deepEqual(linesOf(withJob({ schedule }, {}, long), {}, files), []);
    const cluster = { mode: "static", jobs: { [long]: { entrypoint: "true", schedule } } };
    const [line] = linesOf(goodWith({ ray: { analytics: cluster } }), {}, files);
    assert.match(line ?? "", /a shorter name: the CronJob analytics-ray-n+ may have 52 characters/);
  });

  it("have an owner that is unique for stack, cluster and name", () => {
    const all = [jobOwner("dev", "one", "a"), jobOwner("dev", "two", "a"), jobOwner("dev-one", "one", "a")];
    assert.equal(new Set(all).size, 3);
    assert.ok(jobOwner("d".repeat(90), "one", "a").length <= 40);
    const args = jobArgs("dev", "one", jobOf({ workingDir: "s3://b/j.zip", cpus: 1 }));
    assert.deepEqual([args.runtimeEnv, args.cpus, "gpus" in args], [{ working_dir: "s3://b/j.zip" }, 1, false]);
  });
});
