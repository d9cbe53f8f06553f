/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call -- rendered YAML */
import assert from "node:assert/strict";
import { renderRay } from "../../../components/ray/rayCluster";
import { TemplateEngine } from "../runtime/templateEngine";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

const EXTRAS = {
  env: { LOG: "info", PASSWORD: { valueFrom: { secretKeyRef: { name: "warehouse", key: "password" } } } },
  envFrom: [{ secretRef: { name: "warehouse" } }],
  volumes: [{ name: "models", persistentVolumeClaim: { claimName: "models" } }],
  volumeMounts: [{ name: "models", mountPath: "/models" }],
  initContainers: [{ name: "seed", image: "busybox:1.37", securityContext: { runAsUser: 1000650000 } }],
  containers: [{ name: "logs", image: "fluent/fluent-bit:3.2" }],
  labels: { team: "data", "app.kubernetes.io/name": "mine" },
  annotations: { "example.com/owner": "data" },
  priorityClassName: "high",
  imagePullSecrets: ["registry"],
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }],
  podSpec: { runtimeClassName: "nvidia" },
};
const GROUP = { minReplicas: 0, maxReplicas: 3, serviceAccount: "writer", objectStoreShare: 0.5 };

describe("the pods of the chart ray-static-cluster", () => {
  let engine: TemplateEngine;

  before(async () => {
    engine = await TemplateEngine.start();
    engine.attach();
  });
  after(() => engine.stop());

  const render = async (values: object): Promise<Any[]> => renderRay({ clusterName: "one", ...values }, "ray", {});
  /** Pod templates of the head and of the one worker group. */
  async function podsOf(mode: string, values: object): Promise<{ head: Any; worker: Any }> {
    const objects = await render({ mode, ...values });
    const find = (wanted: string, name: string): Any =>
      objects.find(({ kind, metadata }: Any) => kind === wanted && metadata.name === name);
    if (mode === "kuberay") {
      const { headGroupSpec, workerGroupSpecs } = find("RayCluster", "one-ray").spec;
      return { head: headGroupSpec.template, worker: workerGroupSpecs[0].template };
    }
    const head = find("Deployment", "one-ray-head").spec.template;
    if (mode === "static") return { head, worker: find("Deployment", "one-ray-gpu").spec.template };
    return { head, worker: JSON.parse(find("ConfigMap", "one-ray-autoscaler").data["pods.json"]).gpu };
  }

  for (const mode of ["static", "autoscaling", "kuberay"]) {
    it(`have extra fields from the values and keep those of the chart: ${mode}`, async () => {
      const values = { ...EXTRAS, tls: { caSecretName: "ca" }, workerGroups: { gpu: GROUP } };
      const pods = await podsOf(mode, values);
      for (const [kind, { metadata, spec }] of Object.entries(pods)) {
        assert.equal(metadata.labels.team, "data");
        assert.equal(metadata.labels["app.kubernetes.io/name"], "ray", "the chart finds its pods by it");
        assert.equal(metadata.annotations["example.com/owner"], "data");
        assert.equal(metadata.annotations["ray-version"], "2.60.0");
        const [ray, ...others] = spec.containers;
        assert.equal(ray.name, kind, "the operator takes the first container for Ray's");
        assert.deepEqual(others, EXTRAS.containers);
        const variables = Object.fromEntries(ray.env.map(({ name, ...rest }: Any) => [name, rest]));
        assert.deepEqual([variables.LOG, variables.PASSWORD], [{ value: "info" }, EXTRAS.env.PASSWORD]);
        assert.equal(variables.RAY_USE_TLS.value, "1");
        assert.deepEqual(ray.envFrom, EXTRAS.envFrom);
        assert.deepEqual(ray.volumeMounts.at(-1), EXTRAS.volumeMounts[0]);
        assert.deepEqual(spec.volumes.at(-1), EXTRAS.volumes[0]);
        assert.deepEqual(
          spec.initContainers.find(({ name }: Any) => name === "seed"),
          EXTRAS.initContainers[0],
        );
        assert.equal(spec.priorityClassName, "high");
        assert.equal(spec.runtimeClassName, "nvidia");
        assert.deepEqual(spec.imagePullSecrets, [{ name: "registry" }]);
        const [{ labelSelector, ...spread }] = spec.topologySpreadConstraints;
        assert.deepEqual(spread, EXTRAS.topologySpreadConstraints[0]);
        for (const [key, value] of Object.entries(labelSelector.matchLabels)) assert.equal(metadata.labels[key], value);
        assert.equal(labelSelector.matchLabels["app.kubernetes.io/component"], kind);
      }
      assert.equal(pods.worker.spec.serviceAccountName, "writer");
      const shm = ({ spec }: Any) => spec.volumes.find(({ name }: Any) => name === "shm").emptyDir.sizeLimit;
      assert.deepEqual([shm(pods.head), shm(pods.worker)], ["9000000000", "15000000000"]);
    });

    it(`apply the head's values before the cluster's and add its ports to the Service: ${mode}`, async () => {
      const head = {
        env: { LOG: "debug" },
        containers: [{ name: "metrics", image: "exporter:1" }],
        priorityClassName: "higher",
        ports: [{ name: "serve", containerPort: 8000 }],
      };
      const values = { ...EXTRAS, head, workerGroups: { gpu: GROUP } };
      const pods = await podsOf(mode, values);
      const [ray, ...others] = pods.head.spec.containers;
      assert.deepEqual(
        others.map(({ name }: Any) => name),
        ["logs", "metrics"],
      );
      assert.equal(ray.env.find(({ name }: Any) => name === "LOG").value, "debug");
      assert.equal(pods.head.spec.priorityClassName, "higher");
      assert.deepEqual(ray.ports.at(-1), head.ports[0]);
      assert.equal(pods.worker.spec.priorityClassName, "high");
      const service = (await render({ mode, ...values })).find(({ kind }: Any) => kind === "Service");
      assert.deepEqual(service.spec.ports.at(-1), { name: "serve", port: 8000, targetPort: "serve", protocol: "TCP" });
    });
  }

  it("have no extra fields by default", async () => {
    for (const mode of ["static", "autoscaling", "kuberay"]) {
      const { head } = await podsOf(mode, { workerGroups: { gpu: GROUP } });
      for (const key of ["priorityClassName", "topologySpreadConstraints", "imagePullSecrets", "initContainers"]) {
        assert.equal(head.spec[key], undefined, key);
      }
      assert.equal(head.spec.containers[0].envFrom, undefined);
    }
  });

  it("restart the head when its worker template changes", async () => {
    const before = await podsOf("autoscaling", { workerGroups: { gpu: GROUP } });
    const after = await podsOf("autoscaling", { workerGroups: { gpu: { ...GROUP, env: { A: "b" } } } });
    assert.notDeepEqual(after.head, before.head);
  });

  it("reject pod fields that have their own keys", async () => {
    await assert.rejects(render({ podSpec: { containers: [] } }), /invalid propertyName 'containers'/);
    await assert.rejects(render({ head: { serviceAccount: "x" } }), /serviceAccount/);
    await assert.rejects(
      render({ head: { ports: [{ containerPort: 8000 }] } }),
      /head\.ports: found 8000 without a name/,
    );
  });
});
