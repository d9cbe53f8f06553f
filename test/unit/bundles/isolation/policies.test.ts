import assert from "node:assert/strict";
import type { BundleObject } from "../../../../bundles/format/format";
import type { KubeObject } from "../../../../kubernetes/objects/objects";
import { isolationOf } from "../../../../provider/resources/bundleRelease/wanted/isolation/policies";

type Json = Record<string, unknown>;

const found = (object: object, more: Partial<BundleObject> = {}): BundleObject => ({
  object: object as KubeObject,
  file: "manifests/10_app.yaml",
  wave: 10,
  ...more,
});
const workload = (name: string, containers: Json[], more: Json = {}, kind = "Deployment"): BundleObject => {
  const { selector, labels = { app: name }, metadata, annotations, ...spec } = more;
  const template = { metadata: { labels, annotations }, spec: { containers, ...spec } };
  return found({
    apiVersion: "apps/v1",
    kind,
    metadata: { name, ...(metadata as object) },
    spec: { selector: selector ?? { matchLabels: { app: name } }, template },
  });
};
const task = (name: string, labels: Json, containers: Json[]): BundleObject =>
  found({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { template: { metadata: { labels }, spec: { containers } } },
  });
const service = (spec: Json, metadata: Json = {}): BundleObject =>
  found({ apiVersion: "v1", kind: "Service", metadata: { name: "entry", ...metadata }, spec });
const listens = (...ports: (number | Json)[]): Json => ({
  name: "main",
  ports: ports.map((port) => (typeof port === "number" ? { containerPort: port } : port)),
});

const policies = (...objects: BundleObject[]) =>
  isolationOf(objects, "shop", "shop").map(({ object }) => ({
    name: object.metadata.name,
    ...(object["spec"] as {
      podSelector: Json;
      policyTypes: string[];
      ingress: [{ from: Json[] }, { ports: { protocol: string; port: number | string }[] }];
    }),
  }));
/** `TCP/80 UDP/53` of each policy. */
const ports = (...objects: BundleObject[]): string[] =>
  policies(...objects).map(({ ingress }) =>
    ingress[1].ports.map(({ protocol, port }) => `${protocol}/${port}`).join(" "),
  );

