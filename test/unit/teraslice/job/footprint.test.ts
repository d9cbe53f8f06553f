/* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return --
   rendered objects are of any shape */
import assert from "node:assert/strict";
import { footprint, UID } from "../../../../components/teraslice/job/footprint/footprint";
import { EXECUTION } from "../../../../components/teraslice/job/footprint/pod";
import { submitted } from "../../../../components/teraslice/job/settings";
import { CONNECTORS, SECRETIVE, settingsOf, type Planned } from "../samples";
import { containersOf, IDS, LEAST, objectsOf, podsOf } from "./samples";

const CONTROLLER = "ts-exc-teraslice-job-name-7ba9afb0-417a";
const WORKERS = "ts-wkr-teraslice-job-name-7ba9afb0-417a";

const labels = (component: string): object => ({
  "app.kubernetes.io/name": "teraslice",
  "app.kubernetes.io/component": component,
  "app.kubernetes.io/instance": "teracluster",
  "teraslice.terascope.io/exId": IDS.exId,
  "teraslice.terascope.io/jobId": IDS.jobId,
  "teraslice.terascope.io/jobName": "teraslice-job-name",
});
const relocatable = { "job.teraslice.terascope.io/relocatable": "false" };

const pod = {
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 10001,
    runAsGroup: 10001,
    fsGroup: 10001,
    fsGroupChangePolicy: "OnRootMismatch",
    seccompProfile: { type: "RuntimeDefault" },
  },
  terminationGracePeriodSeconds: 60,
  volumes: [
    {
      name: "config",
      configMap: { name: "teracluster-worker", items: [{ key: "teraslice.yaml", path: "teraslice.yaml" }] },
    },
    { name: "assets", emptyDir: {} },
  ],
};
const container = {
  image: "teraslice:k8sdev",
  ports: [{ containerPort: 45680 }],
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 10001,
  },
  volumeMounts: [
    { name: "config", mountPath: "/app/config" },
    { name: "assets", mountPath: "/app/assets" },
  ],
};
const variables = (role: string, ...more: object[]): object[] => [
  { name: "NODE_TYPE", value: role },
  { name: "EX", value: EXECUTION },
  { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
  ...more,
];
const owner = {
  apiVersion: "batch/v1",
  kind: "Job",
  name: CONTROLLER,
  uid: UID,
  controller: false,
  blockOwnerDeletion: false,
};

describe("the footprint of a Teraslice job", () => {
  it("has a Job for the execution controller", () => {
    assert.deepEqual(objectsOf().controller, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: CONTROLLER,
        namespace: "default",
        labels: { ...labels("execution_controller"), ...relocatable },
      },
      spec: {
        template: {
          metadata: { labels: { ...labels("execution_controller"), ...relocatable } },
          spec: {
            ...pod,
            restartPolicy: "Never",
            containers: [
              {
                ...container,
                name: CONTROLLER,
                env: variables("execution_controller", { name: "NODE_OPTIONS", value: "--max-old-space-size=439" }),
                readinessProbe: {
                  httpGet: { path: "/health", port: 45680 },
                  initialDelaySeconds: 3,
                  periodSeconds: 10,
                  timeoutSeconds: 1,
                  successThreshold: 1,
                  failureThreshold: 3,
                },
                resources: {
                  requests: { cpu: 0.5, memory: 512000000 },
                  limits: { cpu: 0.5, memory: 512000000 },
                },
              },
            ],
          },
        },
      },
    });
  });

  it("has a Service for the execution controller, which the Job owns", () => {
    assert.deepEqual(objectsOf().service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: `svc-${CONTROLLER}`,
        namespace: "default",
        labels: {
          "app.kubernetes.io/name": "teraslice",
          "app.kubernetes.io/component": "execution_controller",
          "teraslice.terascope.io/exId": IDS.exId,
          "teraslice.terascope.io/jobId": IDS.jobId,
        },
        ownerReferences: [owner],
      },
      spec: {
        selector: {
          "app.kubernetes.io/component": "execution_controller",
          "teraslice.terascope.io/exId": IDS.exId,
        },
        ports: [{ port: 45680, targetPort: 45680 }],
      },
    });
  });

  it("has a Deployment of workers without default resources, which the Job owns", () => {
    assert.deepEqual(objectsOf().workers, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: WORKERS, namespace: "default", labels: labels("worker"), ownerReferences: [owner] },
      spec: {
        replicas: 2,
        selector: {
          matchLabels: {
            "app.kubernetes.io/name": "teraslice",
            "app.kubernetes.io/component": "worker",
            "teraslice.terascope.io/exId": IDS.exId,
          },
        },
        template: {
          metadata: { labels: labels("worker") },
          spec: { ...pod, containers: [{ ...container, name: WORKERS, env: variables("worker") }] },
        },
      },
    });
  });

  it("has the namespace, cluster name, image and ConfigMap of the master", () => {
    const settings = {
      name: "ts-dev1",
      kubernetes_namespace: "ts",
      kubernetes_image: "example/teraslice:1",
      kubernetes_config_map_name: "mine",
      shutdown_timeout: 30_400,
    };
    const { controller, service, workers } = objectsOf({}, settings);
    for (const each of [controller, service, workers]) assert.equal(each.metadata.namespace, "ts");
    for (const each of [controller, workers]) {
      assert.equal(each.metadata.labels["app.kubernetes.io/instance"], "ts-dev1");
      const { containers, volumes, terminationGracePeriodSeconds } = each.spec.template.spec;
      assert.equal(containers[0].image, "example/teraslice:1");
      assert.equal(volumes[0].configMap.name, "mine");
      assert.equal(terminationGracePeriodSeconds, 30);
    }
  });

  it("has the job's image rather than the cluster's", () => {
    for (const { image } of containersOf({ kubernetes_image: "example/mine:2" })) assert.equal(image, "example/mine:2");
  });

  it("has five workers and the master's default name if the job sets neither", () => {
    const { workers } = footprint({ operations: [] }, settingsOf(), IDS) as Planned;
    assert.equal(workers.spec.replicas, 5);
    assert.equal(workers.metadata.name, "ts-wkr-custom-job-7ba9afb0-417a");
  });

  it("puts labels of the job on objects and pods, but not on the Service", () => {
    const { controller, service, workers } = objectsOf({ labels: { "key 1": "value 1", key2: "value2" } });
    const expected = {
      "job.teraslice.terascope.io/key-1": "value-1",
      "job.teraslice.terascope.io/key2": "value2",
    };
    for (const each of [controller, workers]) {
      for (const one of [each.metadata.labels, each.spec.template.metadata.labels]) {
        assert.deepEqual({ ...one, ...expected }, one);
      }
    }
    assert.ok(!JSON.stringify(service).includes("job.teraslice.terascope.io"));
  });

  it("overrides the environment of the cluster with the job's, including NODE_OPTIONS", () => {
    const job = { memory: 1073741824, env_vars: { B: "job", NODE_OPTIONS: "--trace" } };
    const [, { env }] = containersOf(job, { env_vars: { A: "cluster", B: "cluster" } });
    assert.deepEqual(
      env,
      variables(
        "worker",
        { name: "NODE_OPTIONS", value: "--trace" },
        { name: "A", value: "cluster" },
        { name: "B", value: "job" },
      ),
    );
  });

  it("mounts claims of the job in both kinds of pods, after the configuration", () => {
    const job = { volumes: [{ name: "teraslice-data1", path: "/data" }] };
    for (const { volumes, containers } of podsOf(job)) {
      assert.deepEqual(
        volumes.map((each: Planned) => each.name),
        ["config", "teraslice-data1", "assets"],
      );
      assert.deepEqual(volumes[1].persistentVolumeClaim, { claimName: "teraslice-data1" });
      assert.deepEqual(containers[0].volumeMounts[1], { name: "teraslice-data1", mountPath: "/data" });
    }
  });

  it("mounts the assets claim, or an empty volume, in both kinds of pods", () => {
    for (const { volumes, containers } of podsOf({}, { assets_volume: "shared", assets_directory: "/assets" })) {
      assert.deepEqual(volumes[1], { name: "shared", persistentVolumeClaim: { claimName: "shared" } });
      assert.deepEqual(containers[0].volumeMounts[1], { name: "shared", mountPath: "/assets" });
    }
    for (const { volumes } of podsOf()) assert.deepEqual(volumes[1], { name: "assets", emptyDir: {} });
  });

  it("has an empty volume at /ephemeral0 if the job requests it", () => {
    for (const { volumes, containers } of podsOf({ ephemeral_storage: true })) {
      assert.deepEqual(volumes.at(-1), { name: "ephemeral-volume", emptyDir: {} });
      assert.deepEqual(containers[0].volumeMounts.at(-1), { name: "ephemeral-volume", mountPath: "/ephemeral0" });
    }
    assert.equal(podsOf({ ephemeral_storage: false })[0].volumes.length, 2);
  });

  it("has external ports on both kinds of pods, but not on the Service", () => {
    const ports = [{ containerPort: 45680 }, { containerPort: 8080 }, { name: "http", containerPort: 9000 }];
    const job = { external_ports: [8080, { name: "http", port: 9000 }] };
    for (const each of containersOf(job)) assert.deepEqual(each.ports, ports);
    assert.equal(objectsOf(job).service.spec.ports.length, 1);
  });

  it("has one metrics port if the job, or else the cluster, enables metrics", () => {
    const metrics = { terafoundation: { connectors: CONNECTORS, prom_metrics_enabled: true } };
    const portsOf = (job: object, more: object = metrics): unknown => containersOf(job, {}, more)[1].ports.slice(1);
    assert.deepEqual(portsOf({}), [{ name: "metrics", containerPort: 3333 }]);
    assert.deepEqual(portsOf({ prom_metrics_port: 3334 }), [{ name: "metrics", containerPort: 3334 }]);
    assert.deepEqual(portsOf({ external_ports: [3333] }), [{ containerPort: 3333 }]);
    assert.deepEqual(portsOf({ prom_metrics_enabled: false }), []);
    assert.deepEqual(portsOf({ prom_metrics_enabled: true }, {}), [{ name: "metrics", containerPort: 3333 }]);
    assert.deepEqual(portsOf({}, {}), []);
  });

  it("has the pull secret, if any, on both kinds of pods", () => {
    for (const each of podsOf({}, { kubernetes_image_pull_secret: "registry" })) {
      assert.deepEqual(each.imagePullSecrets, [{ name: "registry" }]);
    }
    for (const each of podsOf()) assert.ok(!("imagePullSecrets" in each));
  });

  it("gives the priority class to the execution controller and to stateful workers", () => {
    const prior = { kubernetes_priority_class_name: "high" };
    const classes = (job: object, settings: object = prior): unknown =>
      podsOf(job, settings).map((each: Planned) => each.priorityClassName ?? "none");
    assert.deepEqual(classes({}), ["high", "none"]);
    assert.deepEqual(classes({ stateful: true }), ["high", "high"]);
    assert.deepEqual(classes({ stateful: true }, {}), ["none", "none"]);
    const stateful = (settings: object): unknown[] => {
      const { controller, workers } = objectsOf({ stateful: true }, settings);
      return [controller, workers].map(
        (each) => each.spec.template.metadata.labels["job-property.teraslice.terascope.io/stateful"],
      );
    };
    assert.deepEqual(stateful(prior), ["true", "true"]);
    assert.deepEqual(stateful({}), [undefined, undefined]);
  });

  it("applies the override to both kinds of pods last, with lists by position", () => {
    const override = {
      hostAliases: [{ ip: "10.0.0.1" }],
      containers: [{ imagePullPolicy: "Always" }],
      terminationGracePeriodSeconds: 5,
    };
    for (const each of podsOf({ pod_spec_override: override }, { kubernetes_overrides_enabled: true })) {
      assert.deepEqual(each.hostAliases, [{ ip: "10.0.0.1" }]);
      assert.equal(each.containers.length, 1);
      assert.deepEqual([each.containers[0].imagePullPolicy, each.containers[0].image], ["Always", "teraslice:k8sdev"]);
      assert.equal(each.terminationGracePeriodSeconds, 5);
    }
    for (const each of podsOf({ pod_spec_override: override })) assert.ok(!("hostAliases" in each));
  });

  it("has the config file with secrets, and all pull secrets, on both kinds of pods", () => {
    const settings = settingsOf({ imagePullSecrets: ["one", "two"] }, {}, SECRETIVE);
    const { controller, workers } = footprint(LEAST, settings, IDS) as Planned;
    for (const each of [controller, workers]) {
      const { volumes, initContainers, imagePullSecrets } = each.spec.template.spec;
      assert.deepEqual(volumes[0], { name: "config", emptyDir: { medium: "Memory" } });
      assert.equal(initContainers[0].name, "write-config");
      assert.deepEqual(imagePullSecrets, [{ name: "one" }, { name: "two" }]);
    }
  });

  it("is the same for the job and for the submitted job", () => {
    const settings = settingsOf({ imagePullSecrets: ["one", "two"] }, {}, SECRETIVE);
    const job = { ...LEAST, __metadata: {}, pod_spec_override: { initContainers: [{ name: "a", image: "b" }] } };
    assert.deepEqual(footprint(submitted(job, settings), settings, IDS), footprint(job, settings, IDS));
  });

  it("shows no values of operations", () => {
    const job = { operations: [{ _op: "reader", password: "hunter2" }, { _op: "noop" }] };
    assert.doesNotMatch(JSON.stringify(objectsOf(job)), /hunter/);
  });
});
