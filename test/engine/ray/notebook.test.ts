import assert from "node:assert/strict";
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import { hubImages } from "../../../toolchain/yard/processNode/hubImages";
import { processImages } from "../../../toolchain/yard/processNode/images";
import { startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { CLIENT } from "../../doubles/issuer/codeFlow";
import { OidcIssuer } from "../../doubles/issuer/oidcIssuer";
import { secure } from "../../tools/warmPulumi/stackFile";
import { realChart } from "../../upstream/charts";
import { Browser } from "../jupyterhub/spawning";
import { World } from "../runtime/world";
import { machineAddress, nodePython } from "../yard/nodeParts";

const run = promisify(execFile);

/**
 * What a user runs in a cell: no address and no token. It computes until there is the file `done`, and at least once.
 * Ray's process for a client sometimes ends as it starts, without a reason in its log; the next one works.
 */
const CELL = `
import os, ray
try:
    ray.init()
except ConnectionAbortedError:
    ray.init()
@ray.remote(num_cpus=1)
def square(x):
    return x * x
results = set()
while not results or os.path.exists("going-on") and not os.path.exists("done"):
    results.add(sum(ray.get([square.remote(x) for x in range(100)])))
print(ray.__version__, results)
`;
const RESULT = /^2\.60\.0 \{328350\}$/m;
const SIZE = { cpu: 4, memoryGb: 4 };

/**
 * A platform whose pods run as processes, with the pinned packages under the real kubelet: Ray, the hub, its proxy and a
 * notebook. The chart of JupyterHub is the real one, from the folder in UPSTREAM or its repository, else its double.
 */
describe("a notebook that computes with Ray", function () {
  this.timeout(600_000);
  let yard: Yard;
  let world: World;
  let issuer: OidcIssuer;
  let charts: ChartRepository;
  let forward: ChildProcess | undefined;
  let url: string;
  const browser = new Browser();

  before(async function () {
    const python = await nodePython("ray", "notebook", "hub");
    if ("missing" in python) {
      this.test!.parent!.title += ` (pending: ${python.missing})`;
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [yardNode]);
    yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    const images = [...processImages(python), ...hubImages(python.hub, projectRoot())];
    await startProcessNode(yard.directory, programs["yard-node"]!, images);
    world = new World(yard);
    issuer = await new OidcIssuer().start(await machineAddress(await readFile(yard.kubeconfig, "utf8")));
    issuer.people.set("eve", { email: "eve@example.com", email_verified: true, groups: ["data"] });
    const real = await realChart("jupyterhub", process.env["UPSTREAM"]);
    const archive = "missing" in real ? await packDouble("jupyterhub") : real.archive;
    if ("missing" in real) console.log(`      with a double of JupyterHub's chart: ${real.missing}`);
    charts = await new ChartRepository({ jupyterhub: archive }).start();
    const { version } = CHARTS.jupyterhub;
    const lock = renderLock({ jupyterhub: { version, digest: sha256(archive) } });
    await writeFile(path.join(world.folder, "lock.yaml"), lock);
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
    await up();
    await isUp();
  });
  after(async () => {
    forward?.kill();
    await charts?.stop();
    await issuer?.stop();
    if (yard) {
      await run("kubectl", [
        "--kubeconfig",
        yard.kubeconfig,
        "delete",
        "namespace",
        ...namespaces(),
        "--wait=false",
        "--ignore-not-found",
      ]);
      await stopProcessNode(yard.directory);
    }
    world?.remove();
  });

  const namespaces = (): [hub: string, ray: string] => [`hub-${world.tag}`, `ray-${world.tag}`];

  /** Deploys the platform, with these changes of JupyterHub. */
  async function up(changes: object = {}): Promise<void> {
    const [namespace, ray] = namespaces();
    await world.configure("platform", `dev-${world.tag}`, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      charts: { mirror: charts.url, lock: "required", lockFile: path.join(world.folder, "lock.yaml") },
      provisioners: {
        only: {
          type: "kubernetes",
          spec: { namespace: "runtimes", host: "http://*.example.com", image: "example/runtime" },
        },
      },
      defaultProvisioner: "only",
      ray: {
        one: {
          namespace: ray,
          mode: "static",
          reservedCpu: 0,
          reservedMemoryGb: 0,
          // Ray's process for a client starts in less than 30 seconds, but not on a busy machine.
          env: { RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S: "120" },
          head: SIZE,
          workerGroups: { worker: { ...SIZE, replicas: 1 } },
        },
      },
      jupyterhub: {
        namespace,
        host: new URL(CLIENT.callback).host,
        tls: { type: "offload" },
        service: { type: "ClusterIP" },
        auth: {
          type: "oidc",
          issuer: issuer.url,
          clientId: CLIENT.id,
          clientSecret: secure(CLIENT.secret),
          scopes: ["openid", "email", "profile", "offline_access"],
          allowedGroups: ["data"],
        },
        storage: { sizeGb: 1 },
        metadataBlock: "networkPolicy",
        // The scheduler of the chart is a simulated pod.
        values: { scheduling: { userScheduler: { enabled: false } } },
        ...changes,
      },
    });
    await world.must("platform", "up", "-s", `dev-${world.tag}`, "--yes", "--skip-preview");
  }

  const kubectl = async (...args: string[]): Promise<string> => {
    const all = ["--kubeconfig", yard.kubeconfig, "--namespace", namespaces()[0], ...args];
    try {
      return (await run("kubectl", all)).stdout;
    } catch (error) {
      const state = await run("kubectl", [...all.slice(0, 4), "describe", "pods"]);
      throw new Error(`${String(error)}\n${state.stdout}\n${await hubLog()}`);
    }
  };
  const hubLog = async (): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", yard.kubeconfig, "-n", namespaces()[0], "logs", "deployment/hub"])).stdout;

  /** Until hub and proxy are up; users reach them by `url`. */
  async function isUp(): Promise<void> {
    await kubectl("wait", "--for=condition=Available", "deployment/hub", "deployment/proxy", "--timeout=120s");
    forward?.kill();
    url = await forwarded();
  }

  async function forwarded(): Promise<string> {
    const args = [
      "--kubeconfig",
      yard.kubeconfig,
      "-n",
      namespaces()[0],
      "port-forward",
      "service/proxy-public",
      ":http",
    ];
    forward = spawn("kubectl", args, { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: forward.stdout! })) {
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (port !== undefined) return `http://127.0.0.1:${port}`;
    }
    throw new Error("kubectl port-forward ended");
  }

  /** Until the user's notebook answers through the proxy. */
  async function answers(): Promise<void> {
    for (const until = Date.now() + 120_000; ; await sleep(500)) {
      const { text } = await browser.open(`${url}/user/eve@example.com/api`);
      if (text.includes('"version"')) return;
      if (Date.now() > until) assert.fail(`${text}\n${await hubLog()}\n${await kubectl("describe", "pods")}`);
    }
  }
  const nameOf = async (...selector: string[]): Promise<string> =>
    (await kubectl("get", "pods", ...selector, "-o", "name")).trim();
  const inNotebook = async (...command: string[]): Promise<string> =>
    kubectl("exec", await nameOf("-l", "component=singleuser-server"), "--", ...command);
  const compute = (): Promise<string> => inNotebook("python", "-c", CELL);
  /** What the user has: the pod and its disk, which has a file. */
  const possessions = async (): Promise<string> =>
    (await kubectl("get", "pods,pvc", "-l", "component=singleuser-server", "-o", "jsonpath={.items[*].metadata.uid}")) +
    (await inNotebook("cat", "/home/jovyan/kept"));

  it("starts for a user who logs in, and is reached through the proxy", async () => {
    issuer.next = "eve";
    const { location } = await browser.open(`${url}/hub/oauth_login?next=`);
    const { pathname, search } = new URL((await browser.open(location)).location);
    const { text } = await browser.open(url + pathname + search);
    assert.match(text, /^302/, await hubLog());
    await browser.open(`${url}/hub/spawn`);
    await answers();
  });

  it("gets a result by ray.init(), with the address and the token that it was given", async () => {
    assert.match(await compute(), RESULT);
  });

  it("gets a result again after the processes of the worker were killed", async () => {
    const worker = ["-n", namespaces()[1], "-l", "app.kubernetes.io/component=worker"];
    const seen = ["-o", "jsonpath={.items[0].status.containerStatuses[0]['restartCount','ready']}"];
    const before = await kubectl("get", "pods", ...worker, ...seen);
    await kubectl("exec", "-n", namespaces()[1], await nameOf(...worker), "--", "pkill", "-9", "raylet");
    for (const until = Date.now() + 240_000; ; await sleep(500)) {
      const now = await kubectl("get", "pods", ...worker, ...seen);
      if (now.endsWith("true") && now !== before) break;
      assert.ok(Date.now() < until, now);
    }
    assert.match(await compute(), RESULT);
  });

  it("goes on while JupyterHub is upgraded, and after the hub was killed", async () => {
    await inNotebook("sh", "-c", "echo eve > kept; touch going-on");
    const before = await possessions();
    const hub = ["-l", "component=hub"];
    const first = await nameOf(...hub);
    const cell = compute();
    cell.catch(() => undefined); // It is awaited below.
    await up({ profiles: { small: { displayName: "Small" } } });
    await isUp();
    const second = await nameOf(...hub);
    assert.notEqual(second, first);
    await answers();

    await kubectl("delete", second, "--grace-period=0", "--force");
    await isUp();
    assert.notEqual(await nameOf(...hub), second);
    // The user is still logged in, and the hub knows that the notebook runs.
    assert.match((await browser.open(`${url}/hub/home`)).text, /^200[^]*Stop My Server/);
    await answers();
    await inNotebook("touch", "done");
    assert.match(await cell, RESULT);
    assert.equal(await possessions(), before);
  });
});
