import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import { HELM_RELEASE } from "../../../components/resources/tokens";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { RECORD_LABEL, recordOn } from "../../../kubernetes/owners/annotations";
import type { ChartRepository } from "../../doubles/chartRepository";
import { startMoto, type MotoServer } from "../../doubles/aws/moto/server";
import type { Thing } from "../../doubles/aws/world";
import { RayOperator } from "../../doubles/rayOperator/rayOperator";
import { MotoAccount } from "./motoAccount";
import { lint } from "./linter";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";
import { fromFixture, STATE_FILE, toFixture } from "../snapshots/stateFixture";
import { committedConfig, configure as configureStack, doubleCharts, worldWithAws } from "./world";

const root = path.join(__dirname, "../../..");

/** A committed stack file, in namespaces of its own. */
const configOf = (stage: string, tag: string): Record<string, unknown> =>
  committedConfig(stage, (text) =>
    text
      .replace(/namespace: runtimes/, `namespace: runtimes-${tag}`)
      .replace("{ ray: [", `{ ray-${tag}: [`)
      .replace("mode: kuberay", `mode: kuberay\n      namespace: ray-${tag}`)
      .replace("jupyterhub: [", `hub-${tag}: [`)
      .replace("stackyard:jupyterhub:", `stackyard:jupyterhub:\n    namespace: hub-${tag}`),
  );

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

interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly status: { readonly revision: number };
}
type Cluster = Record<string, unknown> & { nodePools: Record<string, Record<string, unknown>> };

