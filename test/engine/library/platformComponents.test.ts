import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Thing } from "../../doubles/aws/world";
import type { ChartRepository } from "../../doubles/chartRepository";
import { ClickHouseDouble } from "../../doubles/clickhouse";
import { Project } from "../cli/project";
import { doubleCharts, envWithAws } from "../eks/world";
import { karpenterNode } from "../eks/nodes/karpenterNode";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { newProject } from "./newProject";

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const stackyard = require("stackyard");

const config = new pulumi.Config();
const made = new stackyard.Cluster("made", {
  type: "eks",
  name: "acme",
  region: "eu-central-1",
  version: "1.35",
  nodes: "karpenter",
  deletionProtection: false,
  access: { admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" } },
  nodePools: { general: { instanceTypes: ["m7i.xlarge"], max: config.requireNumber("max") } },
});
const cluster = {
  kubeconfig: { content: made.kubeconfig },
  eks: { name: "acme", region: "eu-central-1" },
};
const reader = new stackyard.DataAccess("reader", {
  cluster,
  serviceAccounts: { default: ["reader"] },
  accounts: "none",
  buckets: [{ bucket: "acme-data", access: config.require("access") }],
});
const set = new stackyard.ProvisionerSet("set", {
  cluster: { kubeconfig: { content: made.kubeconfig } },
  provisioners: {
    pool: { type: "static", spec: { runtimes: [{ host: "http://pool.localhost", slots: config.requireNumber("max") }] } },
    own: {
      type: "kubernetes",
      spec: { namespace: "team-runtimes", createNamespace: true, host: "http://*.localhost", image: "example/runtime" },
    },
  },
  defaultProvisioner: "pool",
  ledger: config.requireSecret("ledger"),
});
const databases = new stackyard.ClickHouse("databases", {
  provisioners: { shared: { type: "static", spec: { url: config.requireSecret("clickhouse") } } },
});

exports.role = reader.roleArn;
exports.provisioners = set.provisioners;
exports.defaultProvisioner = set.defaultProvisioner;
exports.revisions = databases.clickhouseRevisions;
`;

const NODES = ["karpenter-one", "karpenter-two"];
const CRDS = ["nodepools.karpenter.sh", "ec2nodeclasses.karpenter.k8s.aws"];

/** AWS is a double; the engine and the API behind the cluster are real. */
describe("a program of another team with a cluster of its own", () => {
  let project: Project;
  let world: World;
  let repository: ChartRepository;
  let server: ClickHouseDouble;
  before(async () => {
    const place = await testYard();
    world = new World(place);
    project = new Project({ ...place, env: { ...place.env, ...envWithAws(place, world.folder) } });
    const { repository: served, charts } = await doubleCharts(world.folder);
    [repository, server] = [served, await new ClickHouseDouble().start()];
    for (const name of NODES) await world.apply("default", karpenterNode(name));
    await newProject(project.folder, "team");
    writeFileSync(path.join(project.folder, "index.js"), PROGRAM);
    await project.must("pulumi", "stack", "init", "here", "--no-select");
    for (const [key, value] of Object.entries(charts)) await set(`stackyard:charts.${key}`, String(value), "--path");
    await set("team:ledger", project.place.ledgerUrl, "--secret");
    await set("team:clickhouse", server.url(), "--secret");
    await set("team:max", "5");
    await set("team:access", "read");
  });
  after(async () => {
    await project.remove();
    await repository.stop();
    await server.stop();
    await world.kubectl("delete", "nodes", ...NODES, "--ignore-not-found");
    await world.kubectl("delete", "crd", ...CRDS, "--ignore-not-found");
    world.remove();
  });

  const set = (key: string, value: string, ...more: string[]): Promise<string> =>
    project.must("pulumi", "config", "set", "-s", "here", key, value, ...more);
  const up = (): Promise<string> => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  const unchanged = (): Promise<string> => project.must("pulumi", "preview", "-s", "here", "--expect-no-changes");
  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };

  it("is previewed without a cluster and creates nothing", async () => {
    const said = await project.must("pulumi", "preview", "-s", "here");
    assert.match(said, /aws:iam:Role reader-data-access\/reader-role create/);
    assert.match(said, /kubernetes:helm.sh\/v3:Release made-karpenter/);
    assert.deepEqual(things(), []);
  });

  it("has the cluster with Karpenter, a role for data, provisioners and databases", async () => {
    await up();
    await unchanged();
    const outputs = await project.must("pulumi", "stack", "output", "-s", "here", "--json");
    assert.match(outputs, /"role": "arn:aws:iam::\d+:role\/acme-reader"/);
    assert.match(outputs, /"provisioners": "\[secret\]"/);
    assert.match(outputs, /"defaultProvisioner": "pool"/);
    assert.match(outputs, /"shared": "[0-9a-f]+"/);
  });

  it("changes what its arguments change", async () => {
    await set("team:max", "6");
    await set("team:access", "readWrite");
    const said = await up();
    assert.match(said, /StaticPool set-provisioners-pool updated/);
    assert.match(said, /RolePolicy reader-data-access\/reader\S* updated/);
    await unchanged();
  });

  it("is destroyed, each component before the cluster that it uses", async () => {
    await project.must("pulumi", "destroy", "-s", "here", "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });
});
