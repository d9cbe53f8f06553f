import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { ChartRepository } from "../../doubles/chartRepository";
import { AUTO_KIND_NAMES, AUTO_KINDS } from "../../doubles/autoMode/kinds";
import { VersionServer } from "../../doubles/aws/versionServer";
import type { Thing } from "../../doubles/aws/world";
import { testYard } from "../runtime/yard";
import { karpenterNode } from "./nodes/karpenterNode";
import type { World } from "../runtime/world";
import { doubleCharts, worldWithAws } from "./world";

const root = path.join(__dirname, "../../..");
const run = promisify(execFile);

/** The commands of a page's shell blocks, by the headings they are under. */
function commandsOf(page: string): Map<string, string[]> {
  const sections = readFileSync(path.join(root, "docs", page), "utf8")
    .split(/^## /m)
    .slice(1);
  return new Map(
    sections.map((text) => {
      const blocks = [...text.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].map(([, block = ""]) => block);
      const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.trim());
      return [text.slice(0, text.indexOf("\n")), lines.filter((line) => line !== "")];
    }),
  );
}

const KINDS = [...AUTO_KIND_NAMES, "ec2nodeclasses.karpenter.k8s.aws"];

/** A kind with any fields, as another version of a chart installs it. */
function kindOf(kind: string, group: string, plural = `${kind.toLowerCase()}s`): object {
  const fields = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: fields } } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

type Cluster = Record<string, unknown> & { nodePools: Record<string, object> };