/** AWS is a double, with moto behind it; the engine, and the Kubernetes API behind the cluster, are real. */
describe("a platform on EKS with a double of AWS", function () {
  this.timeout(100_000);
  let world: World;
  let moto: MotoServer | undefined;
  let motoAccount: MotoAccount | undefined;
  let untouched: readonly string[] | undefined;
  let account: string;
  /** The config of the first update, and what the platform has on AWS after it. */
  let first: { readonly config: typeof config; readonly standing: readonly Thing[] };
  let repository: ChartRepository;
  let operator: RayOperator;
  let config: Record<string, unknown> & { cluster: Cluster };

  before(async function () {
    // The first time moto is included.
    this.timeout(300_000);
    const place = await testYard();
    const started = await startMoto();
    if (!("missing" in started)) {
      moto = started;
      motoAccount = new MotoAccount(moto.address);
      untouched = await motoAccount.content();
    }
    world = worldWithAws(place, moto?.address);
    account = path.join(world.folder, "aws.json");
    const { repository: served, charts } = await doubleCharts(world.folder);
    repository = served;
    for (const each of NODES) await world.apply("default", each);
    operator = new RayOperator(world.place.kubeconfig, `ray-${world.tag}`);
    const own = configOf("staging", world.tag) as typeof config;
    // Nobody makes EBS volumes here; the yard's own class does.
    const jupyterhub = { ...(own["jupyterhub"] as object), storage: { storageClass: "standard" } };
    config = { ...own, jupyterhub, charts };
  });
  after(async () => {
    await moto?.stop();
    for (const namespace of [`runtimes-${world.tag}`, `ray-${world.tag}`, `hub-${world.tag}`]) {
      await world.kubectl("delete", "namespace", namespace, "--ignore-not-found");
    }
    await world.kubectl("delete", "namespace", "kuberay-operator", "--ignore-not-found");
    await world.kubectl(
      "delete",
      "secrets",
      "-n",
      "kube-system",
      "-l",
      "owner=helm,name=cluster-autoscaler",
      "--ignore-not-found",
    );
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    await world.kubectl("delete", "crd", "ingressclassparams.elbv2.k8s.aws", "--ignore-not-found");
    await world.kubectl("delete", "nodes", "-l", "stackyard.dev/node-pool", "--ignore-not-found");
    await operator.stop();
    await repository.stop();
    world.remove();
  });

  /** What Helm left in the cluster of a state, as far as a preview looks at it. */
  const leaveReleases = async (state: string): Promise<void> => {
    const { resources } = (JSON.parse(state) as { deployment: { resources: { type: string; outputs: Release }[] } })
      .deployment;
    for (const { type, outputs } of resources) {
      if (type !== HELM_RELEASE) continue;
      const { name, namespace, status } = outputs;
      const labels = { owner: "helm", name, version: String(status.revision), status: "deployed" };
      const metadata = { name: `sh.helm.release.v1.${name}.v${status.revision}`, labels };
      await world.apply("default", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await world.apply(namespace, { apiVersion: "v1", kind: "Secret", metadata });
    }
  };

  /** Removes the owner from what stays in the cluster when the platform is destroyed: CustomResourceDefinitions. */
  const disowned = async (): Promise<void> => {
    const client = connect(readFileSync(world.place.kubeconfig, "utf8"), undefined, {});
    const configMaps = { apiVersion: "v1", kind: "ConfigMap", namespace: "kube-system" };
    const definitions = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
    const owners = new Set<string>();
    for (const object of await client.list(configMaps, { label: RECORD_LABEL })) {
      const record = recordOn(object);
      if (record?.stack !== `stackyard/${world.tag}`) continue;
      owners.add(record.owner);
      await client.remove({ ...configMaps, name: object.metadata.name });
    }
    for (const { metadata } of await client.list(definitions)) {
      if (!owners.has(metadata.annotations?.[OWNER_ANNOTATION] ?? "")) continue;
      await client.merge(
        { ...definitions, name: metadata.name },
        { metadata: { annotations: { [OWNER_ANNOTATION]: null } } },
      );
    }
  };
  const things = (): Thing[] => (existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : []);
  const stack = () => ["-s", world.tag] as const;
  const configure = (content: Readonly<Record<string, unknown>>): Promise<void> =>
    configureStack(world, world.tag, content);
  const preview = () => world.must("platform", "preview", ...stack(), "--diff", "--non-interactive");
  const settled = () => world.must("platform", "preview", ...stack(), "--expect-no-changes");

  it("is previewed without a cluster and creates nothing", async () => {
    await configure(config);
    assert.match(
      await world.must("platform", "preview", ...stack()),
      /aws:eks:Cluster +cluster-eks-control-plane +create/,
    );
    assert.deepEqual(things(), []);
  });

  it("deploys everything in the config and shows no changes on the next preview", async () => {
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    first = { config: structuredClone(config), standing: things() };
    const count = (type: string) => things().filter(({ token }) => token.endsWith(`:${type}`)).length;
    assert.deepEqual(
      ["Vpc", "Subnet", "NatGateway", "Cluster", "NodeGroup", "Addon"].map((type) => [type, count(type)]),
      [
        ["Vpc", 1],
        ["Subnet", 6],
        ["NatGateway", 1],
        ["Cluster", 1],
        ["NodeGroup", 9],
        ["Addon", 7],
      ],
    );
    const { metadata } = await world.get("-n", `hub-${world.tag}`, "serviceaccount", "kubespawner");
    const annotations = (metadata as { annotations?: Record<string, string> }).annotations ?? {};
    assert.match(annotations["eks.amazonaws.com/role-arn"] ?? "", /role\/stackyard-staging-daft$/);
    await settled();
    if (process.env["UPDATE_SNAPSHOTS"]) {
      const state = await world.must("platform", "stack", "export", ...stack(), "--show-secrets");
      writeFileSync(STATE_FILE, toFixture(state, world));
    }
  });

  it("exists in moto as in our double, according to AWS's own API", async function () {
    if (!motoAccount) return this.skip();
    assert.deepEqual(await motoAccount.clusters(), ["stackyard-staging"]);
    const names = (type: string, key: string) =>
      things().flatMap(({ token, outputs }) => (token.endsWith(`:${type}`) ? [outputs[key]] : []));
    assert.deepEqual(await motoAccount.nodeGroups("stackyard-staging"), names("NodeGroup", "nodeGroupName").sort());
    const trusts = things().flatMap(({ token, inputs, outputs }) =>
      token.endsWith(":Role") ? [[outputs["name"], inputs["assumeRolePolicy"]]] : [],
    );
    assert.ok(trusts.length >= 5, String(trusts.length));
    assert.deepEqual(await motoAccount.trusts(), Object.fromEntries(trusts));
    const tags = things().filter(({ token }) => token === "aws:autoscaling/tag:Tag");
    assert.equal(await motoAccount.groupTags(), tags.length);
  });

  it("has IAM policies that pass the linter", async function () {
    // The first time the linter is included.
    this.timeout(300_000);
    const own = things().flatMap(({ token, inputs }, index) =>
      typeof inputs["policy"] === "string" ? [[`${token} ${index}`, inputs["policy"]] as const] : [],
    );
    assert.ok(own.length >= 3, String(own.length));
    const wrong = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:Bogus","Resource":"*"}]}';
    const found = await lint({ ...Object.fromEntries(own), wrong });
    if ("missing" in found) return this.skip();
    assert.deepEqual(found.findings, ["wrong: UNKNOWN_ACTION Unknown action s3:Bogus"]);
  });

  it("complies with the policy pack", async () => {
    const pack = ["--policy-pack", path.join(root, "policy/pulumi-analyzer-policy-stackyard")];
    assert.match(await world.must("platform", "preview", ...stack(), ...pack), /✅ stackyard@/);
  });

  it("complies with the policy pack in production", async () => {
    const prod = `prod-${world.tag}`;
    await configureStack(world, prod, { ...configOf("prod", world.tag), charts: config["charts"] });
    const pack = ["--policy-pack", path.join(root, "policy/pulumi-analyzer-policy-stackyard")];
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

  it("keeps the number of nodes when the bounds of a pool change", async () => {
    const group = (): Thing =>
      things().find(({ outputs }) => String(outputs["nodeGroupName"]).includes("-general-")) ?? assert.fail();
    const sizeOf = ({ outputs }: Thing) => outputs["scalingConfig"] as Record<string, number>;
    const { id } = group();
    const scaled = things().map((thing) =>
      thing.id === id
        ? { ...thing, outputs: { ...thing.outputs, scalingConfig: { ...sizeOf(thing), desiredSize: 5 } } }
        : thing,
    );
    writeFileSync(account, JSON.stringify(scaled));
    config.cluster.nodePools["general"] = { ...config.cluster.nodePools["general"], min: 3, max: 8 };
    await configure(config);
    assert.match(await preview(), /desiredSize: 2 => 5/);
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    assert.deepEqual(sizeOf(group()), { minSize: 3, maxSize: 8, desiredSize: 5 });
    await settled();
  });

  it("keeps its add-on versions when the AWS defaults change", async () => {
    world.setEnv("STACKYARD_AWS_DOUBLE_ADDON", "v1.1.0-eksbuild.1");
    await settled();
    const addonVersions = { coredns: "v1.1.0-eksbuild.1" };
    await configure({ ...config, cluster: { ...config.cluster, addonVersions } });
    assert.match(await preview(), /addonVersion: "v1\.0\.0-eksbuild\.1" => "v1\.1\.0-eksbuild\.1"/);
    await configure(config);
  });

  it("shows the image releases of node pools and updates them in place", async () => {
    const followed = { ...config, cluster: { ...config.cluster, ami: "latest" } };
    await configure(followed);
    assert.match(await preview(), /releaseVersion: "1\.35\.3-20261101"/);
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    await settled();
    world.setEnv("STACKYARD_AWS_DOUBLE_IMAGE", "20261115");
    const text = await preview();
    assert.match(text, /Image releases of node pools: general 1\.35\.3-20261115/);
    assert.match(text, /releaseVersion: "1\.35\.3-20261101" => "1\.35\.3-20261115"/);
    assert.doesNotMatch(text, /to replace/);
    config.cluster = followed.cluster;
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
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
    [
      "additional security groups for nodes",
      ({ nodePools }) => ({
        nodePools: { ...nodePools, general: { ...nodePools["general"], securityGroupIds: ["sg-0000000a"] } },
      }),
      /vpcSecurityGroupIds: \[[^]*"sg-0123456789abcdef0"[^]*"sg-0000000a"/,
      /NodeGroup.*replace/,
    ],
    ["an additional add-on", () => ({ addons: { watch: {} } }), /addonName +: "watch"/, /replace|ManifestSet/],
    [
      "an additional pool",
      ({ nodePools }) => ({ nodePools: { ...nodePools, more: { instanceTypes: ["m7i.xlarge"], max: 2 } } }),
      /nodeGroupNamePrefix *: "stackyard-staging-more-"/,
      /replace|ManifestSet/,
    ],
    ["a new Kubernetes minor", () => ({ version: "1.36" }), /version: "1\.35" => "1\.36"/, /replace/],
    [
      "an additional public range",
      () => ({ endpoint: { publicCidrs: ["203.0.113.0/24", "198.51.100.0/24"] } }),
      /publicAccessCidrs/,
      /replace/,
    ],
  ];
  for (const [what, change, shows, not] of changes) {
    it(`applies ${what} in place`, async () => {
      const { cluster } = config;
      await configure({ ...config, cluster: { ...cluster, ...change(cluster) } });
      const text = await preview();
      assert.match(text, shows);
      assert.doesNotMatch(text, not);
      await configure(config);
    });
  }

  it("rejects skipping a Kubernetes minor", async () => {
    const clusterAutoscaler = { image: { tag: "v1.37.0" } };
    await configure({ ...config, clusterAutoscaler, cluster: { ...config.cluster, version: "1.37" } });
    const { ok, text } = await world.pulumi("platform", "preview", ...stack());
    assert.ok(!ok);
    assert.match(text, /stackyard:cluster\.version: found "1\.37", and the cluster runs 1\.35; expected 1\.36 first/);
    await configure(config);
  });

  it("rejects a destroy under deletion protection", async () => {
    await configure({ ...config, cluster: { ...config.cluster, deletionProtection: true } });
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
    const { ok, text } = await world.pulumi("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.ok(!ok);
    assert.match(text, /protect/);
    assert.ok(things().some(({ token }) => token.endsWith(":Cluster")));
    await configure(config);
    await world.must("platform", "up", ...stack(), "--yes", "--skip-preview");
  });

  it("is deleted in dependency order and leaves nothing on AWS", async () => {
    await world.must("platform", "destroy", ...stack(), "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
    assert.deepEqual(await motoAccount?.content(), untouched);
  });

  it("previews the state of the first release without replacing anything or deleting parts of a cluster", async () => {
    // Nothing of the platform stands any more, because it would belong to the stack above.
    await disowned();
    const older = new World(world.place, world.tag);
    try {
      for (const [name, value] of Object.entries(world.surroundings("platform").env)) older.setEnv(name, value);
      older.setEnv("PULUMI_BACKEND_URL", `file://${older.folder}/state`);
      // It had no load balancer controller, so the account has no role of one.
      const before = path.join(older.folder, "aws.json");
      const has = first.standing.filter(
        ({ outputs }) => !String(outputs["name"]).endsWith("-aws-load-balancer-controller"),
      );
      writeFileSync(before, JSON.stringify(has));
      older.setEnv("STACKYARD_AWS_DOUBLE", before);
      // The account in moto is empty by now, and AWS had no newer add-ons and images then.
      for (const name of ["MOTO", "DOUBLE_ADDON", "DOUBLE_IMAGE"]) older.unsetEnv(`STACKYARD_AWS_${name}`);
      // Its stack file had no pool for notebooks yet.
      const { notebooks, ...nodePools } = first.config.cluster.nodePools;
      assert.ok(notebooks);
      const jupyterhub = { ...(first.config["jupyterhub"] as object), nodePool: "general" };
      await configureStack(older, world.tag, {
        ...first.config,
        cluster: { ...first.config.cluster, nodePools },
        jupyterhub,
      });
      const file = path.join(older.folder, "state.json");
      const state = fromFixture(older);
      writeFileSync(file, state);
      await leaveReleases(state);
      await older.must("platform", "stack", "import", ...stack(), "--file", file);
      const text = await older.must("platform", "preview", ...stack(), "--diff");
      assert.doesNotMatch(text, /\d+ to replace/);
      // It rendered templates, without a cluster; our own provider does now.
      const gone = [...text.matchAll(/^ +- (\S+): \(delete\)\n.*\n.*::(\S+)\]$/gm)].map(
        ([, type, name]) => `${type} ${name}`,
      );
      assert.deepEqual(gone, ["pulumi:providers:kubernetes templates"]);
    } finally {
      older.remove();
    }
  });
});
