/* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return --
   manifests are looked at as they are */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { planTeraslice } from "../../../components/teraslice/cluster/plan";
import { footprint } from "../../../components/teraslice/job/footprint/footprint";
import { submitted } from "../../../components/teraslice/job/settings";
import { decode } from "../config/fixtures";
import { CONNECTORS, fault, objectsOf, only, settingsOf, type Planned, withTeraslice, SECRETIVE } from "./samples";

const JOB = { name: "events", lifecycle: "once", workers: 1, operations: [{ _op: "a" }, { _op: "b" }] };
const NAMED = { name: "acme", kubernetes_namespace: "ts" };
const METRICS = { prom_metrics_enabled: true };
/** Settings where terafoundation has other values. */
const foundationSettings = (more: object, terafoundation: object = METRICS) => {
  const values = withTeraslice();
  const teraslice = { settings: NAMED, terafoundation: { connectors: CONNECTORS, ...terafoundation }, ...more };
  const config = decode({ ...values, teraslice }).teraslice;
  assert.ok(config);
  return config;
};

describe("the optional objects of a Teraslice master", () => {
  it("do not exist without config", () => {
    const kinds = objectsOf({}, NAMED).map(({ kind }) => kind as string);
    const asked = ["Ingress", "HTTPRoute", "ServiceMonitor", "PodMonitor", "PrometheusRule", "PriorityClass"];
    assert.deepEqual(
      asked.filter((kind) => kinds.includes(kind)),
      [],
    );
    assert.equal(kinds.filter((kind) => kind === "ServiceAccount").length, 1);
  });

  it("include an Ingress to the API", () => {
    const ingress = {
      className: "nginx",
      annotations: { "cert-manager.io/cluster-issuer": "main" },
      hosts: [{ host: "teraslice.example.com" }],
      tls: [{ secretName: "teraslice-tls" }],
    };
    const made = only(objectsOf({ ingress }, { ...NAMED, port: 8000 }), "Ingress");
    assert.equal(made.metadata.name, "acme-master");
    assert.deepEqual(made.metadata.annotations, ingress.annotations);
    const backend = { service: { name: "acme-master", port: { number: 8000 } } };
    assert.deepEqual(made.spec, {
      ingressClassName: "nginx",
      tls: [{ secretName: "teraslice-tls", hosts: ["teraslice.example.com"] }],
      rules: [{ host: "teraslice.example.com", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    });
    fault(/ingress\.hosts: found an empty list; expected at least one host/, { ingress: { hosts: [] } });
    fault(/ingress\.hosts\[0\]\.host: found "https:\/\/a"; expected a host/, {
      ingress: { hosts: [{ host: "https://a" }] },
    });
  });

  it("cause a warning if the network policy blocks the Ingress controller", () => {
    const ingress = { hosts: [{ host: "a.example.com" }] };
    assert.match(settingsOf({ ingress }).warnings.join(), /teraslice\.ingress: found a way .* that the network policy/);
    assert.deepEqual(settingsOf({ ingress, networkPolicy: { clientNamespaces: ["ingress-nginx"] } }).warnings, []);
    assert.deepEqual(settingsOf({ ingress, networkPolicy: { enabled: false } }).warnings, []);
  });

  it("include an HTTPRoute whose rules all lead to the master", () => {
    const parentRefs = [{ name: "gateway", sectionName: "http" }];
    const route = (more = {}) => only(objectsOf({ httpRoute: { parentRefs, ...more } }, NAMED), "HTTPRoute").spec;
    const backendRefs = [{ name: "acme-master", port: 5678 }];
    assert.deepEqual(route(), { parentRefs, rules: [{ backendRefs }] });
    const rules = [{ matches: [{ path: { type: "PathPrefix", value: "/v1" } }], timeouts: { request: "600s" } }];
    assert.deepEqual(route({ hostnames: ["a.example.com"], rules }), {
      parentRefs,
      hostnames: ["a.example.com"],
      rules: [{ ...rules[0], backendRefs }],
    });
  });

  it("include Prometheus monitors of the master and of jobs", () => {
    const settings = foundationSettings({
      serviceMonitor: { labels: { prometheus: "main" }, interval: "30s", relabelings: [{ action: "labeldrop" }] },
      podMonitor: { matchLabels: { "job.teraslice.terascope.io/scrape": "true" } },
      prometheusRule: { rules: [{ alert: "Down", expr: "up == 0", for: "5m" }] },
    });
    const objects = planTeraslice(settings) as Planned[];
    const service = only(objects, "ServiceMonitor");
    assert.equal(service.metadata.labels.prometheus, "main");
    const endpoint = { port: "metrics", path: "/metrics", interval: "30s", relabelings: [{ action: "labeldrop" }] };
    assert.deepEqual(service.spec.endpoints, [endpoint]);
    const api = only(objects, "Service");
    assert.deepEqual(service.spec.selector.matchLabels, api.metadata.labels);
    assert.deepEqual(api.spec.ports[1], { name: "metrics", port: 3333, targetPort: "metrics" });
    const pods = only(objects, "PodMonitor").spec;
    // Labels that pods of jobs really have, and a port that they really have.
    const { workers }: Planned = footprint({ ...JOB, labels: { scrape: "true" } }, settings, {
      jobId: "1",
      exId: "2",
    });
    const { metadata, spec } = workers.spec.template;
    for (const [key, value] of Object.entries(pods.selector.matchLabels))
      assert.equal(metadata.labels[key], value, key);
    assert.ok(spec.containers[0].ports.some(({ name }: { name: string }) => name === pods.podMetricsEndpoints[0].port));
    assert.deepEqual(only(objects, "PrometheusRule").spec.groups, [
      { name: "acme-master", rules: [{ alert: "Down", expr: "up == 0", for: "5m" }] },
    ]);
    fault(/teraslice\.serviceMonitor: found an empty object; expected none, because the master serves no metrics/, {
      serviceMonitor: {},
    });
    fault(/prometheusRule\.rules: found an empty list; expected at least one rule/, { prometheusRule: { rules: [] } });
  });

  it("include a PriorityClass", () => {
    const objects = objectsOf({ priorityClass: { value: 1000 } }, NAMED);
    const made = only(objects, "PriorityClass");
    assert.deepEqual([made.metadata, made.value, made.preemptionPolicy], [{ name: "teraslice-acme" }, 1000, "Never"]);
    assert.equal(only(objects, "Deployment").spec.template.spec.priorityClassName, "teraslice-acme");
    assert.match(
      only(objects, "ConfigMap", "acme-master").data["teraslice.yaml"],
      /priority_class_name: teraslice-acme/,
    );
    fault(
      /priorityClass: found an empty object; expected none, because settings\.kubernetes_priority_class_name/,
      { priorityClass: {} },
      {
        kubernetes_priority_class_name: "high",
      },
    );
  });
});

describe("the pod of a Teraslice master", () => {
  const master = {
    cpuLimit: 2,
    affinity: { nodeAffinity: {} },
    env: { LOG: "json", TOKEN: { valueFrom: { secretKeyRef: { name: "s", key: "k" } } } },
    envFrom: [{ secretRef: { name: "more" } }],
    volumes: [{ name: "extras", emptyDir: {} }],
    volumeMounts: [{ name: "extras", mountPath: "/extras", readOnly: true }],
    initContainers: [{ name: "first", image: "busybox:1.36" }],
    containers: [{ name: "logs", image: "fluent/fluent-bit:3.2.4" }],
    labels: { team: "data" },
    annotations: { note: "x" },
    serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/a" } },
  };

  it("has the fields of the config after its own fields", () => {
    const objects = objectsOf({ master }, NAMED, SECRETIVE);
    const { metadata, spec } = only(objects, "Deployment").spec.template;
    assert.equal(metadata.labels.team, "data");
    assert.equal(metadata.annotations.note, "x");
    assert.equal(metadata.labels["app.kubernetes.io/component"], "master");
    assert.deepEqual(spec.affinity, master.affinity);
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    assert.deepEqual(names(spec.initContainers), ["write-config", "first"]);
    assert.deepEqual(names(spec.containers), ["teraslice-master", "logs"]);
    assert.deepEqual(names(spec.volumes), ["config", "assets", "logs", "tmp", "extras"]);
    const [container] = spec.containers;
    assert.deepEqual(names(container.env), ["NODE_OPTIONS", "LOG", "TOKEN"]);
    assert.deepEqual(container.envFrom, master.envFrom);
    assert.equal(container.resources.limits.cpu, "2");
    assert.deepEqual(container.volumeMounts.at(-1), master.volumeMounts[0]);
    assert.deepEqual(only(objects, "ServiceAccount").metadata.annotations, master.serviceAccount.annotations);
  });

  it("accepts NODE_OPTIONS from the config", () => {
    const own = only(objectsOf({ master: { env: { NODE_OPTIONS: "--max-old-space-size=1" } } }), "Deployment");
    assert.deepEqual(own.spec.template.spec.containers[0].env, [
      { name: "NODE_OPTIONS", value: "--max-old-space-size=1" },
    ]);
  });

  it("rejects existing names and paths, and missing volumes", () => {
    const wrong = (expected: RegExp, more: object) => fault(expected, { master: more });
    wrong(/volumes\[0\]\.name: found "tmp"; expected another name, because the master has/, {
      volumes: [{ name: "tmp" }],
    });
    const twice = [{ name: "a" }, { name: "a" }];
    wrong(/volumes\[1\]\.name: found "a"; expected another name, because two/, { volumes: twice });
    const mounted = (name: string, mountPath: string) => ({
      volumes: [{ name: "a" }],
      volumeMounts: [{ name, mountPath }],
    });
    wrong(/volumeMounts\[0\]\.name: found "b"; expected one of the volumes a/, mounted("b", "/b"));
    wrong(/volumeMounts\[0\]\.mountPath: found "\/tmp\/"; expected another path/, mounted("a", "/tmp/"));
    wrong(/containers\[0\]\.name: .* the master has it/, { containers: [{ name: "teraslice-master", image: "a:1" }] });
    wrong(/labels\["app\.kubernetes\.io\/name"\]: .*found by this one/, { labels: { "app.kubernetes.io/name": "x" } });
    fault(/master\.serviceAccount: .*has no account of its own/, {
      rbac: "original",
      master: { serviceAccount: { annotations: { a: "b" } } },
    });
  });
});

describe("the pods of Teraslice jobs", () => {
  const worker = {
    envFrom: [{ secretRef: { name: "warehouse" } }],
    initContainers: [{ name: "logs", image: "fluent/fluent-bit:3.2.4", restartPolicy: "Always" }],
    serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/jobs" } },
  };

  it("get the worker config through their override", () => {
    const settings = settingsOf({ worker }, NAMED);
    assert.ok(settings.teraslice.kubernetes_overrides_enabled);
    const objects: Planned[] = Object.values(footprint(submitted(JOB, settings), settings, { jobId: "1", exId: "2" }));
    for (const { kind, spec } of objects.filter((each) => each.kind !== "Service")) {
      const pod = spec.template.spec;
      assert.equal(pod.serviceAccountName, "acme-jobs", kind);
      assert.equal(pod.containers.length, 1);
      assert.deepEqual(pod.containers[0].envFrom, worker.envFrom);
      assert.ok(pod.containers[0].image);
      assert.deepEqual(pod.initContainers, worker.initContainers);
    }
    const account = only(objectsOf({ worker }, NAMED), "ServiceAccount", "acme-jobs");
    assert.equal(account.automountServiceAccountToken, false);
    assert.deepEqual(account.metadata.annotations, worker.serviceAccount.annotations);
    assert.equal(settingsOf({}, NAMED).teraslice.kubernetes_overrides_enabled, false);
    fault(
      /kubernetes_overrides_enabled: found false; expected true, because there is something under worker/,
      { worker },
      {
        kubernetes_overrides_enabled: false,
      },
    );
    fault(/worker\.initContainers\[0\]\.name: .*which is ours/, {
      worker: { initContainers: [{ name: "write-config" }] },
    });
  });

  it("can have other settings than the master", () => {
    const own = {
      master: { settings: { workers: 0 }, terafoundation: { log_level: "debug" } },
      worker: { settings: { action_timeout: "10 minutes" }, terafoundation: { log_level: "warn" } },
    };
    const objects = objectsOf(own, NAMED);
    const file = (name: string) => load(only(objects, "ConfigMap", name).data["teraslice.yaml"]) as Planned;
    const [ofMaster, ofJobs] = [file("acme-master"), file("acme-worker")];
    assert.deepEqual([ofMaster.teraslice.workers, ofJobs.teraslice.workers], [0, undefined]);
    assert.deepEqual([ofMaster.teraslice.action_timeout, ofJobs.teraslice.action_timeout], [300_000, "10 minutes"]);
    assert.deepEqual([ofMaster.terafoundation.log_level, ofJobs.terafoundation.log_level], ["debug", "warn"]);
    assert.deepEqual([ofMaster.teraslice.master, ofJobs.teraslice.master], [true, false]);
  });

  it("must have the same shared settings as the master", () => {
    fault(/worker\.settings\.name: found "x"; expected none, because master and jobs share it; set settings\.name/, {
      worker: { settings: { name: "x" } },
    });
    fault(/master\.settings\.memory_execution_controller: .*share it/, {
      master: { settings: { memory_execution_controller: 1 } },
    });
    fault(/worker\.terafoundation\.connectors: .*share it/, { worker: { terafoundation: { connectors: {} } } });
    fault(/worker\.settings\.action_timeout: found "soon"; expected milliseconds/, {
      worker: { settings: { action_timeout: "soon" } },
    });
    const { warnings } = settingsOf({ worker: { terafoundation: { log_levl: "info" } } });
    assert.match(warnings.join(), /worker\.terafoundation\.log_levl: found an unknown key, .*did you mean log_level/);
  });
});
