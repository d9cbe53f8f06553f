import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ChartRepository } from "../../../doubles/chartRepository";
import type { Thing } from "../../../doubles/aws/world";
import { testYard } from "../../runtime/yard";
import type { World } from "../../runtime/world";
import { karpenterCrds } from "./karpenterCrds";
import { karpenterNode } from "./karpenterNode";
import { doubleCharts, worldWithAws } from "../world";

const NODES = ["karpenter-one", "karpenter-two"];

/** AWS and the chart are doubles; the engine, Helm and the Kubernetes API are real. */
describe("a platform with Karpenter nodes", function () {
  this.timeout(120_000);
  let world: World;
  let repository: ChartRepository;

  before(async () => {
    world = worldWithAws(await testYard());
    const { repository: served, charts } = await doubleCharts(world.folder);
    repository = served;
    for (const name of NODES) await world.apply("default", karpenterNode(name));
    await world.configure("platform", world.tag, "stackyard", {
      cluster: {
        type: "eks",
        name: "acme",
        region: "eu-central-1",
        version: "1.35",
        nodes: "karpenter",
        deletionProtection: false,
        access: { admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" } },
        nodePools: POOLS,
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

  const POOLS = {
    general: { instanceTypes: ["m7i.xlarge"], max: 5 },
    ray: {
      ...{ instanceTypes: ["m7g.xlarge"], max: 2, perZone: true, capacity: "spot", diskGb: 100, os: "bottlerocket" },
      ...{ taints: ["dedicated=ray:NoSchedule"], toleratedBy: "Ray", labels: { team: "data" }, forceUpdate: true },
      ...{ securityGroupIds: ["sg-0123456789abcdef1"], scaleDown: { unneededFor: "5m" } },
    },
  };
  /** What the platform applied, without what the API server adds. */
  const applied: { readonly apiVersion: unknown; readonly kind: unknown; readonly spec: Record<string, unknown> }[] =
    [];

  it("deploys node pools and classes and shows no changes afterwards", async () => {
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
    const { spec } = await world.get("ec2nodeclass", "general");
    const { role, securityGroupSelectorTerms } = spec as { role: string; securityGroupSelectorTerms: object[] };
    assert.deepEqual([role, securityGroupSelectorTerms], ["acme-nodes", [{ id: "sg-0123456789abcdef0" }]]);
    assert.match(JSON.stringify((await world.get("nodepool", "general")).spec), /"values":\["m7i\.xlarge"\]/);
    assert.equal(things().filter(({ token }) => token.endsWith(":NodeGroup")).length, 1);
    for (const kind of ["ec2nodeclass", "nodepool"]) {
      for (const name of Object.keys(POOLS)) {
        const text = await world.kubectl("get", kind, name, "-o", "json");
        const { apiVersion, kind: own, spec } = JSON.parse(text) as (typeof applied)[number];
        applied.push({ apiVersion, kind: own, spec });
      }
    }
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes");
  });

  it("deletes node pools before the cluster", async () => {
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.doesNotMatch(await world.kubectl("get", "nodepools", "-o", "name"), /general/);
    assert.deepEqual(things(), []);
  });

  it("has pools and classes that pass the real release's CRDs and their rules", async function () {
    const found = await karpenterCrds();
    if ("missing" in found) return this.skip();
    for (const file of found.files) {
      await world.kubectl("replace", "-f", file);
      await world.kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", file);
    }
    const judge = (object: object): Promise<string> => {
      const file = path.join(world.folder, "object.json");
      writeFileSync(file, JSON.stringify({ ...object, metadata: { name: "judged" } }));
      return world.kubectl("create", "--dry-run=server", "--validate=strict", "-f", file).then(
        () => "",
        (error: unknown) => String(error),
      );
    };
    assert.equal(applied.length, 4);
    for (const object of applied) assert.equal(await judge(object), "", JSON.stringify(object));
    const [nodeClass, , pool] = applied;
    assert.match(await judge({ ...nodeClass, spec: { ...nodeClass?.spec, amiSelectorTerms: [] } }), /amiSelectorTerms/);
    assert.match(await judge({ ...pool, spec: { ...pool?.spec, unheardOf: true } }), /unknown field "spec\.unheardOf"/);
  });
});
