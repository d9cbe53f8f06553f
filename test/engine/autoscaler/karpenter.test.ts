import assert from "node:assert/strict";
import { toolsFolder } from "../../../toolchain/bootstrap/paths";
import { projectRoot } from "../../../toolchain/root";
import { karpenter } from "../../../toolchain/tools/karpenter";
import { complete, toolFolder } from "../../../toolchain/tools/folder";
import { startYard, type Yard } from "../../../toolchain/yard/yard";
import { applyAll, startKarpenter, stopKarpenter, yardPool } from "../../../toolchain/yard/karpenter/karpenter";
import { portToBind } from "../../../toolchain/yard/ports";
import { Panels } from "../monitoring/panels";
import { World } from "../runtime/world";

const POOL = {
  instanceTypes: ["m7i.large", "m7i.xlarge"],
  capacity: "spot",
  min: 0,
  max: 3,
  desired: 0,
  diskGb: 50,
  labels: { workload: "batch" },
  taints: [{ key: "dedicated", value: "batch", effect: "NoSchedule" }],
  os: "al2023",
  perZone: false,
  maxUnavailablePercent: 100,
  forceUpdate: false,
  securityGroupIds: [],
  scaleDown: { unneededFor: "5s" },
} as const;

/** The real Karpenter with NodePools as the platform makes them from its config; only nodes are simulated. */
describe("Karpenter on the yard", function () {
  this.timeout(180_000);
  let yard: Yard;
  let world: World;
  let panels: Panels | undefined;

  before(async function () {
    const folder = toolFolder(toolsFolder(), karpenter, projectRoot());
    if (!complete(folder, karpenter)) {
      console.log("      Karpenter is not built here; make karpenter-up builds it");
      return this.skip();
    }
    yard = await startYard({ directory: process.env["STACKYARD_TEST_YARD"], progress: false });
    const metricsPort = await portToBind();
    await startKarpenter(yard, { folder, program: `${folder}/karpenter`, metricsPort });
    panels = await Panels.of("karpenter_", `127.0.0.1:${metricsPort}`);
    world = new World(yard);
    await applyAll(yard, yardPool("batch", POOL));
  });
  after(async () => {
    await panels?.stop();
    if (!world) return;
    await world.kubectl("delete", "deployment", "work", "--ignore-not-found");
    await stopKarpenter(yard);
    await world.kubectl("delete", "kwoknodeclasses.karpenter.kwok.sh", "--all");
    world.remove();
  });

  const nodes = async (): Promise<{ name: string; labels: Record<string, string>; taints: string[] }[]> => {
    const { items } = (await world.get("nodes", "-l", "stackyard.dev/node-pool=batch")) as unknown as {
      items: { metadata: { name: string; labels: Record<string, string> }; spec: { taints?: { key: string }[] } }[];
    };
    return items.map(({ metadata, spec }) => ({ ...metadata, taints: (spec.taints ?? []).map(({ key }) => key) }));
  };
  const until = async (what: string, fits: () => Promise<boolean>): Promise<void> => {
    for (const deadline = Date.now() + 120_000; !(await fits());) {
      if (Date.now() > deadline) assert.fail(`waited two minutes for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const work = (replicas: number): object => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "work" },
    spec: {
      replicas,
      selector: { matchLabels: { app: "work" } },
      template: {
        metadata: { labels: { app: "work" } },
        spec: {
          nodeSelector: { dedicated: "batch" },
          tolerations: [{ key: "dedicated", value: "batch" }],
          terminationGracePeriodSeconds: 0,
          containers: [{ name: "main", image: "busybox", resources: { requests: { cpu: "1500m" } } }],
        },
      },
    },
  });
  const ready = async (): Promise<number> => {
    const { status } = await world.get("deployment", "work");
    return (status as { readyReplicas?: number } | undefined)?.readyReplicas ?? 0;
  };

  it("accepts the platform's NodePool and adds no node without pending pods", async () => {
    await until("the NodePool to be ready", async () => {
      const { status } = await world.get("nodepool.karpenter.sh", "batch");
      const { conditions = [] } = (status ?? {}) as { conditions?: { type: string; status: string }[] };
      return conditions.some((one) => one.type === "Ready" && one.status === "True");
    });
    assert.deepEqual(await nodes(), []);
  });

  it("adds nodes with the pool's types, labels and taints for pending pods", async () => {
    await world.apply("default", work(2));
    await until("both pods", async () => (await ready()) === 2);
    const found = await nodes();
    assert.ok(found.length > 0);
    for (const { labels, taints } of found) {
      assert.match(labels["node.kubernetes.io/instance-type"] ?? "", /^m7i\.(large|xlarge)$/);
      assert.deepEqual([labels["dedicated"], labels["workload"]], ["batch", "batch"]);
      assert.equal(labels["karpenter.sh/capacity-type"], "spot");
      assert.ok(taints.includes("dedicated"), taints.join());
    }
  });

  it("has the metrics that the panels read", async function () {
    if (!panels) return this.skip();
    assert.deepEqual(await panels.empty(), []);
  });

  it("respects the pool's max and leaves the remaining pods pending", async () => {
    await world.apply("default", work(12));
    // Two fit on an xlarge.
    await until("the pods that fit", async () => (await ready()) === 6);
    assert.equal((await nodes()).length, 3);
    const { items } = (await world.get("events", "--field-selector", "reason=FailedScheduling")) as unknown as {
      items: { message?: string }[];
    };
    assert.ok(items.some(({ message = "" }) => /limits/.test(message)));
  });

  it("removes unused nodes", async () => {
    await world.apply("default", work(0));
    await until("the nodes to go", async () => (await nodes()).length === 0);
  });
});
