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
import { pythonEnvironment } from "../../tools/pythonEnvironment";
import { portsToBind } from "../../../toolchain/yard/ports";
import { shellLine, archiveOf } from "../../../cli/ray/submit";
import { hasEnded, RayJobs, type JobStatus } from "../../../cli/ray/jobs";
import { connect } from "../../../kubernetes/connect/connect";
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

  it("accepts a job with its folder through the Kubernetes API server and reports output and end", async function () {
    const address = addressOfMachine();
    // An API server reaches no endpoint on the loopback interface.
    if (address === undefined) return this.skip();
    const { kubeconfig } = await testYard();
    const client = connect(readFileSync(kubeconfig, "utf8"), undefined, {});
    const dashboard = "http://real-ray-head-svc.default.svc:8265";
    const place = { namespace: "default", service: "real-ray-head-svc", dashboard };
    await behindService(
      client,
      { namespace: place.namespace, name: place.service, port: 8265 },
      address,
      ports.dashboard,
    );
    const work = path.join(folder, "work");
    mkdirSync(path.join(work, "lib"), { recursive: true });
    writeFileSync(path.join(work, "lib", "__init__.py"), 'SAID = "from the folder"\n');
    writeFileSync(path.join(work, "job.py"), "import os, sys, lib\nprint(lib.SAID, os.environ['WHO'], sys.argv[1])\n");
    const jobs = new RayJobs(client, place);
    const { content, digest } = await archiveOf(work);
    const uri = await jobs.upload(content, digest);
    assert.equal(await jobs.upload(content, digest), uri);
    const env = { working_dir: uri, env_vars: { WHO: "ann" } };
    const end = async (id: string): Promise<JobStatus> => {
      for (;;) {
        const status = await jobs.status(id);
        if (hasEnded(status)) return status;
        await sleep(200);
      }
    };
    await jobs.submit("good", shellLine([path.join(bin, "python"), "job.py", "two words"]), env);
    assert.equal((await end("good")).status, "SUCCEEDED");
    assert.match(await jobs.log("good"), /from the folder ann two words/);
    // A repeated request makes no second job of it.
    await jobs.submit("good", "false", env);
    assert.equal((await end("good")).status, "SUCCEEDED");
    await jobs.submit("bad", shellLine([path.join(bin, "python"), "-c", "raise SystemExit(3)"]), {});
    assert.equal((await end("bad")).status, "FAILED");
    await jobs.submit("long", "sleep 600", {});
    await jobs.stop("long");
    assert.equal((await end("long")).status, "STOPPED");
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
