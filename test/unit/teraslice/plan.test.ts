/* eslint-disable @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-return --
   planned objects are of any shape */
import assert from "node:assert/strict";
import { load } from "js-yaml";
import { endpointOf, networkPolicies } from "../../../components/teraslice/cluster/networkPolicy";
import { masterAccount, rbacWarning } from "../../../components/teraslice/cluster/rbac";
import { decode } from "../config/fixtures";
import { CONNECTORS, objectsOf, only, settingsOf, SECRETIVE, withTeraslice, type Planned } from "./samples";

const pod = (objects: readonly Planned[]): Planned => only(objects, "Deployment").spec.template;
const file = (objects: readonly Planned[], name: string): Planned =>
  load(only(objects, "ConfigMap", name).data["teraslice.yaml"] as string);

describe("the objects of a Teraslice cluster", () => {
  it("are ordered with dependencies first", () => {
    const objects = objectsOf({ createNamespace: true, assetsClaim: { sizeGb: 20 } }, { kubernetes_namespace: "ts" });
    assert.deepEqual(
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
      [
        "Namespace ts",
        "ServiceAccount teracluster-master",
        "Role teraslice-master-role-teracluster",
        "RoleBinding teraslice-master-teracluster",
        "ConfigMap teracluster-master",
        "ConfigMap teracluster-worker",
        "PersistentVolumeClaim teracluster-assets",
        "NetworkPolicy teracluster-master",
        "NetworkPolicy teracluster-jobs",
        "Service teracluster-master",
        "Deployment teracluster-master",
      ],
    );
    for (const { kind, metadata } of objects.slice(1)) assert.equal(metadata.namespace, "ts", kind);
    assert.ok(!objectsOf().some(({ kind }) => ["Namespace", "PersistentVolumeClaim"].includes(kind)));
  });

  it("give the master only the rights that it needs", () => {
    const { rules } = only(objectsOf(), "Role");
    assert.deepEqual(
      rules.map((rule: Planned) => [rule.apiGroups, rule.resources, rule.verbs]),
      [
        [[""], ["services"], ["list", "create", "delete"]],
        [[""], ["pods"], ["list", "delete"]],
        [["apps"], ["deployments"], ["list", "create", "patch", "delete"]],
        [["apps"], ["replicasets"], ["list", "delete"]],
        [["batch"], ["jobs"], ["list", "create", "delete"]],
      ],
    );
    const { subjects, roleRef } = only(objectsOf(), "RoleBinding");
    assert.deepEqual(subjects, [{ kind: "ServiceAccount", name: "teracluster-master", namespace: "default" }]);
    assert.equal(roleRef.name, "teraslice-master-role-teracluster");
    assert.equal(pod(objectsOf()).spec.serviceAccountName, "teracluster-master");
    assert.equal(rbacWarning(settingsOf()), undefined);
  });

  it("include the original role and binding if requested, with a warning", () => {
    const args = [{ rbac: "original" }, { kubernetes_namespace: "ts-dev1" }] as const;
    const objects = objectsOf(...args);
    const role = only(objects, "Role");
    assert.deepEqual(role.metadata, { name: "teraslice-all-ts-dev1", namespace: "ts-dev1" });
    assert.deepEqual(role.rules, [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]);
    const { metadata, subjects, roleRef } = only(objects, "RoleBinding");
    assert.deepEqual(metadata, role.metadata);
    assert.deepEqual(subjects, [{ kind: "ServiceAccount", name: "default", namespace: "ts-dev1" }]);
    assert.deepEqual(roleRef, { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "teraslice-all-ts-dev1" });
    assert.ok(!objects.some(({ kind }) => kind === "ServiceAccount"));
    assert.equal(masterAccount(settingsOf(...args)), "default");
    assert.match(rbacWarning(settingsOf(...args)) ?? "", /rbac is original, which is broad: every pod .* ts-dev1/);
  });

  it("configure master and jobs equally, except for the master flag", () => {
    const objects = objectsOf({}, { name: "acme", cpu: 1 });
    const master = file(objects, "acme-master");
    const worker = file(objects, "acme-worker");
    assert.deepEqual([master.teraslice.master, worker.teraslice.master], [true, false]);
    for (const { teraslice, terafoundation } of [master, worker]) {
      assert.equal(teraslice.master_hostname, only(objects, "Service").metadata.name);
      assert.equal(teraslice.kubernetes_config_map_name, "acme-worker");
      assert.equal(teraslice.cpu, 1);
      assert.deepEqual(terafoundation.connectors["elasticsearch-next"].default.node, [
        "http://opensearch.search.svc:9200",
      ]);
    }
  });

  it("include one hardened master with probes and resources", () => {
    const { replicas, strategy, template } = only(objectsOf(), "Deployment").spec;
    assert.deepEqual([replicas, strategy], [1, { type: "Recreate" }]);
    const [container] = template.spec.containers;
    assert.equal(template.spec.securityContext.runAsNonRoot, true);
    assert.deepEqual(template.spec.securityContext.seccompProfile, { type: "RuntimeDefault" });
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 10001,
    });
    assert.deepEqual(container.resources, { requests: { cpu: "0.5", memory: "2048Mi" }, limits: { memory: "2048Mi" } });
    for (const probe of ["startupProbe", "readinessProbe", "livenessProbe"]) {
      assert.deepEqual(container[probe].httpGet, { path: "/", port: "api" }, probe);
    }
    assert.equal(template.spec.terminationGracePeriodSeconds, 60);
  });

  it("apply the configured fields of the master's pod", () => {
    const tolerations = [{ key: "dedicated", operator: "Exists" }];
    const master = { cpu: 2, memoryMb: 1000, nodeSelector: { a: "b" }, tolerations, evictable: true };
    const objects = objectsOf(
      { master, imagePullSecrets: ["one", "two"] },
      { kubernetes_priority_class_name: "high", shutdown_timeout: 1500 },
    );
    const { spec } = pod(objects);
    assert.deepEqual([spec.nodeSelector, spec.tolerations, spec.priorityClassName], [{ a: "b" }, tolerations, "high"]);
    assert.deepEqual(spec.imagePullSecrets, [{ name: "one" }, { name: "two" }]);
    assert.equal(spec.terminationGracePeriodSeconds, 2);
  });

  it("keep the autoscaler from evicting the master, but allow a drain", () => {
    const key = "cluster-autoscaler.kubernetes.io/safe-to-evict";
    const evictable = { cpu: 1, memoryMb: 1000, evictable: true };
    assert.equal(pod(objectsOf()).metadata.annotations[key], "false");
    assert.equal(pod(objectsOf({ master: evictable })).metadata.annotations[key], undefined);
    assert.ok(!objectsOf().some(({ kind }) => kind === "PodDisruptionBudget"));
  });

  it("serve the API with the configured Service", () => {
    const ports = (service: object): Planned => only(objectsOf({ service }, { port: 80 }), "Service").spec;
    assert.deepEqual(ports({}).ports, [{ name: "api", port: 80, targetPort: "api" }]);
    assert.equal(ports({ type: "NodePort", nodePort: 30678 }).ports[0].nodePort, 30678);
    assert.equal(pod(objectsOf({}, { port: 80 })).spec.containers[0].ports[0].containerPort, 80);
    const selector = only(objectsOf(), "Service").spec.selector;
    assert.deepEqual(selector, pod(objectsOf()).metadata.labels);
  });

  it("mount the assets claim, or an empty volume, in the assets directory", () => {
    const mounted = (objects: readonly Planned[]): Planned => {
      const { containers, volumes } = pod(objects).spec;
      const { name } = containers[0].volumeMounts.find((each: Planned) => each.mountPath === "/srv/assets");
      return volumes.find((each: Planned) => each.name === name);
    };
    const directory = { assets_directory: "/srv/assets" };
    const existing = mounted(objectsOf({}, { ...directory, assets_volume: "shared" }));
    assert.deepEqual(existing.persistentVolumeClaim, { claimName: "shared" });
    assert.deepEqual(mounted(objectsOf({}, directory)).emptyDir, {});
    const claim = { sizeGb: 5, accessMode: "ReadWriteOnce", storageClass: "fast" };
    const objects = objectsOf({ assetsClaim: claim }, directory);
    assert.deepEqual(only(objects, "PersistentVolumeClaim").spec, {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "fast",
      resources: { requests: { storage: "5Gi" } },
    });
    assert.deepEqual(mounted(objects).persistentVolumeClaim, { claimName: "teracluster-assets" });
  });

  it("avoid known problems of the official chart", () => {
    const before = objectsOf({}, { name: "acme" });
    const { labels, annotations } = pod(before).metadata;
    // Without these a master is missing from its own state.
    assert.equal(labels["app.kubernetes.io/name"], "teraslice");
    assert.equal(labels["app.kubernetes.io/instance"], "acme");
    assert.equal(file(before, "acme-master").teraslice.name, "acme");
    assert.equal(file(before, "acme-master").teraslice.cluster_manager_type, "kubernetesV2");
    // A changed file is read by a new pod, whichever of the two changed.
    const checksums = Object.keys(annotations).filter((key) => key.startsWith("checksum/"));
    assert.deepEqual(checksums, ["checksum/config-master", "checksum/config-worker"]);
    const after = pod(objectsOf({}, { name: "acme", env_vars: { A: "b" } })).metadata.annotations;
    assert.notEqual(after["checksum/config-master"], annotations["checksum/config-master"]);
    assert.notEqual(after["checksum/config-worker"], annotations["checksum/config-worker"]);
    // Pull secrets reach the pods of jobs.
    const pulling = objectsOf({ imagePullSecrets: ["one"] }, { name: "acme" });
    assert.equal(file(pulling, "acme-master").teraslice.kubernetes_image_pull_secret, "one");
    // The class is taken by name, and never made besides.
    const first = objectsOf({}, { kubernetes_priority_class_name: "high" });
    assert.ok(!first.some(({ kind }) => kind === "PriorityClass"));
    assert.equal(pod(first).spec.priorityClassName, "high");
    assert.ok(!JSON.stringify(before).includes("hostPath"));
  });
});

