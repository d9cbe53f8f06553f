import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { renderLock } from "../../../components/charts/lock";
import { CHARTS } from "../../../components/charts/table";
import { ChartRepository, packDouble, sha256 } from "../../doubles/chartRepository";
import { testYard } from "../runtime/yard";
import { World, type Ended } from "../runtime/world";
import { autoscalerNode } from "./node";

const ROLE = "arn:aws:iam::123456789012:role/acme-autoscaler";
const METRICS_API = "v1beta1.metrics.k8s.io";
const METRICS = { metricsServer: { enabled: true, timeoutSeconds: 60 } };
const NODE = autoscalerNode("autoscaler");

describe("the cluster-autoscaler on a cluster", () => {
  let world: World;
  let repository: ChartRepository;
  let lockFile: string;
  let stack: string;

  before(async () => {
    world = new World(await testYard());
    stack = `dev-${world.tag}`;
    world.setEnv("XDG_CACHE_HOME", path.join(world.folder, "cache"));
    const names = ["cluster-autoscaler", "metrics-server"] as const;
    const packed = await Promise.all(names.map(async (name) => [name, await packDouble(name)] as const));
    repository = await new ChartRepository(Object.fromEntries(packed)).start();
    lockFile = path.join(world.folder, "lock.yaml");
    const locked = packed.map(([name, archive]) => {
      const { version } = CHARTS[name];
      return [name, { version, digest: sha256(archive) }] as const;
    });
    writeFileSync(lockFile, renderLock(Object.fromEntries(locked)));
    await world.apply("default", NODE);
  });
  after(async () => {
    await world.kubectl("delete", "node", NODE.metadata.name, "--ignore-not-found");
    await world.kubectl("delete", "apiservice", METRICS_API, "--ignore-not-found");
    await repository.stop();
    world.remove();
  });

  async function configure(clusterAutoscaler: Record<string, unknown> = {}, more: object = {}): Promise<void> {
    const only = { namespace: "runtimes", host: "http://*.runtimes.localhost", image: "example/runtime" };
    await world.configure("platform", stack, "stackyard", {
      cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
      provisioners: { only: { type: "kubernetes", spec: only } },
      defaultProvisioner: "only",
      charts: { mirror: repository.url, lock: "required", lockFile },
      clusterAutoscaler: {
        cluster: { name: "acme", region: "eu-central-1", version: "1.35", roleArn: ROLE },
        timeoutSeconds: 60,
        ...clusterAutoscaler,
      },
      ...more,
    });
  }
  const up = (): Promise<Ended> => world.pulumi("platform", "up", "-s", stack, "--yes", "--skip-preview");
  async function mustUp(): Promise<string> {
    const { ok, text } = await up();
    assert.ok(ok, text);
    return text;
  }
  const deployment = () => world.get("-n", "kube-system", "deployment", "cluster-autoscaler");

  it("detects another metrics API service before it installs metrics-server", async () => {
    await configure({}, METRICS);
    const service = { name: "metrics", namespace: world.tag };
    const spec = { group: "metrics.k8s.io", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 };
    await world.apply("default", {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: METRICS_API },
      spec: { ...spec, insecureSkipTLSVerify: true, service },
    });
    const { ok, text } = await up();
    await world.kubectl("delete", "apiservice", METRICS_API);
    assert.ok(!ok, text);
    assert.match(text, /stackyard:metricsServer: found APIService v1beta1\.metrics\.k8s\.io of Service \S+\/metrics;/);
  });

  it("runs with its role on its own nodes, together with metrics-server", async () => {
    await configure({}, METRICS);
    await mustUp();
    const metrics = await world.get("-n", "kube-system", "deployment", "metrics-server");
    assert.equal(metrics.status.readyReplicas, 2);
    const { status, spec } = await deployment();
    assert.equal(status.readyReplicas, 1);
    const { nodeName } = ((
      await world.get("-n", "kube-system", "pods", "-l", "app.kubernetes.io/instance=cluster-autoscaler")
    ).items ?? [])[0]!.spec as unknown as { nodeName: string };
    assert.equal(nodeName, NODE.metadata.name);
    const { containers } = spec.template.spec as unknown as { containers: { image: string; command: string[] }[] };
    assert.equal(containers[0]?.image, "registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2");
    const tags = "k8s.io/cluster-autoscaler/enabled,k8s.io/cluster-autoscaler/acme";
    const { command } = containers[0];
    assert.ok(command.includes(`--node-group-auto-discovery=asg:tag=${tags}`), command.join(" "));
    assert.ok(command.includes("--skip-nodes-with-local-storage=true"), command.join(" "));
    const account = await world.get("-n", "kube-system", "serviceaccount", "cluster-autoscaler");
    const { annotations } = account.metadata as unknown as { annotations: Record<string, string> };
    assert.equal(annotations["eks.amazonaws.com/role-arn"], ROLE);
    const preview = await world.pulumi("platform", "preview", "-s", stack, "--expect-no-changes", "--diff");
    assert.ok(preview.ok, preview.text);
  });

  it("follows the cluster's version and gives precedence to the user's values", async () => {
    await configure({
      cluster: { name: "acme", region: "eu-central-1", version: "1.36", roleArn: ROLE },
      expander: ["priority", "least-waste"],
      priorities: { 10: [".*"], 50: ["acme-spot.*"] },
      values: {
        extraArgs: { v: 2 },
        // Texts that YAML reads as something else where a template prints them without quotes.
        rbac: { serviceAccount: { annotations: { "acme.example/on": "true", "acme.example/port": "8085" } } },
      },
    });
    await mustUp();
    const account = await world.get("-n", "kube-system", "serviceaccount", "cluster-autoscaler");
    const { annotations } = account.metadata as unknown as { annotations: Record<string, string> };
    assert.equal(annotations["acme.example/on"], "true");
    assert.equal(annotations["acme.example/port"], "8085");
    const { spec } = await deployment();
    const { containers } = spec.template.spec as unknown as { containers: { image: string; command: string[] }[] };
    assert.match(containers[0]!.image, /:v1\.36\./);
    assert.ok(containers[0]!.command.includes("--v=2"));
    const map = await world.get("-n", "kube-system", "configmap", "cluster-autoscaler-priority-expander");
    const { priorities } = (map as unknown as { data: { priorities: string } }).data;
    assert.match(priorities, /10:\s+- \.\*\s+50:\s+- acme-spot\.\*/);
  });

  it("keeps the previous release after a failed update", async () => {
    await configure({ timeoutSeconds: 10, values: { nodeSelector: { dedicated: "nobody" } } });
    const { ok, text } = await up();
    assert.ok(!ok, text);
    const { spec } = await deployment();
    const { nodeSelector } = spec.template.spec as unknown as { nodeSelector: object };
    assert.deepEqual(nodeSelector, { dedicated: "clusterAutoscaler" });
  });

  it("reports what a disabled autoscaler removes and deletes it", async () => {
    await configure({ enabled: false });
    const text = await mustUp();
    assert.match(text, /stackyard:clusterAutoscaler is disabled: pools stay as large as they are now/);
    const left = await world.kubectl("get", "-n", "kube-system", "deployment,sa,pdb", "-o", "name");
    assert.ok(!left.includes("cluster-autoscaler"), left);
    await world.must("platform", "destroy", "-s", stack, "--yes", "--skip-preview");
  });
});