describe("NetworkPolicies that are derived from a bundle", () => {
  it("let the namespace reach everything, and everybody what is declared", () => {
    const [policy] = policies(workload("web", [listens(8080)]));
    assert.deepEqual(policy?.podSelector, { matchLabels: { app: "web" } });
    assert.deepEqual(policy.policyTypes, ["Ingress"], "egress stays open");
    assert.deepEqual(policy.ingress, [{ from: [{ podSelector: {} }] }, { ports: [{ protocol: "TCP", port: 8080 }] }]);
  });

  it("come before their workload, and need no approval", () => {
    const [policy] = isolationOf([workload("web", [listens(80)])], "shop", "shop");
    assert.equal(policy?.wave, 10);
    assert.equal(policy.isGenerated, true);
    assert.equal(policy.object.metadata.namespace, "shop");
  });

  it("have names of their own for each release and kind, legal for any name", () => {
    const long = "w".repeat(250);
    const names = policies(
      workload("web", [listens(80)]),
      workload("web", [listens(80)], {}, "StatefulSet"),
      workload(long, [listens(80)], { labels: { app: "x" }, selector: { matchLabels: { app: "x" } } }),
    ).map(({ name }) => name);
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /^shop-[a-z0-9-]{1,58}$/);
    const other = isolationOf([workload("web", [listens(80)])], "other", "shop")[0]?.object.metadata.name;
    assert.ok(!names.includes(other ?? ""), "a workload that moves to another release must not meet its old policy");
  });

  it("have ports of every protocol, of init containers, and each once in one order", () => {
    const dns = listens(8443, { containerPort: 53, protocol: "UDP" }, { containerPort: 53 });
    const diameter = { name: "more", ports: [{ containerPort: 3868, protocol: "SCTP" }, { containerPort: 53 }] };
    const sidecar = { name: "proxy", restartPolicy: "Always", ports: [{ containerPort: 15_000 }] };
    const expected = ["SCTP/3868 TCP/53 TCP/8443 TCP/15000 UDP/53"];
    assert.deepEqual(ports(workload("x", [dns, diameter], { initContainers: [sidecar] })), expected);
    assert.deepEqual(ports(workload("x", [diameter, dns], { initContainers: [sidecar] })), expected);
  });

  it("have target ports of Services by number, by name, and by the port itself", () => {
    const web = workload("web", [listens({ containerPort: 8080, name: "http" })]);
    const at = (...of: Json[]) => service({ selector: { app: "web" }, ports: of });
    assert.deepEqual(ports(web, at({ port: 80, targetPort: 9000 })), ["TCP/8080 TCP/9000"]);
    assert.deepEqual(ports(web, at({ port: 80, targetPort: "http" })), ["TCP/8080"]);
    assert.deepEqual(ports(web, at({ port: 443 }, { port: 53, protocol: "UDP" })), ["TCP/443 TCP/8080 UDP/53"]);
    assert.deepEqual(ports(web, at({ port: 80, targetPort: "injected" })), ["TCP/8080 TCP/injected"]);
  });

  it("have the ports of a headless Service, whose clients connect to pods themselves", () => {
    const db = workload("db", [{ name: "main" }], {}, "StatefulSet");
    const headless = { clusterIP: "None", selector: { app: "db" } };
    assert.deepEqual(ports(db, service({ ...headless, ports: [{ port: 80, targetPort: 5432 }] })), ["TCP/80 TCP/5432"]);
    assert.deepEqual(ports(db, service(headless)), [], "without ports, its clients choose any");
  });

  it("have ports of Services whose labels pods only get once they run", () => {
    const db = workload("db", [{ name: "main" }], { labels: { app: "db", tier: "data" } });
    const entry = (selector: Json) => ports(db, service({ selector, ports: [{ port: 5432 }] }));
    assert.deepEqual(entry({ app: "db", role: "primary" }), ["TCP/5432"]);
    assert.deepEqual(entry({ "statefulset.kubernetes.io/pod-name": "db-0", app: "db" }), ["TCP/5432"]);
    assert.deepEqual(entry({ app: "db", tier: "web" }), [], "of other pods");
    assert.deepEqual(entry({}), [], "endpoints by hand");
  });

  it("ignore Services that lead out of the namespace or are in another one", () => {
    const web = workload("web", [listens(80)]);
    const spec = { selector: { app: "web" }, ports: [{ port: 9000 }] };
    assert.deepEqual(ports(web, service({ ...spec, type: "ExternalName" })), ["TCP/80"]);
    assert.deepEqual(ports(web, service(spec, { namespace: "elsewhere" })), ["TCP/80"]);
    assert.deepEqual(ports(web, service(spec, { namespace: "shop" })), ["TCP/80 TCP/9000"]);
  });

  it("have the port that an annotation gives to Prometheus", () => {
    const scraped = (port: string) => ({ annotations: { "prometheus.io/port": port } });
    assert.deepEqual(ports(workload("x", [listens(80)], scraped("9102"))), ["TCP/80 TCP/9102"]);
    for (const wrong of ["", "metrics", "70000", "-1", "1.5"])
      assert.deepEqual(ports(workload("x", [listens(80)], scraped(wrong))), ["TCP/80"], wrong);
  });

  it("close nothing of workloads that declare no port, nor of those whose pods another selector covers", () => {
    assert.deepEqual(ports(workload("x", [{ name: "main" }])), []);
    assert.deepEqual(ports(workload("x", [{ name: "main", ports: [] }])), []);
    const labels = { app: "x", role: "worker" };
    const worker = workload("worker", [{ name: "main" }], { labels, selector: { matchLabels: { role: "worker" } } });
    assert.deepEqual(ports(workload("x", [listens(80)]), worker), [], "the worker's pods have the label app=x too");
  });

  it("count the ports of every pod that a selector covers, of Jobs too", () => {
    const labels = { app: "x", role: "admin" };
    const admin = workload("admin", [listens(9000)], { labels, selector: { matchLabels: { role: "admin" } } });
    assert.deepEqual(ports(workload("x", [listens(80)]), admin), ["TCP/80 TCP/9000", "TCP/9000"]);
    assert.deepEqual(ports(workload("x", [listens(80)]), task("t", { app: "x" }, [listens(7000)])), [
      "TCP/80 TCP/7000",
    ]);
    assert.deepEqual(ports(workload("x", [listens(80)]), task("t", { app: "x" }, [{ name: "main" }])), ["TCP/80"]);
    assert.deepEqual(ports(task("t", { app: "x" }, [listens(7000)])), [], "a Job has none of its own");
  });

  it("select by expressions, and never every pod", () => {
    const expression = { matchExpressions: [{ key: "app", operator: "In", values: ["x", "y"] }] };
    assert.deepEqual(policies(workload("x", [listens(80)], { selector: expression }))[0]?.podSelector, expression);
    for (const selector of [{}, { matchLabels: {} }, { matchExpressions: [] }, "app=x", 7])
      assert.deepEqual(ports(workload("x", [listens(80)], { selector })), [], JSON.stringify(selector));
  });

  it("skip pods on the network of their node, which policies do not cover", () => {
    assert.deepEqual(ports(workload("agent", [listens(9100)], { hostNetwork: true }, "DaemonSet")), []);
  });

  it("select bare pods by their labels, and ReplicationControllers by their plain selector", () => {
    const pod = (labels?: Json) =>
      found({ apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels }, spec: { containers: [listens(80)] } });
    assert.deepEqual(policies(pod({ run: "p" }))[0]?.podSelector, { matchLabels: { run: "p" } });
    assert.deepEqual(policies(pod()), []);
    const template = { metadata: { labels: { app: "rc" } }, spec: { containers: [listens(80)] } };
    const controller = (spec: Json) =>
      found({ apiVersion: "v1", kind: "ReplicationController", metadata: { name: "rc" }, spec: { template, ...spec } });
    for (const spec of [{ selector: { app: "rc" } }, {}])
      assert.deepEqual(policies(controller(spec))[0]?.podSelector, { matchLabels: { app: "rc" } });
  });

  it("are none where the bundle has policies of its own, of any network plugin", () => {
    const web = workload("web", [listens(80)]);
    const kinds = [
      ["networking.k8s.io/v1", "NetworkPolicy"],
      ["cilium.io/v2", "CiliumNetworkPolicy"],
      ["cilium.io/v2", "CiliumClusterwideNetworkPolicy"],
      ["crd.projectcalico.org/v1", "NetworkPolicy"],
      ["projectcalico.org/v3", "GlobalNetworkPolicy"],
      ["policy.networking.k8s.io/v1alpha1", "AdminNetworkPolicy"],
    ] as const;
    const own = (apiVersion: string, kind: string, metadata: Json) =>
      found({ apiVersion, kind, metadata: { name: "own", ...metadata } });
    for (const [apiVersion, kind] of kinds) assert.deepEqual(policies(web, own(apiVersion, kind, {})), [], kind);
    const elsewhere = own("networking.k8s.io/v1", "NetworkPolicy", { namespace: "elsewhere" });
    assert.equal(policies(web, elsewhere).length, 1);
  });

  it("leave workloads of other namespaces alone", () => {
    assert.deepEqual(policies(workload("web", [listens(80)], { metadata: { namespace: "elsewhere" } })), []);
  });

  it("survive manifests that make no sense, which the API server refuses", () => {
    const odd = [
      null,
      7,
      "text",
      [],
      {},
      { template: null },
      { template: { spec: [] } },
      { selector: null, template: {} },
    ];
    for (const spec of odd) {
      for (const kind of ["Deployment", "DaemonSet"])
        assert.deepEqual(policies(found({ apiVersion: "apps/v1", kind, metadata: { name: "x" }, spec })), []);
      assert.deepEqual(ports(workload("web", [listens(80)]), service(spec as Json)), ["TCP/80"]);
    }
    assert.deepEqual(ports(workload("x", [listens({ containerPort: "80" }, { name: "y" }, 81)])), ["TCP/81"]);
  });
});
