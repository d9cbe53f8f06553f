import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { renderLock } from "../../../components/charts/lock";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { yardNode } from "../../../toolchain/tools/yardNode";
import { processImages } from "../../../toolchain/yard/processNode/images";
import { startProcessNode, stopProcessNode } from "../../../toolchain/yard/processNode/node";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { ChartRepository, sha256 } from "../../doubles/chartRepository";
import { kuberay, KUBERAY_FILES, kuberayImage, usesKuberay } from "../../tools/kuberay";
import { realChart } from "../../upstream/charts";
import { World } from "../runtime/world";
import { nodePython } from "../yard/nodeParts";

const run = promisify(execFile);
const SIZE = { cpu: 2, memoryGb: 4 };

/** More than one worker can do at once. */
const DEMAND = `
import ray, time
ray.init()
@ray.remote(num_cpus=2)
def node():
    time.sleep(10)
    return ray.get_runtime_context().get_node_id()
print(ray.__version__, len(set(ray.get([node.remote() for _ in range(4)]))))
`;

/** The operator with its own kinds and rights, by the platform's mode kuberay, and Ray's pods as it makes them. */
describe("the KubeRay operator", function () {
  this.timeout(600_000);
  let yard: Yard;
  let world: World;
  let charts: ChartRepository;
  let lockFile: string;
  let namespace: string;

  before(async function () {
    if (!usesKuberay(projectRoot())) {
      console.log("      skipped: the KubeRay operator is not built; STACKYARD_KUBERAY=1 builds it");
      return this.skip();
    }
    const python = await nodePython("ray");
    if ("missing" in python) {
      console.log(`      skipped: ${python.missing}`);
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [yardNode, kuberay]);
    const program = programs["kuberay-operator"]!;
    yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    await startProcessNode(yard.directory, programs["yard-node"]!, [...processImages(python), kuberayImage(program)]);
    world = new World(yard);
    namespace = `ray-${world.tag}`;
    const archive = await chartOf(path.dirname(program));
    charts = await new ChartRepository({ "kuberay-operator": archive }, undefined, {
      "kuberay-operator": kuberay.version,
    }).start();
    lockFile = path.join(world.folder, "lock.yaml");
    const entry = { version: kuberay.version, digest: sha256(archive) };
    await writeFile(lockFile, renderLock({ "kuberay-operator": entry }));
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
  });
  after(async () => {
    await world?.kubectl("delete", "raycluster", "--all", "-n", namespace, "--ignore-not-found");
    await world?.kubectl("delete", "namespace", namespace, "kuberay-operator", "--ignore-not-found", "--wait=false");
    await charts?.stop();
    if (yard) await stopProcessNode(yard.directory);
    world?.remove();
  });

  /** The double of the chart, with the kinds and the role that belong to the operator. */
  async function chartOf(tool: string): Promise<Buffer> {
    const folder = path.join(world.folder, "charts");
    const chart = path.join(folder, "kuberay-operator");
    await cp(path.join(projectRoot(), "test/doubles/charts/kuberay-operator"), chart, { recursive: true });
    for (const file of Object.keys(KUBERAY_FILES))
      await cp(path.join(tool, file), path.join(chart, file === "role.yaml" ? "templates" : "crds", file));
    const packed = await realChart("kuberay-operator", folder);
    if ("missing" in packed) throw new Error(packed.missing);
    return packed.archive;
  }

  /** Deploys the cluster with these changes. */
  async function up(cluster: object, worker: object): Promise<void> {
    const { version } = kuberay;
    await world.configure("platform", world.tag, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: yard.kubeconfig } },
      provisioners: {
        only: {
          type: "kubernetes",
          spec: { namespace: "runtimes", host: "http://*.example.com", image: "example/runtime" },
        },
      },
      defaultProvisioner: "only",
      charts: { mirror: charts.url, lock: "required", lockFile, versions: { "kuberay-operator": version } },
      rayOperator: {
        image: `quay.io/kuberay/operator:v${version}`,
        // The program is at another place than in the image.
        values: { operatorCommand: "kuberay-operator" },
      },
      ray: {
        one: {
          namespace,
          reservedCpu: 0,
          reservedMemoryGb: 0,
          head: SIZE,
          workerGroups: { worker: { ...SIZE, ...worker } },
          autoscaler: { idleTimeoutSeconds: 5 },
          ...cluster,
        },
      },
    });
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
  }
  const kubectl = async (...args: string[]): Promise<string> => {
    const all = ["--kubeconfig", yard.kubeconfig, "--namespace", namespace, ...args];
    try {
      return (await run("kubectl", all)).stdout.trim();
    } catch (error) {
      const state = await run("kubectl", [...all.slice(0, 4), "describe", "pods,rayclusters"], { maxBuffer: 1e8 });
      throw new Error(`${String(error)}\n${state.stdout}`);
    }
  };
  const podsOf = (component: string): Promise<string> =>
    kubectl("get", "pods", "-l", `app.kubernetes.io/component=${component}`, "-o", "name");
  const compute = async (): Promise<string> =>
    kubectl("exec", await podsOf("head"), "-c", "head", "--", "python", "-c", DEMAND);

  /** Until the autoscaler has removed all workers. */
  async function untilIdle(): Promise<void> {
    for (const until = Date.now() + 180_000; (await podsOf("worker")) !== ""; await sleep(1000))
      assert.ok(Date.now() < until, await kubectl("logs", await podsOf("head"), "-c", "autoscaler", "--tail=40"));
  }

  it("makes pods that compute, of the RayCluster of the platform", async () => {
    await up({ mode: "kuberay" }, { replicas: 1 });
    assert.match(await compute(), /^2\.60\.0 1$/m);
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes", "--diff");
  });

  it("adds workers for tasks and removes them when they are idle", async () => {
    await up({ mode: "kuberay" }, { minReplicas: 0, maxReplicas: 2 });
    await untilIdle();
    assert.match(await compute(), /^2\.60\.0 2$/m);
    await untilIdle();
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes", "--diff");
  });

  it("leaves a cluster that changes to another mode, which computes", async () => {
    await up({ mode: "static" }, { replicas: 1 });
    assert.match(await compute(), /^2\.60\.0 1$/m);
    assert.equal(await kubectl("get", "rayclusters", "-o", "name"), "");
  });
});