/** AWS is a double; what the page says is what is run. */
describe("the documentation page about operations on EKS", function () {
  this.timeout(180_000);
  const commands = commandsOf("eks-operations.md");
  const ran = new Set<string>();
  let world: World;
  let repository: ChartRepository;
  let versions: VersionServer;
  let charts: object;
  let stack: string;
  let cluster: Cluster;

  before(async () => {
    const place = await testYard();
    world = worldWithAws(place);
    stack = `prod-${world.tag}`;
    versions = await new VersionServer().start();
    const keys = { AWS_ACCESS_KEY_ID: "KEY", AWS_SECRET_ACCESS_KEY: "secret", ...versions.env };
    for (const [key, value] of Object.entries(keys)) world.setEnv(key, value);
    ({ repository, charts } = await doubleCharts(world.folder));
    cluster = {
      type: "eks",
      name: "acme-prod",
      region: "eu-central-1",
      version: "1.35",
      ami: "pinned",
      lock: "required",
      lockFile: path.join(world.folder, "eks.lock.yaml"),
      access: { admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" } },
      nodePools: { general: { instanceTypes: ["m7i.xlarge"], min: 2, max: 5 } },
    };
  });
  after(async () => {
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    await world.kubectl("delete", "nodes", "karpenter-a", "karpenter-b", "--ignore-not-found");
    await world.kubectl("delete", "crd", "--ignore-not-found", ...KINDS);
    await versions.stop();
    await repository.stop();
    world.remove();
  });

  const change = async (more: object = {}): Promise<void> => {
    cluster = { ...cluster, ...more };
    const spec = { namespace: "runtimes", host: "https://*.example.com", image: "example/runtime" };
    await world.configure("platform", stack, "stackyard", {
      cluster,
      charts,
      ingress: { existing: ["nginx"] },
      provisioners: { eu: { type: "kubernetes", spec } },
      defaultProvisioner: "eu",
    });
  };
  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };

  /** Runs one line of the page, for the stack of this test. */
  async function execute(line: string): Promise<string> {
    ran.add(line);
    const [program = "", ...args] = line.split(" ").map((word) => (word === "prod" ? stack : word));
    if (program === "kubectl") return world.kubectl(...args);
    if (program === "pulumi") {
      const asks = args[0] === "up" || args[0] === "destroy";
      return world.must("platform", ...args, ...(asks ? ["--yes", "--skip-preview"] : []));
    }
    assert.equal(program, "stackyard", line);
    const { env } = world.surroundings("platform");
    const cli = path.join(root, "cli/bin/stackyard");
    const { stdout, stderr } = await run(process.execPath, [cli, ...args], {
      env: { ...env, STACKYARD_PROJECT: path.join(world.folder, "platform") },
    });
    return stdout + stderr;
  }
  /** Answers what the commands of a section say, one after the other. */
  async function section(heading: string, nth: readonly number[] = []): Promise<string> {
    const lines = commands.get(heading) ?? assert.fail(`no section ${heading}`);
    const texts: string[] = [];
    for (const [index, line] of lines.entries()) {
      if (nth.length === 0 || nth.includes(index)) texts.push(await execute(line));
    }
    return texts.join("\n");
  }

  it("names what AWS lacks in the preview of a cluster", async () => {
    const known = cluster;
    const zones = {
      "subnet-0000000a": { availabilityZone: "eu-central-1a" },
      "subnet-0000000b": { availabilityZone: "eu-central-1a" },
    };
    world.setEnv("STACKYARD_AWS_DOUBLE_SUBNETS", JSON.stringify(zones));
    world.setEnv("STACKYARD_AWS_DOUBLE_SPOT", "new");
    const refused = async (more: object, says: RegExp): Promise<void> => {
      await change({ ami: "latest", lock: "warn", ...more });
      const { ok, text } = await world.pulumi("platform", "preview", "-s", stack);
      assert.ok(!ok, text);
      assert.match(text, says);
      cluster = known;
    };
    const existing = { privateSubnetIds: Object.keys(zones) };
    await refused({ network: { existing } }, /privateSubnetIds: found subnets in one zone, eu-central-1a; expected at/);
    const nodePools = { general: { instanceTypes: ["m7i.xlarge"], max: 5, capacity: "spot" } };
    await refused({ nodes: "karpenter", nodePools }, /aws iam create-service-linked-role --aws-service-name spot\.ama/);
    assert.deepEqual(things(), []);
  });

  it("deploys the first cluster with recorded versions only", async () => {
    await change();
    const text = await section("First up");
    assert.match(text, /coredns +- +v1\.13\.2-eksbuild\.1/);
    assert.match(text, /May administer the cluster: ci/);
    const versionsOf = things().flatMap(({ token, inputs }) =>
      token.endsWith(":Addon") ? [inputs["addonVersion"]] : [],
    );
    assert.deepEqual([...new Set(versionsOf)], ["v1.13.2-eksbuild.1"]);
  });

  it("grants access to more people through access entries only", async () => {
    await change({
      access: { ...(cluster["access"] as object), readers: { team: "arn:aws:iam::123456789012:role/team" } },
    });
    const text = await section("Access");
    assert.match(text, /"current-context": "acme-prod"/);
    assert.match(text, /AccessEntry +cluster-eks-control-plane-reader\/team +create/);
    assert.doesNotMatch(text, /NodeGroup.*(update|replace)/);
  });

  it("gives a principal that moves to another key another policy, and keeps its entry", async () => {
    const team = "arn:aws:iam::123456789012:role/team";
    const access = (namespaces: string[]) => ({
      admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" },
      entries: {
        team: { principal: team, groups: ["data"], policies: [{ policy: "AmazonEKSViewPolicy", namespaces }] },
      },
    });
    const granted = (): unknown =>
      things().flatMap(({ token, inputs }) =>
        token.endsWith(":AccessPolicyAssociation") && inputs["principalArn"] === team ? [inputs["accessScope"]] : [],
      );
    await change({ access: access(["runtimes"]) });
    const { ok, text } = await world.pulumi("platform", "up", "-s", stack, "--yes", "--skip-preview");
    assert.ok(ok, text);
    assert.match(text, /AccessEntry +cluster-eks-control-plane-entry\/team +updated/);
    assert.deepEqual(granted(), [{ type: "namespace", namespaces: ["runtimes"] }]);
    await change({ access: access(["runtimes", "team-*"]) });
    await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    assert.deepEqual(granted(), [{ type: "namespace", namespaces: ["runtimes", "team-*"] }]);
  });

  it("upgrades the control plane in place, unless EKS' insights have errors", async () => {
    const lines = commands.get("A new Kubernetes minor") ?? [];
    versions.addon = "v1.14.0-eksbuild.1";
    await execute(lines[0] ?? "");
    await change({ version: "1.36" });
    versions.insights = ["Deprecated APIs removed in Kubernetes v1.36"];
    const refused = await world.pulumi("platform", "preview", "-s", stack);
    assert.match(refused.text, /cluster\.version: found "1\.36"[^]*- Deprecated APIs removed .*: in use/);
    versions.insights = [];
    const text = await section("A new Kubernetes minor", [1, 2]);
    assert.match(text, /version *: "1\.35" => "1\.36"/);
    assert.match(text, /addonVersion: "v1\.13\.2-eksbuild\.1" => "v1\.14\.0-eksbuild\.1"/);
    assert.doesNotMatch(text, /to replace|releaseVersion/);
  });

  it("rolls the control plane back while its nodes have the minor before", async () => {
    versions.upgrade = { to: "1.36", at: new Date(Date.now() - 8 * 86_400_000) };
    await change({ version: "1.35" });
    const refused = await world.pulumi("platform", "preview", "-s", stack);
    assert.match(refused.text, /EKS rolls back within 7 days, and the upgrade was 8 days ago/);
    versions.upgrade = { to: "1.36", at: new Date() };
    await section("Back to the minor before");
    const versionOf = (type: string): unknown[] => [
      ...new Set(things().flatMap(({ token, inputs }) => (token.endsWith(type) ? [inputs["version"]] : []))),
    ];
    assert.deepEqual([versionOf(":Cluster"), versionOf(":NodeGroup")], [["1.35"], ["1.35"]]);
    await change({ version: "1.36" });
    await world.must("platform", "up", "-s", stack, "--yes", "--skip-preview");
    assert.deepEqual([versionOf(":Cluster"), versionOf(":NodeGroup")], [["1.36"], ["1.35"]]);
  });

  it("upgrades the nodes in the next update", async () => {
    const text = await section("A new Kubernetes minor", [3, 4, 5, 6]);
    assert.match(text, /releaseVersion: "1\.35\.1-20260101" => "1\.36\.1-20260101"/);
    assert.doesNotMatch(text, /to replace/);
  });

  it("updates images only after they are recorded", async () => {
    versions.image = "20260201";
    const text = await section("New images");
    assert.match(text, /AL2023_x86_64_STANDARD +1\.36\.1-20260101 +1\.36\.1-20260201/);
    assert.match(text, /releaseVersion: "1\.36\.1-20260101" => "1\.36\.1-20260201"/);
  });

  it("adds a pool without touching anything else", async () => {
    await change({ nodePools: { ...cluster.nodePools, more: { instanceTypes: ["m7a.xlarge"], max: 2 } } });
    const text = await section("One more pool");
    assert.match(text, /NodeGroup +cluster-eks-nodes\/more +create/);
    assert.doesNotMatch(text, /to (replace|delete|update)/);
  });

  it("keeps pods off a lost zone and lets them back", async () => {
    const metadata = {
      name: `lost-${world.tag}`,
      labels: { "topology.kubernetes.io/zone": "eu-central-1a" },
      annotations: { "kwok.x-k8s.io/node": "fake" },
    };
    await world.apply("default", { apiVersion: "v1", kind: "Node", metadata });
    try {
      assert.match(await section("A zone is lost", [0, 1, 2, 3]), new RegExp(`node/${metadata.name} cordoned`));
      assert.match(await section("A zone is lost", [4]), new RegExp(`node/${metadata.name} uncordoned`));
    } finally {
      await world.kubectl("delete", "node", metadata.name);
    }
  });

  it("moves to Karpenter in one update and shows pools, claims and nodes", async () => {
    for (const name of ["karpenter-a", "karpenter-b"]) await world.apply("default", karpenterNode(name));
    await world.apply("default", kindOf("NodeClaim", "karpenter.sh"));
    await change({
      nodes: "karpenter",
      nodePools: {
        general: { instanceTypes: ["m7i.xlarge"], max: 5 },
        more: { instanceTypes: ["m7a.xlarge"], max: 2 },
      },
    });
    const text = await section("Karpenter");
    assert.match(text, /NodeGroup +cluster-eks-nodes\/karpenter +create/);
    assert.match(text, /NodeGroup +cluster-eks-nodes\/general +delete/);
    assert.match(text, /^general +/m);
    assert.deepEqual(
      things().flatMap(({ token, inputs }) => (token.endsWith(":NodeGroup") ? [inputs["nodeGroupNamePrefix"]] : [])),
      ["acme-prod-karpenter-"],
    );
  });

  it("destroys the cluster when allowed and leaves nothing", async () => {
    await change({ deletionProtection: false });
    await section("Destroy");
    assert.deepEqual(things(), []);
  });

  it("deploys an EKS Auto Mode cluster without a node group", async () => {
    // EKS installs these kinds in the cluster.
    for (const kind of AUTO_KINDS) await world.apply("default", kind);
    const rest = Object.fromEntries(Object.entries(cluster).filter(([key]) => key !== "ami"));
    cluster = { ...rest, nodePools: { general: { instanceTypes: ["m7i.xlarge"], max: 5 } } };
    await change({ nodes: "auto" });
    assert.match(await section("EKS Auto Mode"), /^general +[^]*^general +/m);
    assert.deepEqual(
      things().filter(({ token }) => token.endsWith(":NodeGroup")),
      [],
    );
    await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
    assert.deepEqual(things(), []);
  });

  it("contains no command that was not run", () => {
    assert.deepEqual(
      [...commands.values()].flat().filter((line) => !ran.has(line)),
      [],
    );
  });
});
