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

describe("a NetworkPolicy derived from a bundle", () => {
  it("allows all egress, ingress from the namespace, and ingress to declared ports", () => {
    const [policy] = policies(workload("web", [listens(8080)]));
    assert.deepEqual(policy?.podSelector, { matchLabels: { app: "web" } });
    assert.deepEqual(policy.policyTypes, ["Ingress"], "egress stays open");
    assert.deepEqual(policy.ingress, [{ from: [{ podSelector: {} }] }, { ports: [{ protocol: "TCP", port: 8080 }] }]);
  });

  it("is applied before its workload, and needs no approval", () => {
    const [policy] = isolationOf([workload("web", [listens(80)])], "shop", "shop");
    assert.equal(policy?.wave, 10);
    assert.equal(policy.isGenerated, true);
    assert.equal(policy.object.metadata.namespace, "shop");
  });

  it("has a valid name that is unique for its release and kind", () => {
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

  it("has ports of all protocols and init containers, each once and sorted", () => {
    const dns = listens(8443, { containerPort: 53, protocol: "UDP" }, { containerPort: 53 });
    const diameter = { name: "more", ports: [{ containerPort: 3868, protocol: "SCTP" }, { containerPort: 53 }] };
    const sidecar = { name: "proxy", restartPolicy: "Always", ports: [{ containerPort: 15_000 }] };
    const expected = ["SCTP/3868 TCP/53 TCP/8443 TCP/15000 UDP/53"];
    assert.deepEqual(ports(workload("x", [dns, diameter], { initContainers: [sidecar] })), expected);
    assert.deepEqual(ports(workload("x", [diameter, dns], { initContainers: [sidecar] })), expected);
  });

  it("resolves target ports of Services by number, by name and by port", () => {
    const web = workload("web", [listens({ containerPort: 8080, name: "http" })]);
    const at = (...of: Json[]) => service({ selector: { app: "web" }, ports: of });
    assert.deepEqual(ports(web, at({ port: 80, targetPort: 9000 })), ["TCP/8080 TCP/9000"]);
    assert.deepEqual(ports(web, at({ port: 80, targetPort: "http" })), ["TCP/8080"]);
    assert.deepEqual(ports(web, at({ port: 443 }, { port: 53, protocol: "UDP" })), ["TCP/443 TCP/8080 UDP/53"]);
    assert.deepEqual(ports(web, at({ port: 80, targetPort: "injected" })), ["TCP/8080 TCP/injected"]);
  });

  it("has the ports of a headless Service, whose clients connect to pods directly", () => {
    const db = workload("db", [{ name: "main" }], {}, "StatefulSet");
    const headless = { clusterIP: "None", selector: { app: "db" } };
    assert.deepEqual(ports(db, service({ ...headless, ports: [{ port: 80, targetPort: 5432 }] })), ["TCP/80 TCP/5432"]);
    assert.deepEqual(ports(db, service(headless)), [], "without ports, its clients choose any");
  });

  it("has ports of Services whose labels pods get only at run time", () => {
    const db = workload("db", [{ name: "main" }], { labels: { app: "db", tier: "data" } });
    const entry = (selector: Json) => ports(db, service({ selector, ports: [{ port: 5432 }] }));
    assert.deepEqual(entry({ app: "db", role: "primary" }), ["TCP/5432"]);
    assert.deepEqual(entry({ "statefulset.kubernetes.io/pod-name": "db-0", app: "db" }), ["TCP/5432"]);
    assert.deepEqual(entry({ app: "db", tier: "web" }), [], "of other pods");
    assert.deepEqual(entry({}), [], "endpoints by hand");
  });

  it("ignores Services that are external or in another namespace", () => {
    const web = workload("web", [listens(80)]);
    const spec = { selector: { app: "web" }, ports: [{ port: 9000 }] };
    assert.deepEqual(ports(web, service({ ...spec, type: "ExternalName" })), ["TCP/80"]);
    assert.deepEqual(ports(web, service(spec, { namespace: "elsewhere" })), ["TCP/80"]);
    assert.deepEqual(ports(web, service(spec, { namespace: "shop" })), ["TCP/80 TCP/9000"]);
  });

  it("has the port of the prometheus.io/port annotation", () => {
    const scraped = (port: string) => ({ annotations: { "prometheus.io/port": port } });
    assert.deepEqual(ports(workload("x", [listens(80)], scraped("9102"))), ["TCP/80 TCP/9102"]);
    for (const wrong of ["", "metrics", "70000", "-1", "1.5"])
      assert.deepEqual(ports(workload("x", [listens(80)], scraped(wrong))), ["TCP/80"], wrong);
  });

  it("is omitted if a workload has no port, or shares pods with a workload without ports", () => {
    assert.deepEqual(ports(workload("x", [{ name: "main" }])), []);
    assert.deepEqual(ports(workload("x", [{ name: "main", ports: [] }])), []);
    const labels = { app: "x", role: "worker" };
    const worker = workload("worker", [{ name: "main" }], { labels, selector: { matchLabels: { role: "worker" } } });
    assert.deepEqual(ports(workload("x", [listens(80)]), worker), [], "the worker's pods have the label app=x too");
  });

  it("has the ports of every pod that its selector covers, including Jobs", () => {
    const labels = { app: "x", role: "admin" };
    const admin = workload("admin", [listens(9000)], { labels, selector: { matchLabels: { role: "admin" } } });
    assert.deepEqual(ports(workload("x", [listens(80)]), admin), ["TCP/80 TCP/9000", "TCP/9000"]);
    assert.deepEqual(ports(workload("x", [listens(80)]), task("t", { app: "x" }, [listens(7000)])), [
      "TCP/80 TCP/7000",
    ]);
    assert.deepEqual(ports(workload("x", [listens(80)]), task("t", { app: "x" }, [{ name: "main" }])), ["TCP/80"]);
    assert.deepEqual(ports(task("t", { app: "x" }, [listens(7000)])), [], "a Job has none of its own");
  });

  it("may select by expressions, but never every pod", () => {
    const expression = { matchExpressions: [{ key: "app", operator: "In", values: ["x", "y"] }] };
    assert.deepEqual(policies(workload("x", [listens(80)], { selector: expression }))[0]?.podSelector, expression);
    for (const selector of [{}, { matchLabels: {} }, { matchExpressions: [] }, "app=x", 7])
      assert.deepEqual(ports(workload("x", [listens(80)], { selector })), [], JSON.stringify(selector));
  });

  it("is omitted for pods on the host network", () => {
    assert.deepEqual(ports(workload("agent", [listens(9100)], { hostNetwork: true }, "DaemonSet")), []);
  });

  it("selects bare pods by labels, and ReplicationControllers by their selector", () => {
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

  it("is omitted if the bundle has its own policies, of any network plugin", () => {
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

  it("ignores workloads in other namespaces", () => {
    assert.deepEqual(policies(workload("web", [listens(80)], { metadata: { namespace: "elsewhere" } })), []);
  });

  it("ignores malformed manifests, which the API server rejects", () => {
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
