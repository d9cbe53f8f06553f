import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";

const root = path.join(__dirname, "../../..");
const doubles = path.join(root, "test/doubles/bin");

/** The config of a committed stack file, which no other test can be in the way of. */
function configOf(stage: string, tag: string): Record<string, unknown> {
  const text = readFileSync(path.join(root, `Pulumi.${stage}.yaml`), "utf8")
    .replace(/namespace: runtimes/, `namespace: runtimes-${tag}`)
    .replace("{ ray: [", `{ ray-${tag}: [`)
    .replace("jupyterhub: [", `hub-${tag}: [`);
  const { config } = load(text) as { config: Record<string, unknown> };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]));
}

type Cluster = Record<string, unknown> & { nodePools: Record<string, Record<string, unknown>> };

/** AWS is a double; the engine, and the Kubernetes API behind the cluster, are real. */
describe("a platform on EKS, with a double of AWS", function () {
  this.timeout(300_000);
  let world: World;
  let account: string;
  let config: Record<string, unknown> & { cluster: Cluster };

  before(async () => {
    const place = await testYard();
    const env = {
      ...place.env,
      PATH: [doubles, place.env["PATH"] ?? process.env["PATH"]].join(path.delimiter),
      STACKYARD_AWS_DOUBLE_KUBECONFIG: place.kubeconfig,
    };
    world = new World({ ...place, env });
    account = path.join(world.folder, "aws.json");
    world.setEnv("STACKYARD_AWS_DOUBLE", account);
    config = configOf("staging", world.tag) as typeof config;
  });
  after(async () => {
    for (const namespace of [`runtimes-${world.tag}`, `ray-${world.tag}`, `hub-${world.tag}`]) {
      await world.kubectl("delete", "namespace", namespace, "--ignore-not-found");
    }
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    world.remove();
  });

  const things = (): { token: string; inputs: Record<string, unknown> }[] =>
    existsSync(account) ? Object.values(JSON.parse(readFileSync(account, "utf8")) as Record<string, never>) : [];
  const stack = () => ["-s", world.tag] as const;
  const preview = () => world.must("platform", "preview", ...stack(), "--diff", "--non-interactive");
  const settled = () => world.must("platform", "preview", ...stack(), "--expect-no-changes");

  it("is previewed without a cluster, and nothing is made", async () => {
    await world.configurePlatform(config);
    assert.match(
      await world.must("platform", "preview", ...stack()),
      /aws:eks:Cluster +cluster-eks-control-plane +create/,
    );
    assert.deepEqual(things(), []);
  });

  it("comes up with everything that the config names, and finds nothing to do the second time", async () => {
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    const count = (type: string) => things().filter(({ token }) => token.endsWith(`:${type}`)).length;
    assert.deepEqual(
      ["Vpc", "Subnet", "NatGateway", "Cluster", "NodeGroup", "Addon"].map((type) => [type, count(type)]),
      [
        ["Vpc", 1],
        ["Subnet", 6],
        ["NatGateway", 1],
        ["Cluster", 1],
        ["NodeGroup", 5],
        ["Addon", 6],
      ],
    );
    const { metadata } = await world.get("-n", `hub-${world.tag}`, "serviceaccount", "daft");
    const annotations = (metadata as { annotations?: Record<string, string> }).annotations ?? {};
    assert.match(annotations["eks.amazonaws.com/role-arn"] ?? "", /role\/stackyard-staging-daft$/);
    await settled();
  });

  it("leaves the number of nodes to the autoscaler", async () => {
    const state = JSON.parse(await world.must("platform", "stack", "export", ...stack())) as object;
    assert.ok(JSON.stringify(state).includes('"desiredSize":2'));
    config.cluster.nodePools["general"] = { ...config.cluster.nodePools["general"], desired: 4 };
    await world.configurePlatform(config);
    await settled();
  });

  const changes: [string, (cluster: Cluster) => object, RegExp, RegExp][] = [
    [
      "a larger pool",
      ({ nodePools }) => ({ nodePools: { ...nodePools, general: { ...nodePools["general"], max: 9 } } }),
      /scalingConfig/,
      /replace|delete/,
    ],
    [
      "another label",
      ({ nodePools }) => ({
        nodePools: { ...nodePools, runtimes: { ...nodePools["runtimes"], labels: { workload: "r" } } },
      }),
      /labels/,
      /Cluster.*replace/,
    ],
    ["a new Kubernetes minor", () => ({ version: "1.36" }), /version: "1\.35" => "1\.36"/, /replace/],
    [
      "a public range more",
      () => ({ endpoint: { publicCidrs: ["203.0.113.0/24", "198.51.100.0/24"] } }),
      /publicAccessCidrs/,
      /replace/,
    ],
  ];
  for (const [what, change, shows, not] of changes) {
    it(`takes ${what} in place`, async () => {
      const { cluster } = config;
      await world.configurePlatform({ ...config, cluster: { ...cluster, ...change(cluster) } });
      const text = await preview();
      assert.match(text, shows);
      assert.doesNotMatch(text, not);
      await world.configurePlatform(config);
    });
  }

  it("refuses to skip a Kubernetes minor", async () => {
    await world.configurePlatform({ ...config, cluster: { ...config.cluster, version: "1.37" } });
    const { ok, text } = await world.pulumi("platform", "preview", ...stack());
    assert.ok(!ok);
    assert.match(text, /stackyard:cluster\.version: found "1\.37", and the cluster runs 1\.35; expected 1\.36 first/);
    await world.configurePlatform(config);
  });

  it("refuses to be destroyed where that was not allowed", async () => {
    await world.configurePlatform({ ...config, cluster: { ...config.cluster, deletionProtection: true } });
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    const { ok, text } = await world.pulumi("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.ok(!ok);
    assert.match(text, /protect/);
    assert.ok(things().some(({ token }) => token.endsWith(":Cluster")));
    await world.configurePlatform(config);
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
  });

  it("goes in an order in which nothing is in use any more, and leaves nothing on AWS", async () => {
    await world.must("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
