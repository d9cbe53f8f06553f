/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call -- rendered YAML */
import assert from "node:assert/strict";
import { renderRay } from "../../../components/ray/rayCluster";
import { TemplateEngine } from "../runtime/templateEngine";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;
const MODES = ["static", "autoscaling", "kuberay"];
const scaled = { workerGroups: { worker: { minReplicas: 0, maxReplicas: 3 } } };

describe("the chart ray-static-cluster", () => {
  let engine: TemplateEngine;

  before(async () => {
    engine = await TemplateEngine.start();
    engine.attach();
  });
  after(() => engine.stop());

  const render = async (values: object = {}): Promise<Any[]> => renderRay({ clusterName: "one", ...values }, "ray", {});
  const find = (objects: Any[], kind: string, name: string): Any => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    assert.ok(
      found,
      `${kind} ${name} is not among ${objects.map((each) => `${each.kind} ${each.metadata.name}`).join()}`,
    );
    return found;
  };
  const refused = (values: object, message: RegExp) => assert.rejects(render(values), message);
  /** Specs of all pods that the objects lead to. */
  const podsOf = (objects: Any[]): Any[] =>
    objects.flatMap(({ kind, spec, data }): Any[] => {
      if (kind === "Deployment") return [spec.template];
      if (kind === "RayCluster")
        return [spec.headGroupSpec.template, ...spec.workerGroupSpecs.map((one: Any) => one.template)];
      return data?.["pods.json"] ? Object.values(JSON.parse(data["pods.json"])) : [];
    });

  it("requires only a name", async () => {
    const objects = await render();
    for (const [kind, name] of [
      ["Deployment", "one-ray-head"],
      ["Deployment", "one-ray-worker"],
      ["Service", "one-ray-head-svc"],
      ["ServiceAccount", "one-ray"],
    ] as const) {
      find(objects, kind, name);
    }
    assert.equal(objects.length, 4);
    const ports = find(objects, "Service", "one-ray-head-svc").spec.ports.map(({ port }: Any) => port);
    assert.deepEqual(ports, [6379, 10001, 8265, 8080]);
  });

  it("rejects a missing or invalid name and unknown keys", async () => {
    await refused({ clusterName: "Upper" }, /clusterName/);
    await refused({ clusterName: "a".repeat(50) }, /clusterName/);
    await refused({ workers: 3 }, /'workers' not allowed/);
    await refused({ head: { gpus: 3 } }, /'gpus' not allowed/);
    await refused({ image: "rayproject/ray:2.40.0-py312" }, /expected an image of Ray 2\.60\.0/);
    await refused({ head: { cpu: 1 } }, /head\.cpu: found 1 with reservedCpu 1/);
    await refused({ mode: "autoscaling" }, /workerGroups\.worker\.minReplicas: found nothing/);
    await refused({ workerGroups: { head: {} } }, /head/);
  });

  it("takes images without a version of Ray in their tag", async () => {
    const digest = `r.example.com/ml/ray@sha256:${"0".repeat(64)}`;
    const objects = await render({ image: "r.example.com/ml/ray:git-4f5e6d7", head: { image: digest } });
    const images = podsOf(objects).map(({ spec }) => spec.containers[0].image);
    assert.deepEqual(images.sort(), ["r.example.com/ml/ray:git-4f5e6d7", digest].sort());
  });

  it("announces devices to Ray as GPUs or by Ray's name, and leaves that to the operator where there is one", async () => {
    const workerGroups = {
      mig: { devices: { "nvidia.com/mig-1g.10gb": 2 }, minReplicas: 0, maxReplicas: 1 },
      neuron: { devices: { "aws.amazon.com/neuroncore": 4 }, minReplicas: 0, maxReplicas: 1 },
    };
    const objects = await render({ mode: "autoscaling", workerGroups });
    const types = JSON.parse(
      find(objects, "ConfigMap", "one-ray-autoscaler").data["cluster.json"],
    ).available_node_types;
    assert.equal(types.mig.resources.GPU, 2);
    assert.equal(types.neuron.resources.neuron_cores, 4);
    const made = await render({
      workerGroups: { mig: { devices: workerGroups.mig.devices }, neuron: { devices: workerGroups.neuron.devices } },
    });
    const container = (group: string) => find(made, "Deployment", `one-ray-${group}`).spec.template.spec.containers[0];
    assert.ok(container("mig").args.includes("--num-gpus=2"));
    assert.equal(container("mig").resources.limits["nvidia.com/mig-1g.10gb"], "2");
    assert.ok(container("neuron").args.includes('--resources={"neuron_cores":4}'));
    const [, spec] = find(await render({ mode: "kuberay", workerGroups }), "RayCluster", "one-ray").spec
      .workerGroupSpecs;
    assert.equal(spec.rayStartParams.resources, undefined);
    assert.equal(spec.template.spec.containers[0].resources.limits["aws.amazon.com/neuroncore"], "4");
  });

  it("gives a pod its node minus reserved CPUs and memory, as request, as limit and in Ray's flags", async () => {
    const objects = await render({ reservedMemoryGb: 0, workerGroups: { gpu: { cpu: 16, memoryGb: 64, gpu: 2 } } });
    const [container] = find(objects, "Deployment", "one-ray-gpu").spec.template.spec.containers;
    assert.deepEqual(container.resources.limits, { cpu: "15", memory: "64000000000", "nvidia.com/gpu": "2" });
    assert.deepEqual(container.resources.requests, container.resources.limits);
    for (const flag of ["--num-cpus=15", "--num-gpus=2", "--memory=44800000000", "--object-store-memory=19200000000"]) {
      assert.ok(container.args.includes(flag), `${flag} is not in ${container.args.join(" ")}`);
    }
    const [shm] = find(objects, "Deployment", "one-ray-gpu").spec.template.spec.volumes;
    assert.deepEqual(shm, { name: "shm", emptyDir: { medium: "Memory", sizeLimit: "19200000000" } });
    const head = find(objects, "Deployment", "one-ray-head").spec.template.spec.containers[0];
    assert.ok(head.args.includes("--num-cpus=0"), "tasks on the head can take it down");
  });

  it("reserves 2 GB of a node, less on small nodes, or the given amount", async () => {
    const memoryOf = async (memoryGb: number, values: object = {}): Promise<string> => {
      const [container] = podsOf(await render({ head: { memoryGb }, ...values }))[0].spec.containers;
      return container.resources.limits.memory;
    };
    assert.deepEqual(
      [await memoryOf(32), await memoryOf(8), await memoryOf(1)],
      ["30000000000", "6000000000", "750000000"],
    );
    assert.equal(await memoryOf(32, { reservedMemoryGb: 3.5 }), "28500000000");
    await refused({ head: { memoryGb: 2 }, reservedMemoryGb: 2 }, /head\.memoryGb: found 2 with reservedMemoryGb 2/);
  });

  it("schedules pods only on the nodes of their pool", async () => {
    const [head, worker] = podsOf(
      await render({ workerGroups: { gpu: { pool: "gpu", nodeSelector: { zone: "a" } } } }),
    );
    assert.deepEqual(head.spec.nodeSelector, { dedicated: "ray" });
    assert.deepEqual(head.spec.tolerations, [
      { key: "dedicated", operator: "Equal", value: "ray", effect: "NoSchedule" },
    ]);
    assert.deepEqual(worker.spec.nodeSelector, { dedicated: "gpu", zone: "a" });
    for (const pod of podsOf(await render({ pool: "" }))) {
      assert.deepEqual([pod.spec.nodeSelector, pod.spec.tolerations], [undefined, undefined]);
    }
  });

  it("gives two clusters in one namespace disjoint selectors", async () => {
    const [one, two] = [await render(), await render({ clusterName: "two" })];
    const selectors = (objects: Any[]): Any[] =>
      objects.flatMap(({ spec }) => spec?.selector?.matchLabels ?? spec?.selector ?? []);
    const matches = (selector: Any, labels: Any) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value);
    assert.ok(selectors(one).length >= 3);
    for (const selector of selectors(one)) {
      assert.ok(podsOf(one).some(({ metadata }) => matches(selector, metadata.labels)));
      assert.ok(!podsOf(two).some(({ metadata }) => matches(selector, metadata.labels)));
    }
  });

  for (const mode of MODES) {
    it(`has restricted non-root pods with limits and one Ray version, and a protected head: ${mode}`, async () => {
      const objects = await render({ mode, tls: { caSecretName: "ca" }, ...(mode === "static" ? {} : scaled) });
      const pods = podsOf(objects);
      assert.equal(pods.length, 2);
      for (const { spec, metadata } of pods) {
        assert.equal(spec.securityContext.runAsNonRoot, true);
        assert.equal(metadata.annotations["ray-version"], "2.60.0");
        for (const container of [...spec.containers, ...spec.initContainers]) {
          assert.equal(container.image, "rayproject/ray:2.60.0-py312-cpu");
          assert.deepEqual(container.securityContext.capabilities.drop, ["ALL"]);
          assert.equal(container.securityContext.allowPrivilegeEscalation, false);
          assert.ok(container.resources.limits.memory && container.resources.limits.cpu, container.name);
        }
      }
      const key = "cluster-autoscaler.kubernetes.io/safe-to-evict";
      const [head, worker] = ["head", "worker"].map((role) =>
        pods.find(({ metadata }) => metadata.labels["app.kubernetes.io/component"] === role),
      );
      assert.deepEqual([head.metadata.annotations[key], worker.metadata.annotations[key]], ["false", undefined]);
      // It would stop upgrades of nodes.
      assert.ok(!objects.some(({ kind }) => kind === "PodDisruptionBudget"));
    });

    it(`requires a token and uses TLS when instructed to: ${mode}`, async () => {
      const options = { auth: { secretName: "token" }, tls: { caSecretName: "ca" } };
      const objects = await render({ mode, ...options, ...(mode === "static" ? {} : scaled) });
      for (const { spec } of podsOf(objects)) {
        const env: Any[] = spec.containers[0].env;
        const valueOf = (name: string) => env.find((each) => each.name === name);
        assert.equal(valueOf("RAY_USE_TLS").value, "1");
        assert.equal(spec.volumes.find(({ name }: Any) => name === "authority").secret.secretName, "ca");
        for (const { name, volumeMounts } of spec.containers) {
          assert.ok(
            volumeMounts.some(({ mountPath }: Any) => mountPath === "/etc/ray/tls"),
            name,
          );
        }
        if (mode === "kuberay") continue;
        assert.deepEqual(valueOf("RAY_AUTH_TOKEN").valueFrom, { secretKeyRef: { name: "token", key: "auth_token" } });
      }
      if (mode !== "kuberay") return;
      const { authOptions, autoscalerOptions, headGroupSpec } = find(objects, "RayCluster", "one-ray").spec;
      assert.deepEqual(authOptions, { mode: "token", secretName: "token" });
      // The operator's own container in the head's pod is a process of Ray too.
      const [head] = headGroupSpec.template.spec.containers;
      const tls = head.env.filter(({ name }: Any) => /TLS/.test(name));
      assert.equal(tls.length, 4);
      assert.deepEqual(autoscalerOptions.env, tls);
      assert.deepEqual(autoscalerOptions.volumeMounts, [{ name: "tls", mountPath: "/etc/ray/tls", readOnly: true }]);
    });
  }

  it("grants Kubernetes permissions only to the head of an autoscaling cluster", async () => {
    const objects = await render({ mode: "autoscaling", ...scaled });
    const [head, worker] = podsOf(objects).sort((a) => (a.metadata.labels["ray-group"] ? 1 : -1));
    assert.deepEqual([head.spec.serviceAccountName, head.spec.automountServiceAccountToken], ["one-ray-head", true]);
    assert.deepEqual([worker.spec.serviceAccountName, worker.spec.automountServiceAccountToken], ["one-ray", false]);
    const [subject] = find(objects, "RoleBinding", "one-ray-autoscaler").subjects;
    assert.equal(subject.name, "one-ray-head");
    assert.ok(!JSON.stringify(find(objects, "Role", "one-ray-autoscaler").rules).includes("*"));
  });

  it("has the same Service in every mode, which the operator accepts as the head's", async () => {
    const services = await Promise.all(
      MODES.map(async (mode) =>
        find(await render({ mode, ...(mode === "static" ? {} : scaled) }), "Service", "one-ray-head-svc"),
      ),
    );
    for (const service of services) assert.deepEqual(service, services[0]);
    const {
      "ray.io/cluster": cluster,
      "ray.io/node-type": type,
      "ray.io/identifier": id,
    } = services[0].metadata.labels;
    assert.deepEqual([cluster, type, id], ["one-ray", "head", "one-ray-head"]);
    assert.equal(services[0].spec.publishNotReadyAddresses, true);
  });

  it("makes the ConfigMap own the workers, so that they are deleted even if the head stays", async () => {
    const objects = await render({ mode: "autoscaling", ...scaled });
    const { data } = find(objects, "ConfigMap", "one-ray-autoscaler");
    assert.equal(JSON.parse(data["cluster.json"]).provider.owner, "one-ray-autoscaler");
    assert.match(data["kubernetes_pods.py"], /"kind": "ConfigMap", "name": self\.owner/);
  });

  it("lets the operator's autoscaler read the head's logs", async () => {
    const { spec } = find(await render({ mode: "kuberay", ...scaled }), "RayCluster", "one-ray");
    const { volumes, containers } = spec.headGroupSpec.template.spec;
    assert.ok(volumes.some(({ name }: Any) => name === "ray-logs"));
    assert.ok(
      containers[0].volumeMounts.some(({ name, mountPath }: Any) => name === "ray-logs" && mountPath === "/tmp/ray"),
    );
  });

  it("renders a RayCluster that passes the operator's validation", async () => {
    const fault = { redisAddress: "redis:6379", passwordSecret: "redis" };
    const spec = find(
      await render({ mode: "kuberay", ...scaled, gcsFaultTolerance: fault }),
      "RayCluster",
      "one-ray",
    ).spec;
    assert.equal(spec.enableInTreeAutoscaling, true);
    assert.equal(spec.autoscalerOptions.version, "v2");
    const [group] = spec.workerGroupSpecs;
    assert.deepEqual([group.replicas, group.minReplicas, group.maxReplicas], [undefined, 0, 3]);
    for (const { template, rayStartParams } of [spec.headGroupSpec, group]) {
      assert.equal(template.spec.restartPolicy, "Never", "what the autoscaler v2 wants");
      assert.equal(rayStartParams["labels"], undefined);
      for (const value of Object.values(rayStartParams)) assert.equal(typeof value, "string");
    }
    assert.deepEqual(spec.gcsFaultToleranceOptions, {
      redisAddress: "redis:6379",
      redisPassword: { valueFrom: { secretKeyRef: { name: "redis", key: "password" } } },
    });
    const fixed = find(await render({ mode: "kuberay" }), "RayCluster", "one-ray").spec;
    assert.equal(fixed.enableInTreeAutoscaling, undefined);
    const [{ replicas, minReplicas, maxReplicas }] = fixed.workerGroupSpecs;
    assert.deepEqual([replicas, minReplicas, maxReplicas], [4, 4, 4]);
  });
});
