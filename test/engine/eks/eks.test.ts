import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { renderLock } from "../../../components/charts/lock";
import { CHART_NAMES, CHARTS } from "../../../components/charts/table";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { RayOperator } from "../../doubles/rayOperator";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";

const root = path.join(__dirname, "../../..");
const doubles = path.join(root, "test/doubles/bin");

/** The config of a committed stack file, which no other test can be in the way of. */
function configOf(stage: string, tag: string): Record<string, unknown> {
  const text = readFileSync(path.join(root, `Pulumi.${stage}.yaml`), "utf8")
    .replace(/namespace: runtimes/, `namespace: runtimes-${tag}`)
    .replace("{ ray: [", `{ ray-${tag}: [`)
    .replace("mode: kuberay", `mode: kuberay\n      namespace: ray-${tag}`)
    .replace("jupyterhub: [", `hub-${tag}: [`)
    .replace("stackyard:jupyterhub:", `stackyard:jupyterhub:\n    namespace: hub-${tag}`);
  const { config } = load(text) as { config: Record<string, unknown> };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("stackyard:", ""), value]));
}

/** A node of a pool, for the pods that go nowhere else. */
const node = (pool: string, dedicated?: string): object => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: `eks-${pool}`,
    labels: { "stackyard.dev/node-pool": pool, ...(dedicated && { dedicated }) },
    annotations: { "kwok.x-k8s.io/node": "fake" },
  },
  spec: { ...(dedicated && { taints: [{ key: "dedicated", value: dedicated, effect: "NoSchedule" }] }) },
  status: {
    allocatable: { cpu: "8", memory: "30Gi", pods: "110" },
    capacity: { cpu: "8", memory: "32Gi", pods: "110" },
  },
});
const NODES = [node("general"), node("ray", "ray"), node("autoscaler", "clusterAutoscaler")];

type Cluster = Record<string, unknown> & { nodePools: Record<string, Record<string, unknown>> };

/** AWS is a double; the engine, and the Kubernetes API behind the cluster, are real. */
describe("a platform on EKS, with a double of AWS", function () {
  this.timeout(100_000);
  let world: World;
  let account: string;
  let repository: ChartRepository;
  let operator: RayOperator;
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
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
    const archives = await Promise.all(CHART_NAMES.map(async (name) => [name, await packDouble(name)] as const));
    repository = await new ChartRepository(Object.fromEntries(archives)).start();
    const lockFile = path.join(world.folder, "lock.yaml");
    const locked = archives.map(([name, archive]) => [
      name,
      { version: CHARTS[name].version, digest: sha256(archive) },
    ]);
    writeFileSync(lockFile, renderLock(Object.fromEntries(locked) as Parameters<typeof renderLock>[0]));
    for (const each of NODES) await world.apply("default", each);
    operator = new RayOperator(world.kubectl.bind(world), `ray-${world.tag}`);
    const own = configOf("staging", world.tag) as typeof config;
    // Nobody makes EBS volumes here; the yard's own class does.
    const jupyterhub = { ...(own["jupyterhub"] as object), storage: { storageClass: "standard" } };
    config = { ...own, jupyterhub, charts: { mirror: repository.url, lock: "required", lockFile } };
  });
  after(async () => {
    for (const namespace of [`runtimes-${world.tag}`, `ray-${world.tag}`, `hub-${world.tag}`]) {
      await world.kubectl("delete", "namespace", namespace, "--ignore-not-found");
    }
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    await world.kubectl("delete", "nodes", "-l", "stackyard.dev/node-pool", "--ignore-not-found");
    await operator.stop();
    await repository.stop();
    world.remove();
  });

  const things = (): { token: string; inputs: Record<string, unknown> }[] =>
    existsSync(account) ? Object.values(JSON.parse(readFileSync(account, "utf8")) as Record<string, never>) : [];
  const stack = () => ["-s", world.tag] as const;
  /** The stack file, and the secret that its owner sets. */
  const configure = async (content: Readonly<Record<string, unknown>>): Promise<void> => {
    await world.configurePlatform(content);
    const secret = ["--secret", "--path", "jupyterhub.auth.clientSecret", "s3cret-of-auth0"];
    await world.must("platform", "config", "set", ...stack(), ...secret);
  };
  const preview = () => world.must("platform", "preview", ...stack(), "--diff", "--non-interactive");
  const settled = () => world.must("platform", "preview", ...stack(), "--expect-no-changes");

  it("is previewed without a cluster, and nothing is made", async () => {
    await configure(config);
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
        ["NodeGroup", 6],
        ["Addon", 6],
      ],
    );
    const { metadata } = await world.get("-n", `hub-${world.tag}`, "serviceaccount", "kubespawner");
    const annotations = (metadata as { annotations?: Record<string, string> }).annotations ?? {};
    assert.match(annotations["eks.amazonaws.com/role-arn"] ?? "", /role\/stackyard-staging-daft$/);
    await settled();
  });

  it("keeps the rules of the policy pack", async () => {
    const pack = ["--policy-pack", path.join(root, "policy")];
    assert.match(await world.must("platform", "preview", ...stack(), ...pack), /✅ stackyard@/);
  });

  it("keeps them in production as well", async () => {
    const prod = `prod-${world.tag}`;
    const { charts } = config;
    await world.configure("platform", prod, "stackyard", { ...configOf("prod", world.tag), charts });
    const secret = ["--secret", "--path", "jupyterhub.auth.clientSecret", "s3cret-of-auth0"];
    await world.must("platform", "config", "set", "-s", prod, ...secret);
    const pack = ["--policy-pack", path.join(root, "policy")];
    const text = await world.must("platform", "preview", "-s", prod, ...pack);
    // What depends on something that is not made yet is looked at when it is.
    assert.match(text, /(✅|⚠️) stackyard@/);
    assert.doesNotMatch(text, /\[mandatory\]/);
  });

  it("leaves the number of nodes to the autoscaler", async () => {
    const state = JSON.parse(await world.must("platform", "stack", "export", ...stack())) as object;
    assert.ok(JSON.stringify(state).includes('"desiredSize":2'));
    config.cluster.nodePools["general"] = { ...config.cluster.nodePools["general"], desired: 4 };
    await configure(config);
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
      await configure({ ...config, cluster: { ...cluster, ...change(cluster) } });
      const text = await preview();
      assert.match(text, shows);
      assert.doesNotMatch(text, not);
      await configure(config);
    });
  }

  it("refuses to skip a Kubernetes minor", async () => {
    const clusterAutoscaler = { image: { tag: "v1.37.0" } };
    await configure({ ...config, clusterAutoscaler, cluster: { ...config.cluster, version: "1.37" } });
    const { ok, text } = await world.pulumi("platform", "preview", ...stack());
    assert.ok(!ok);
    assert.match(text, /stackyard:cluster\.version: found "1\.37", and the cluster runs 1\.35; expected 1\.36 first/);
    await configure(config);
  });

  it("refuses to be destroyed where that was not allowed", async () => {
    await configure({ ...config, cluster: { ...config.cluster, deletionProtection: true } });
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    const { ok, text } = await world.pulumi("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.ok(!ok);
    assert.match(text, /protect/);
    assert.ok(things().some(({ token }) => token.endsWith(":Cluster")));
    await configure(config);
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
  });

  it("goes in an order in which nothing is in use any more, and leaves nothing on AWS", async () => {
    await world.must("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
