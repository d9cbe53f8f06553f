import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../../../kubernetes/connect/connect";
import { textAt } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import type { ChartRepository } from "../../doubles/chartRepository";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { Gardener } from "../../doubles/gardener/gardener";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { Pods } from "../../doubles/teraslice/pods";
import { languageYaml } from "../../tools/languageYaml";
import { languageHosts } from "../../tools/pulumiLanguages";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { autoscalerNode } from "../autoscaler/node";
import { until } from "../cli/held";
import { karpenterNode } from "../eks/nodes/karpenterNode";
import { doubleCharts, envWithAws } from "../eks/world";
import { addressOfMachine, giveAddress } from "../runtime/behindService";
import { World, type Place } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { Example } from "./example";
import { checkTypes, goExample, pythonExample, typescriptExample, withTools } from "./languages";

const NODES = [karpenterNode("examples-one"), karpenterNode("examples-two"), autoscalerNode("examples-three")];
/** Who calls the double of AWS. */
const ADMIN = "arn:aws:iam::123456789012:role/stackyard-ci";
const NAMESPACE = "team-teraslice";

/** The clouds, charts and servers are doubles; the language hosts, the engine and the cluster are real. */
describe("the example", function () {
  this.timeout(900_000); // The first time the language hosts are built.
  let place: Place;
  let world: World;
  let repository: ChartRepository;
  let charts: object;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-examples-"));
  const open: Example[] = [];
  before(async () => {
    place = await withTools(await testYard(), languageHosts, languageYaml);
    world = new World(place);
    for (const node of NODES) await world.apply("default", node);
    ({ repository, charts } = await doubleCharts(folder));
    await checkTypes(path.join(folder, "sdk"));
  });
  afterEach(async () => {
    for (const example of open.splice(0)) await example.remove();
  });
  after(async () => {
    await repository.stop();
    const names = NODES.map(({ metadata }) => metadata.name);
    await world.kubectl("delete", "nodes", ...names, "--ignore-not-found");
    world.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const opened = async (example: Promise<Example>): Promise<Example> => {
    const one = await example;
    open.push(one);
    for (const [key, value] of Object.entries(charts))
      await one.set(`stackyard:charts.${key}`, String(value), "--path");
    return one;
  };
  const outputs = async (example: Example): Promise<Record<string, unknown>> =>
    JSON.parse(await example.outputs()) as Record<string, unknown>;
  const ready = async (namespace: string, name: string): Promise<unknown> =>
    (await world.get("-n", namespace, "deployment", name)).status["readyReplicas"];
  /** A place with a double of AWS, whose account is in a folder of its own. */
  const onAws = (): Place => ({ ...place, env: { ...place.env, ...envWithAws(place, mkdtempSync(`${folder}/`)) } });

  it("eks, in TypeScript, has a cluster with Karpenter and a role for data", async () => {
    const example = await opened(typescriptExample(onAws(), "eks"));
    example.configure({ "eks:admin": ADMIN });
    await example.up();
    const { kubeconfig, readerRole } = await outputs(example);
    assert.equal(kubeconfig, "[secret]");
    assert.match(String(readerRole), /role\/acme-reader$/);
    await example.destroy();
  });

  it("eks-node-groups, in YAML, has a cluster with node groups and an autoscaler", async () => {
    const example = await opened(Example.of(onAws(), "eks-node-groups"));
    example.configure({ "eks-node-groups:admin": ADMIN });
    await example.up();
    assert.equal(await ready("kube-system", "cluster-autoscaler"), 1);
    example.configure({ "eks-node-groups:maxNodes": 8 });
    assert.match(await example.up(), /NodeGroup \S*general\S* updated/);
    await example.destroy();
  });

  it("ray-and-jupyterhub, in TypeScript, has a Ray cluster and notebooks that reach it", async () => {
    const example = await opened(typescriptExample(place, "ray-and-jupyterhub"));
    await example.up();
    const { rayAddress } = await outputs(example);
    assert.equal(rayAddress, "ray://main-ray-head-svc.team-ray.svc:10001");
    assert.equal(await ready("team-notebooks", "hub"), 1);
    await example.destroy();
  });

  it("teraslice, in YAML, has a master with a running job", async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    const client = connect(readFileSync(place.kubeconfig, "utf8"), undefined, {});
    const double = new TerasliceMaster();
    double.pods = new Pods(client, NAMESPACE);
    const port = await double.listen(0, address);
    /** The double answers at the address of the master's pod, which KWOK plays. */
    const answers = async (): Promise<void> => {
      const label = "app.kubernetes.io/component=master";
      let pod = "";
      const isThere = async (): Promise<boolean> => {
        const [master] = await client.list({ apiVersion: "v1", kind: "Pod", namespace: NAMESPACE }, { label });
        pod = master?.metadata.name ?? "";
        return textAt(master, "status", "podIP") !== undefined;
      };
      await until("the master's pod is there", isThere, 120);
      await giveAddress(client, NAMESPACE, pod, address);
    };
    try {
      const example = await opened(Example.of(place, "teraslice"));
      example.configure({ "teraslice:port": port });
      await Promise.all([example.up(), answers()]);
      const [job] = double.jobs();
      assert.deepEqual([job?.["name"], job?.["workers"]], ["Generate events", 2]);
      example.configure({ "teraslice:workers": 3 });
      assert.match(await example.up(), /TerasliceJob \S*generate\S* updated/);
      await example.destroy();
      assert.deepEqual(double.jobs(), []);
    } finally {
      await double.stop();
    }
  });

  it("bundles, in Go, has manifests and a Helm chart with values", async () => {
    const example = await opened(goExample(place, "bundles"));
    await example.up();
    assert.equal(await ready("team-shop", "shop"), 2);
    example.configure({ "bundles:replicas": 3 });
    assert.match(await example.up(), /BundleRelease shop-bundles-shop-release updated/);
    await example.destroy();
  });

  it("service, in TypeScript, has provisioners and the service", async () => {
    const database = "postgres://service:s3cret-of-the-database@db:5432/service";
    const secrets = { database, backend: "s3://s3cret-backend", passphrase: "s3cret-passphrase" };
    const example = await opened(typescriptExample(place, "service", secrets));
    await example.up();
    assert.equal((await outputs(example))["url"], "https://stackyard.example.com/");
    assert.equal(await ready("team-service", "stackyard-service"), 2);
    assert.doesNotMatch(await example.project.must("pulumi", "stack", "export", "-s", "dev"), /s3cret/);
    await example.destroy();
  });

  it("clickhouse, in Python, has runtimes with databases", async function () {
    const environment = await pythonEnvironment("pulumi", projectRoot());
    if ("missing" in environment) {
      console.log(`      skipped: ${environment.missing}`);
      return this.skip();
    }
    const server = await new ClickHouseDouble().start();
    try {
      const secrets = { ledger: place.ledgerUrl, clickhouse: server.url() };
      const example = await opened(pythonExample(place, "clickhouse", environment.python, secrets));
      await example.up();
      await example.project.runtime("up", "-f", path.join(example.project.folder, "deployments.yaml"));
      assert.ok(server.databases.has("rill_first"));
      await example.project.runtime("destroy", "first", "--yes");
      assert.ok(!server.databases.has("rill_first"));
      await example.destroy();
    } finally {
      await server.stop();
    }
  });

  it("gardener, in YAML, has a cluster for each deployment", async () => {
    const project = `x${randomBytes(1).toString("hex")}`;
    const gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project });
    try {
      const example = await opened(Example.of(place, "gardener", { garden: gardener.kubeconfig }));
      example.configure({ "stackyard:project": project });
      await example.up();
      await example.project.runtime("up", "-f", path.join(example.project.folder, "deployments.yaml"));
      assert.ok(await gardener.shoot("first"));
      await example.project.runtime("destroy", "first", "--yes");
      await example.destroy();
    } finally {
      await gardener.stop();
    }
  });
});
