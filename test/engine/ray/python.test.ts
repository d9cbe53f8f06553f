/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call -- rendered YAML */
import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { renderRay } from "../../../components/ray/rayCluster";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { portsToBind } from "../../../toolchain/yard/ports";
import { shellLine } from "../../../cli/ray/submit";
import type { Context } from "../../../foundation/pulumi/resource";
import { projectFiles } from "../../../foundation/schema/files";
import { readWorkingFolder } from "../../../foundation/rayJob/workingFolder";
import type { JobInputs } from "../../../provider/resources/rayJob/inputs";
import { RayJobs } from "../../../provider/resources/rayJob/jobs";
import { rayJob } from "../../../provider/resources/rayJob/rayJob";
import { runsOf } from "../../../provider/resources/rayJob/runs";
import { connect } from "../../../kubernetes/connect/connect";
import { contextOf } from "../../unit/provider/context";
import { TemplateEngine } from "../runtime/templateEngine";
import { addressOfMachine, behindService } from "../runtime/behindService";
import { testYard } from "../runtime/yard";

const run = promisify(execFile);
const root = path.join(__dirname, "../../..");

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;
type Ports = Record<
  "gcs" | "client" | "dashboard" | "nodeManager" | "objectManager" | "metrics" | "dashboardAgent",
  number
>;

