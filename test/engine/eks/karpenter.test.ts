import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ChartRepository } from "../../doubles/chartRepository";
import type { Thing } from "../../doubles/aws/world";
import { testYard } from "../runtime/yard";
import type { World } from "../runtime/world";
import { doubleCharts, worldWithAws } from "./world";

/** A node of the group that Karpenter runs on. */
const node = (name: string): object => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: { "stackyard.dev/node-pool": "karpenter", "kubernetes.io/os": "linux", "kubernetes.io/hostname": name },
    annotations: { "kwok.x-k8s.io/node": "fake" },
  },
  status: {
    allocatable: { cpu: "2", memory: "7Gi", pods: "35" },
    capacity: { cpu: "2", memory: "8Gi", pods: "35" },
  },
});
const NODES = ["karpenter-one", "karpenter-two"];

/** AWS and the chart are doubles; the engine, Helm and the Kubernetes API are real. */
describe("a platform whose nodes come by Karpenter", function () {
  this.timeout(120_000);
  let world: World;
  let repository: ChartRepository;

  before(async () => {
    world = worldWithAws(await testYard());
    const { repository: served, charts } = await doubleCharts(world.folder);
    repository = served;
    for (const name of NODES) await world.apply("default", node(name));
    await world.configure("platform", world.tag, "stackyard", {
      cluster: {
        type: "eks",
        name: "acme",
        region: "eu-central-1",
        version: "1.35",
        nodes: "karpenter",
        deletionProtection: false,
        access: { admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" } },
        nodePools: { general: { instanceTypes: ["m7i.xlarge"], max: 5 } },
      },
      provisioners: {
        only: {
          type: "kubernetes",
          spec: { namespace: `runtimes-${world.tag}`, host: "http://*.runtimes.localhost", image: "example/runtime" },
        },
      },
      defaultProvisioner: "only",
      charts,
    });
  });
  after(async () => {
    await world.kubectl("delete", "nodes", ...NODES, "--ignore-not-found");
    const kinds = ["nodepools.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"];
    await world.kubectl("delete", "crd", ...kinds, "--ignore-not-found");
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    await repository.stop();
    world.remove();
  });

  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };

  it("comes up with pools and classes of nodes, and finds nothing to do the second time", async () => {
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
    const { spec } = await world.get("ec2nodeclass", "general");
    const { role, securityGroupSelectorTerms } = spec as { role: string; securityGroupSelectorTerms: object[] };
    assert.deepEqual([role, securityGroupSelectorTerms], ["acme-nodes", [{ id: "sg-0123456789abcdef0" }]]);
    assert.match(JSON.stringify((await world.get("nodepool", "general")).spec), /"values":\["m7i\.xlarge"\]/);
    assert.equal(things().filter(({ token }) => token.endsWith(":NodeGroup")).length, 1);
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes");
  });

  it("goes as a whole, pools of nodes before the cluster", async () => {
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.doesNotMatch(await world.kubectl("get", "nodepools", "-o", "name"), /general/);
    assert.deepEqual(things(), []);
  });
});