describe("network policies of a Teraslice cluster", () => {
  const policies = (more: object = {}, connectors?: object): Planned[] =>
    objectsOf(more, { kubernetes_namespace: "ts" }, connectors).filter(({ kind }) => kind === "NetworkPolicy");
  const of = (name: string, ...args: Parameters<typeof policies>): Planned =>
    only(policies(...args), "NetworkPolicy", `teracluster-${name}`).spec;

  it("select the master and the pods of its jobs", () => {
    const instance = { "app.kubernetes.io/name": "teraslice", "app.kubernetes.io/instance": "teracluster" };
    assert.deepEqual(of("master").podSelector, {
      matchLabels: { ...instance, "app.kubernetes.io/component": "master" },
    });
    assert.deepEqual(of("jobs").podSelector.matchLabels, instance);
    assert.deepEqual(of("jobs").podSelector.matchExpressions[0].values, ["worker", "execution_controller"]);
    for (const name of ["master", "jobs"]) assert.deepEqual(of(name).policyTypes, ["Ingress", "Egress"]);
  });

  it("allow only pods of the cluster to reach jobs, and only on the slicer's port", () => {
    const [rule, ...more] = of("jobs").ingress;
    assert.equal(more.length, 0);
    assert.equal(rule.from[0].podSelector.matchLabels["app.kubernetes.io/instance"], "teracluster");
    assert.deepEqual(rule.ports, [{ protocol: "TCP", port: 45680 }]);
  });

  it("allow egress to DNS, the cluster and connectors, and to the API server for the master", () => {
    const connectors = {
      "elasticsearch-next": { default: { node: ["http://opensearch.search.svc:9200", "https://10.1.2.3"] } },
      kafka: { events: { brokers: ["broker.example.com:9093"] } },
      s3: { lake: { ...SECRETIVE.s3.lake, endpoint: "minio:9000", sslEnabled: false } },
    };
    const search = { to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "search" } } }] };
    const { egress } = of("jobs", {}, connectors);
    assert.deepEqual(
      egress[0].ports.map(({ port }: Planned) => port),
      [53, 53],
    );
    assert.deepEqual(Object.keys(egress[1].to[0]), ["podSelector"]);
    assert.deepEqual(egress.slice(2), [
      search,
      { to: [{ ipBlock: { cidr: "10.1.2.3/32" } }], ports: [{ protocol: "TCP", port: 443 }] },
      { to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ts" } } }] },
      {
        to: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }],
        ports: [{ protocol: "TCP", port: 9093 }],
      },
    ]);
    const master = of("master", { networkPolicy: { apiServerCidrs: ["10.0.0.1/32"] } }, connectors).egress;
    assert.deepEqual(master[1].to, [{ ipBlock: { cidr: "10.0.0.1/32" } }]);
    assert.equal(master.length, egress.length + 1);
  });

  it("allow configured clients and egress, and are absent if disabled", () => {
    const networkPolicy = {
      clientNamespaces: ["tools"],
      clientCidrs: ["10.0.0.0/8"],
      egress: [{ cidr: "10.9.0.0/16", ports: [443] }],
    };
    const [clients] = of("master", { networkPolicy }).ingress;
    assert.equal(clients.from.length, 3);
    assert.deepEqual(clients.ports, [{ protocol: "TCP", port: 5678 }]);
    assert.deepEqual(of("jobs", { networkPolicy }).egress.at(-1).to, [{ ipBlock: { cidr: "10.9.0.0/16" } }]);
    assert.deepEqual(policies({ networkPolicy: { enabled: false } }), []);
    const metrics = { connectors: SECRETIVE, prom_metrics_enabled: true };
    assert.deepEqual(of("jobs", { terafoundation: metrics }).ingress.at(-1), {
      ports: [{ protocol: "TCP", port: 3333 }],
    });
  });

  it("open the external ports of a job only on the pods of that job", () => {
    const operations = [{ _op: "reader" }, { _op: "noop" }];
    const ports = { external_ports: [8080, { name: "web", port: 8081 }], prom_metrics_enabled: true };
    const jobs = {
      quiet: { job: { name: "quiet", workers: 1, operations } },
      open: { job: { name: "Open Job", workers: 1, operations, ...ports } },
    };
    const names = (more: object): Planned[] => {
      const config = decode(withTeraslice({ jobs, ...more }, { kubernetes_namespace: "ts" })).teraslice;
      assert.ok(config);
      return networkPolicies(config, config.jobs) as Planned[];
    };
    const [opened, ...others] = names({}).slice(2);
    assert.deepEqual([opened.metadata.name, others], ["teracluster-job-open", []]);
    const { podSelector, policyTypes, ingress } = opened.spec;
    assert.equal(podSelector.matchLabels["teraslice.terascope.io/jobName"], "open-job");
    assert.deepEqual(policyTypes, ["Ingress"]);
    assert.deepEqual(ingress, [{ ports: [8080, 8081, 3333].map((port) => ({ protocol: "TCP", port })) }]);
    // Where all pods serve metrics there is a rule for them already.
    const metrics = { terafoundation: { connectors: CONNECTORS, prom_metrics_enabled: true } };
    const [rule] = names(metrics).find(({ metadata }) => metadata.name === "teracluster-job-open").spec.ingress;
    assert.deepEqual(
      rule.ports.map(({ port }: Planned) => port),
      [8080, 8081],
    );
    assert.deepEqual(names({ networkPolicy: { enabled: false } }), []);
  });

  it("parse the endpoints of connections", () => {
    assert.deepEqual(endpointOf("https://a.example/x", 1), { host: "a.example", port: 443 });
    assert.deepEqual(endpointOf("http://[fd00::1]:9200", 1), { host: "fd00::1", port: 9200 });
    assert.deepEqual(endpointOf("a.example", 9092), { host: "a.example", port: 9092 });
  });
});
