import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { RAY_SECRET } from "../../../components/jupyterhub/rayAccess";
import { renderRay } from "../../../components/ray/rayCluster";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import { processImages, type PythonFolders } from "../../../toolchain/yard/processNode/images";
import { noProcessNode, startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { AUTH0, settingsOf } from "../../unit/jupyterhub/samples";
import { Browser, SpawningHub } from "../jupyterhub/spawning";
import { HandlerWorld } from "../runtime/handlerWorld";
import { TemplateEngine } from "../runtime/templateEngine";

const run = promisify(execFile);
const CLAIM = "https://acme.example/groups";

/** What a user runs in a cell: no address and no token. */
const CELL = `
import ray
ray.init()
@ray.remote(num_cpus=1)
def square(x):
    return x * x
print(ray.__version__, sum(ray.get([square.remote(x) for x in range(100)])))
`;

/** The chart's pods of Ray and a notebook of the real JupyterHub run as processes: pinned packages, real kubelet. */
describe("a notebook that computes with Ray", function () {
  this.timeout(600_000);
  let yard: Yard;
  let world: HandlerWorld;
  let hub: SpawningHub;

  before(async function () {
    const skip = (reason: string): void => {
      this.test!.parent!.title += ` (pending: ${reason})`;
      return this.skip();
    };
    const reason = noProcessNode();
    if (reason !== undefined) return skip(reason);
    const folders: Record<string, PythonFolders> = {};
    for (const name of ["ray", "notebook", "hub"]) {
      const environment = await pythonEnvironment(name, projectRoot());
      if ("missing" in environment) return skip(environment.missing);
      const { stdout } = await run(environment.python, ["-c", "import sys; print(sys.base_prefix)"]);
      folders[name] = {
        environment: path.dirname(path.dirname(environment.python)),
        interpreter: stdout.trim(),
      };
    }
    const { programs } = await ensureTools(projectRoot(), [yardNode]);
    yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    await startProcessNode(yard.directory, programs["yard-node"]!, processImages(folders));
    const kubeconfig = await readFile(yard.kubeconfig, "utf8");
    world = await new HandlerWorld(kubeconfig, "computes").open();
    const { namespace, client } = world;
    const settings = settingsOf({
      auth: { ...AUTH0, allowedGroups: ["data"], groupsClaim: CLAIM },
      environment: {},
      storage: { type: "dynamic", sizeGb: 1 },
    });
    const account = { name: settings.serviceAccount, namespace };
    await client.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: account });
    const token = "7f".repeat(32);
    for (const name of ["ray-token", RAY_SECRET])
      await client.apply({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, namespace },
        stringData: { auth_token: token },
      });
    await startRay();
    const node = (await client.get({ apiVersion: "v1", kind: "Node", name: "processes" })) as unknown as {
      readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
    };
    const { address } = node.status.addresses.find(({ type }) => type === "InternalIP")!;
    const head = `one-ray-head-svc.${namespace}`;
    hub = await new SpawningHub().start(settings, {
      python: path.join(folders["hub"]!.environment, "bin", "python"),
      kubeconfig,
      namespace,
      address,
      ray: {
        address: `ray://${head}:10001`,
        dashboard: `http://${head}:8265`,
        gcs: `${head}:6379`,
        namespace,
        image: "rayproject/ray:2.60.0",
        authSecret: "ray-token",
      },
    });
  });
  after(async () => {
    await hub?.stop();
    await world?.close();
    if (yard) await stopProcessNode(yard.directory);
  });

  async function startRay(): Promise<void> {
    const engine = await TemplateEngine.start();
    engine.attach();
    const size = { cpu: 4, memoryGb: 4 };
    const values = {
      clusterName: "one",
      reservedCpu: 0,
      reservedMemoryGb: 0,
      auth: { secretName: "ray-token" },
      // Ray's part for a client starts in less than 30 seconds, but not on a busy machine.
      env: { RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S: "200" },
      head: size,
      workerGroups: { worker: { ...size, replicas: 1 } },
    };
    const objects = await renderRay(values, world.namespace, {}).finally(() => engine.stop());
    for (const object of objects) await world.client.apply(object as unknown as KubeObject);
    for (const name of ["head", "worker"])
      await kubectl("wait", "--for=condition=Available", `deployment/one-ray-${name}`, "--timeout=240s");
  }

  const kubectl = async (...args: string[]): Promise<string> => {
    const all = ["--kubeconfig", yard.kubeconfig, "--namespace", world.namespace, ...args];
    try {
      return (await run("kubectl", all)).stdout;
    } catch (error) {
      const state = await run("kubectl", [...all.slice(0, 4), "describe", "pods"]);
      throw new Error(`${String(error)}\n${state.stdout}`);
    }
  };
  async function compute(): Promise<string> {
    const [name] = (await kubectl("get", "pods", "-l", "component=singleuser-server", "-o", "name")).trim().split("\n");
    return kubectl("exec", name!, "--", "python", "-c", CELL);
  }

  it("starts for a user who logs in, and is reached through the proxy", async () => {
    hub.claims = { email: "eve@example.com", email_verified: true, [CLAIM]: ["data"] };
    const browser = new Browser();
    const { location } = await browser.open(`${hub.url}/hub/oauth_login?next=`);
    const state = encodeURIComponent(new URL(location).searchParams.get("state") ?? "");
    await browser.open(`${hub.url}/hub/oauth_callback?code=code&state=${state}`);
    await browser.open(`${hub.url}/hub/spawn`);
    const url = `${hub.url}/user/eve@example.com/api`;
    for (const until = Date.now() + 120_000; ; await sleep(500)) {
      const { text } = await browser.open(url);
      if (text.includes('"version"')) break;
      if (Date.now() > until) assert.fail(`${text}\n${hub.log}\n${await kubectl("describe", "pods")}`);
    }
  });

  it("gets a result by ray.init(), with the address and the token that it was given", async () => {
    assert.match(await compute(), /^2\.60\.0 328350$/m);
  });

  it("gets a result again after the processes of the worker were killed", async () => {
    const worker = ["-l", "app.kubernetes.io/component=worker"];
    const [name] = (await kubectl("get", "pods", ...worker, "-o", "name")).trim().split("\n");
    const seen = ["-o", "jsonpath={.items[0].status.containerStatuses[0]['restartCount','ready']}"];
    const before = await kubectl("get", "pods", ...worker, ...seen);
    await kubectl("exec", name!, "--", "pkill", "-9", "raylet");
    for (const until = Date.now() + 240_000; ; await sleep(500)) {
      const now = await kubectl("get", "pods", ...worker, ...seen);
      if (now.endsWith("true") && now !== before) break;
      assert.ok(Date.now() < until, now);
    }
    assert.match(await compute(), /^2\.60\.0 328350$/m);
  });
});
