import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AutoMode } from "../../../doubles/autoMode/autoMode";
import { AUTO_KIND_NAMES, AUTO_KINDS } from "../../../doubles/autoMode/kinds";
import type { Thing } from "../../../doubles/aws/world";
import { until } from "../../cli/held";
import type { World } from "../../runtime/world";
import { testYard } from "../../runtime/yard";
import { worldWithAws } from "../world";

const POOLS = {
  general: { instanceTypes: ["m7i.xlarge"], max: 5, scaleDown: { unneededFor: "1s" } },
  ray: {
    ...{ instanceTypes: ["m7g.xlarge"], max: 2, capacity: "spot", diskGb: 100, forceUpdate: true },
    ...{ taints: ["dedicated=ray:NoSchedule"], toleratedBy: "Ray", labels: { team: "data" } },
    ...{ securityGroupIds: ["sg-0123456789abcdef1"], scaleDown: { unneededFor: "1s" } },
    diskKey: "arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-0000-4000-8000-000000000000",
  },
};

/** AWS and Auto Mode are doubles; the engine, the scheduler and the Kubernetes API are real. */
describe("a platform on EKS Auto Mode", function () {
  this.timeout(120_000);
  let world: World;
  let auto: AutoMode;

  before(async () => {
    const place = await testYard();
    world = worldWithAws(place);
    for (const kind of AUTO_KINDS) await world.apply("default", kind);
    for (const name of AUTO_KIND_NAMES)
      await world.kubectl("wait", "--for=condition=Established", "--timeout=60s", `crd/${name}`);
    await world.kubectl("create", "namespace", world.tag);
    auto = new AutoMode(place.kubeconfig, world.tag);
    const spec = { namespace: `runtimes-${world.tag}`, host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", world.tag, "stackyard", {
      cluster: {
        ...{ type: "eks", name: "acme", region: "eu-central-1", version: "1.35", nodes: "auto" },
        deletionProtection: false,
        access: { admins: { ci: "arn:aws:iam::123456789012:role/stackyard-ci" } },
        nodePools: POOLS,
      },
      ingress: { existing: ["nginx"] },
      provisioners: { only: { type: "kubernetes", spec } },
      defaultProvisioner: "only",
    });
  });
  after(async () => {
    await world.kubectl("delete", "namespace", world.tag, "--ignore-not-found");
    await world.kubectl("delete", "pv", `disk-${world.tag}`, "--ignore-not-found");
    await auto.stop();
    await world.kubectl("delete", "nodes", "-l", "eks.amazonaws.com/compute-type=auto", "--ignore-not-found");
    await world.kubectl("delete", "crd", "--ignore-not-found", ...AUTO_KIND_NAMES);
    await world.kubectl("delete", "storageclass", "gp3", "--ignore-not-found");
    world.remove();
  });

  const things = (): Thing[] => {
    const account = path.join(world.folder, "aws.json");
    return existsSync(account) ? (JSON.parse(readFileSync(account, "utf8")) as Thing[]) : [];
  };
  const pod = (name: string, spec: object) =>
    world.apply(world.tag, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name },
      spec: { containers: [{ name: "main", image: "example/main" }], ...spec },
    });
  const pools = async (): Promise<string[]> =>
    (await world.kubectl("get", "nodeclaims", "-o", "jsonpath={.items[*].metadata.labels.karpenter\\.sh/nodepool}"))
      .split(" ")
      .filter((name) => name !== "")
      .toSorted();
  const judge = (object: object): Promise<string> => {
    const file = path.join(world.folder, "object.json");
    writeFileSync(file, JSON.stringify(object));
    return world.kubectl("create", "--dry-run=server", "--validate=strict", "-f", file).then(
      () => "",
      (error: unknown) => String(error),
    );
  };
  const applied = async (kind: string, name: string): Promise<Record<string, unknown> & { spec: object }> => {
    const text = await world.kubectl("get", kind, name, "-o", "json");
    const { apiVersion, kind: own, spec } = JSON.parse(text) as Record<string, unknown> & { spec: object };
    return { apiVersion, kind: own, metadata: { name: "judged" }, spec };
  };

  it("deploys pools and classes with documented fields only and shows no changes afterwards", async () => {
    await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
    for (const kind of ["nodeclass", "nodepool"]) {
      for (const name of Object.keys(POOLS)) assert.equal(await judge(await applied(kind, name)), "");
    }
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes");
  });

  it("runs nodes while pods need them", async () => {
    const tolerations = [{ key: "dedicated", value: "ray" }];
    // The yard has nodes of its own.
    await pod("general", { nodeSelector: { "stackyard.dev/node-pool": "general" } });
    await pod("ray", { tolerations, nodeSelector: { dedicated: "ray", team: "data" } });
    await until("each pool has a node", async () => (await pools()).join() === "general,ray");
    await world.kubectl("wait", "--for=condition=Ready", "--timeout=60s", "-n", world.tag, "pods", "--all");
    await world.kubectl("delete", "pod", "-n", world.tag, "general", "--grace-period=0", "--force");
    await until("the idle node is gone", async () => (await pools()).join() === "ray");
  });

  it("has pools and classes in which each mistake is rejected by field", async () => {
    const nodeClass = await applied("nodeclass", "ray");
    const pool = await applied("nodepool", "ray");
    const wrong = (of: typeof pool, spec: object) => judge({ ...of, spec: { ...of.spec, ...spec } });
    const storage = (more: object) => wrong(nodeClass, { ephemeralStorage: { size: "80Gi", ...more } });
    assert.match(await wrong(nodeClass, { amiFamily: "AL2023" }), /unknown field "spec\.amiFamily"/);
    assert.match(await wrong(nodeClass, { subnetSelectorTerms: [] }), /subnetSelectorTerms/);
    assert.match(await storage({ size: "80" }), /ephemeralStorage\.size/);
    assert.match(await storage({ iops: 100 }), /ephemeralStorage\.iops/);
    assert.match(await wrong(nodeClass, { instanceProfile: "acme" }), /either role or instanceProfile/);
    assert.match(await wrong(nodeClass, { tags: { "karpenter.sh/nodepool": "x" } }), /tags that EKS sets by itself/);
    assert.match(await judge({ ...nodeClass, metadata: { name: "default" } }), /the class of EKS' own/);
    const { template } = pool.spec as { template: { spec: { requirements: object[] } } };
    const requiring = (key: string, ...values: string[]) => {
      const requirements = [...template.spec.requirements, { key, operator: "In", values }];
      return wrong(pool, { template: { spec: { ...template.spec, requirements } } });
    };
    assert.match(await requiring("kubernetes.io/os", "linux"), /a label that EKS Auto Mode does not support/);
    assert.match(await requiring("karpenter.k8s.aws/instance-cpu", "4"), /does not support/);
    assert.match(await requiring("node.kubernetes.io/instance-type", "m7g.medium"), /no instances below two CPUs/);
    assert.equal(await requiring("eks.amazonaws.com/instance-category", "m"), "");
    const budgets = [{ nodes: "25%" }];
    assert.match(
      await wrong(pool, { disruption: { consolidationPolicy: "WhenUnderutilized", budgets } }),
      /Supported/i,
    );
  });

  it("rejects a destroy while another Service holds a load balancer, and keeps everything", async () => {
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }], selector: { app: "web" } };
    await world.apply(world.tag, { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec });
    const before = things().length;
    const { ok, text } = await world.pulumi("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.ok(!ok, text);
    assert.match(text, new RegExp(`Service ${world.tag}/web: kubectl -n ${world.tag} delete service web`));
    assert.match(text, /pulumi config set --stack \S+ stackyard:allowLeftovers true/);
    assert.equal(things().length, before);
    assert.match(await world.kubectl("get", "storageclass", "-o", "name"), /gp3/);
    await world.must("platform", "config", "set", "-s", world.tag, "stackyard:allowLeftovers", "true");
  });

  const disk = (): object => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `disk-${world.tag}` },
    spec: {
      capacity: { storage: "8Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      csi: { driver: "ebs.csi.eks.amazonaws.com", volumeHandle: "vol-0123456789abcdef0" },
    },
  });

  it("deletes its last nodes before their role and lists what remains on AWS", async () => {
    await world.kubectl("delete", "pod", "-n", world.tag, "ray", "--grace-period=0", "--force");
    await world.apply("default", disk());
    const text = await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.match(text, new RegExp(`Service ${world.tag}/web: kubectl -n ${world.tag} delete service web`));
    assert.match(text, /no claim: vol-0123456789abcdef0 \(8Gi\)\n.*stackyard eks leftovers --stack/);
    assert.deepEqual(await pools(), []);
    assert.equal(await world.kubectl("get", "nodeclasses", "-o", "name"), "");
    assert.deepEqual(things(), []);
  });
});