/** The pinned Ray meets the command lines that the chart gives to its pods. */
describe("a real Ray with the chart's commands", function () {
  let bin: string;
  let folder: string;
  let ports: Ports;
  let env: NodeJS.ProcessEnv;
  const started: ChildProcess[] = [];

  before(async function () {
    const environment = await pythonEnvironment("ray", root);
    if ("missing" in environment) {
      this.test!.parent!.title += ` (pending: ${environment.missing})`;
      return this.skip();
    }
    bin = path.dirname(environment.python);
    // Ray's sockets lie below it, and their paths may have 107 characters.
    folder = mkdtempSync(path.join(tmpdir(), "ray-"));
    const engine = await TemplateEngine.start();
    engine.attach();
    try {
      env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}`, TMPDIR: folder, HOME: folder };
      await restarted(async () => {
        ports = await freePorts();
        const head = (await podsOf(ports))["head"]!;
        await runs(head, `http://127.0.0.1:${ports.dashboard}${pathOf(head.readinessProbe)}`);
      });
      await restarted(async () => {
        // The worker is on the same machine here, so it can't have the head's ports.
        const others = await freePorts();
        const worker = (await podsOf({ ...others, gcs: ports.gcs }))["worker"]!;
        await runs(worker, `http://127.0.0.1:${others.dashboardAgent}${pathOf(worker.readinessProbe)}`);
      });
    } finally {
      engine.stop();
    }
  });
  after(async () => {
    for (const child of started.reverse()) {
      if (child.exitCode !== null) continue;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // `ray start --block` ends all that it began.
      child.kill("SIGTERM");
      await ended;
    }
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const pathOf = (probe: Any): string => String(probe.httpGet.path);

  /** The containers of head and worker, small enough for any machine. */
  async function podsOf(some: Ports): Promise<Record<string, Any>> {
    const size = { cpu: 2, memoryGb: 1 };
    const values = {
      clusterName: "one",
      reservedCpu: 1,
      reservedMemoryGb: 0,
      head: size,
      workerGroups: { worker: { ...size, replicas: 1 } },
    };
    const objects: Any[] = await renderRay({ ...values, ports: some }, "ray", {});
    const containers = objects
      .filter(({ kind }) => kind === "Deployment")
      .map(({ spec }) => spec.template.spec.containers[0]);
    return Object.fromEntries(containers.map((container) => [container.name, container]));
  }

  /** Runs a container as a process until its probe answers. Throws with its output where it ends before. */
  async function runs(container: Any, probe: string): Promise<void> {
    const variables = Object.fromEntries(container.env.map(({ name, value }: Any) => [name, value]));
    const [program, ...args] = [...container.command, ...container.args].map((word: string) =>
      word.replace("one-ray-head-svc.ray.svc", "127.0.0.1"),
    );
    const log = path.join(folder, `${container.name}.log`);
    const output = openSync(log, "w");
    const child = spawn(program!, args, {
      env: { ...env, ...variables },
      stdio: ["ignore", output, output],
      detached: true,
    });
    closeSync(output);
    started.push(child);
    while (!(await isOk(probe))) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`${child.spawnargs.join(" ")} has ended: ${readFileSync(log, "utf8")}`);
      }
      await sleep(200);
    }
  }

  it("has the version that the chart pins", async () => {
    const { rayVersion } = load(readFileSync(path.join(root, "charts/ray-static-cluster/values.yaml"), "utf8")) as {
      rayVersion: string;
    };
    const { stdout } = await run(path.join(bin, "ray"), ["--version"], { env });
    assert.match(stdout, new RegExp(`version ${rayVersion.replaceAll(".", "\\.")}`));
  });

  it("runs the printed job command on the worker, because the head accepts no tasks", async () => {
    const job = path.join(folder, "job.py");
    writeFileSync(
      job,
      `import ray
ray.init()
@ray.remote(num_cpus=1)
def where():
    return ray.get_runtime_context().get_node_id()
worker = ray.get(where.remote())
cpus = {node["NodeID"]: node["Resources"].get("CPU", 0) for node in ray.nodes()}
print("CPUs:", sorted(cpus.values()), "the task's node has", cpus[worker])
`,
    );
    const address = `http://127.0.0.1:${ports.dashboard}`;
    const args = ["job", "submit", "--address", address, "--", path.join(bin, "python"), job];
    const { stdout } = await run(path.join(bin, "ray"), args, { env });
    assert.match(stdout, /CPUs: \[0, 1\.0\] the task's node has 1\.0/);
  });

  it("runs a RayJob with its folder through the Kubernetes API server, repeats, fails, continues and stops it", async function () {
    const address = addressOfMachine();
    // An API server reaches no endpoint on the loopback interface.
    if (address === undefined) return this.skip();
    const kubeconfig = readFileSync((await testYard()).kubeconfig, "utf8");
    const client = connect(kubeconfig, undefined, {});
    const service = { namespace: "default", name: "real-ray-head-svc", port: 8265 };
    await behindService(client, service, address, ports.dashboard);
    const work = path.join(folder, "work");
    mkdirSync(path.join(work, "lib"), { recursive: true });
    writeFileSync(path.join(work, "lib", "__init__.py"), 'SAID = "from the folder"\n');
    writeFileSync(
      path.join(work, "job.py"),
      "import os, sys, lib\nprint(lib.SAID, os.environ['WHO'], sys.argv[1], flush=True)\nraise SystemExit(int(sys.argv[2]))\n",
    );
    const read = readWorkingFolder(projectFiles("."), work);
    assert.ok("sha256" in read);
    const lines: string[] = [];
    const context = (more: Partial<Context> = {}) => contextOf((line) => lines.push(line), more);
    const inputsOf = async (owner: string, more: object): Promise<JobInputs> => {
      const place = { kubeconfig, cluster: "https://yard", namespace: "default", service: service.name, owner };
      const { inputs, failures } = await rayJob.check(context(), { ...place, timeoutSeconds: 120, ...more });
      assert.deepEqual(failures, []);
      return inputs as unknown as JobInputs;
    };
    const python = path.join(bin, "python");
    const inFolder = { workingDir: { path: work, sha256: read.sha256 }, runtimeEnv: { env_vars: { WHO: "ann" } } };
    const jobs = new RayJobs(client, service);

    // The entrypoint reserves the worker's CPU; the head has none.
    const entrypoint = shellLine([python, "job.py", "two words", "0"]);
    const good = await inputsOf("dev-good", { ...inFolder, entrypoint, cpus: 1, metadata: { team: "data" } });
    const { state } = await rayJob.create(context(), good);
    assert.equal(state.status, "SUCCEEDED");
    assert.match(await jobs.log(state.submissionId), /from the folder ann two words/);
    // A killed creation leaves no state, and makes no second run.
    assert.equal((await rayJob.create(context(), good)).state.submissionId, state.submissionId);
    const runs = async (owner: string) => runsOf(await jobs.list(), owner).map(({ status }) => status);
    assert.deepEqual(await runs("dev-good"), ["SUCCEEDED"]);
    // Ray accepts no second job with the id; the client finds the first one instead, at once.
    const begun = Date.now();
    await jobs.submit({ submission_id: state.submissionId, entrypoint: "false", runtime_env: {} });
    assert.ok(Date.now() - begun < 10_000);

    const bad = await inputsOf("dev-bad", { ...inFolder, entrypoint: `${python} job.py bad 3`, retries: 1 });
    await assert.rejects(
      rayJob.create(context(), bad),
      /failed \(dev-bad-1-\w+-2\).*exit code 3[^]*from the folder ann bad/,
    );
    assert.deepEqual(await runs("dev-bad"), ["FAILED", "FAILED"]);

    const long = await inputsOf("dev-long", { entrypoint: "sleep 600", waitFor: "running" });
    const running = { inputs: long, state: (await rayJob.create(context(), long)).state };
    assert.equal((await rayJob.read(context(), "", running))?.state.status, "RUNNING");
    const late = await inputsOf("dev-long", { entrypoint: "echo started; sleep 500", timeoutSeconds: 5 });
    await assert.rejects(rayJob.update(context(), "", running, late), /not completed after 5 seconds and was stopped/);
    assert.deepEqual(await runs("dev-long"), ["STOPPED", "STOPPED"]);
    for (const inputs of [good, bad, long]) await rayJob.delete(context(), "", { inputs, state: running.state });
    assert.deepEqual(await Promise.all(["dev-good", "dev-bad", "dev-long"].map(runs)), [[], [], []]);
  });

  it("runs the job of a CronJob as its pod does, and stops it with the pod", async () => {
    const values = {
      clusterName: "one",
      jobs: {
        nightly: {
          schedule: { cron: "@daily" },
          timeoutSeconds: 60,
          retries: 0,
          request: { entrypoint: `${path.join(bin, "python")} lib/job.py`, runtime_env: { env_vars: { WHO: "bob" } } },
          folder: {
            data: { "folder.lib_job.py": "import os\nprint('hello', os.environ['WHO'])\n" },
            items: [{ key: "folder.lib_job.py", path: "lib/job.py" }],
          },
        },
      },
    };
    const engine = await TemplateEngine.start();
    engine.attach();
    const objects: Any[] = await renderRay(values, "ray", {}).finally(() => engine.stop());
    const { data } = objects.find(({ metadata }) => metadata.name === "one-ray-nightly-job");
    const { spec } = objects.find(({ kind }) => kind === "CronJob").spec.jobTemplate.spec.template;
    // The volume, as the kubelet fills it.
    const mounted = path.join(folder, "job");
    for (const { key, path: file } of spec.volumes[0].configMap.items) {
      mkdirSync(path.dirname(path.join(mounted, file)), { recursive: true });
      writeFileSync(path.join(mounted, file), data[key]);
    }
    const pod = (run: string) =>
      spawn(path.join(bin, "python"), [path.join(mounted, "run_job.py")], {
        env: { ...env, RUN: run, JOB_FOLDER: mounted, RAY_ADDRESS: `http://127.0.0.1:${ports.dashboard}` },
      });
    const ended = async (child: ChildProcess, until?: RegExp): Promise<{ code: number | null; output: string }> => {
      let output = "";
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.on("data", (text: Buffer) => {
          output += text.toString();
          if (until?.test(output)) child.kill("SIGTERM");
        });
      }
      const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
      return { code, output };
    };
    const first = await ended(pod("one-ray-nightly-1"));
    assert.equal(first.code, 0, first.output);
    assert.match(first.output, /job one-ray-nightly-1-1\n[^]*hello bob/);
    // A second pod of the same run submits nothing.
    const second = await ended(pod("one-ray-nightly-1"));
    assert.deepEqual([second.code, second.output.includes("one-ray-nightly-1-2")], [0, false], second.output);
    writeFileSync(
      path.join(mounted, "folder/lib/job.py"),
      "import time\nprint('begun', flush=True)\ntime.sleep(600)\n",
    );
    const killed = await ended(pod("one-ray-nightly-2"), /begun/);
    assert.equal(killed.code, 1, killed.output);
    assert.match(killed.output, /stopping job one-ray-nightly-2-1/);
    writeFileSync(path.join(mounted, "folder/lib/job.py"), "raise SystemExit(3)\n");
    const failed = await ended(pod("one-ray-nightly-3"));
    assert.equal(failed.code, 1);
    assert.match(failed.output, /job one-ray-nightly-3-1 FAILED: .*exit code 3/);
  });
});

/** Starts again what has ended, as the kubelet does: Ray takes more ports than it can be given, and another program may have one. */
async function restarted(start: () => Promise<void>): Promise<void> {
  for (let left = 2; ; left--) {
    try {
      return await start();
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/** Asks as the kubelet does: Ray refuses what looks like a browser, and `fetch` does. */
const isOk = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(url, { timeout: 3_000, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });

/** Ports that nobody has now, each another one. */
async function freePorts(): Promise<Ports> {
  const names = ["gcs", "client", "dashboard", "nodeManager", "objectManager", "metrics", "dashboardAgent"] as const;
  const found = await portsToBind(names.length);
  return Object.fromEntries(names.map((name, index) => [name, found[index]])) as Ports;
}
