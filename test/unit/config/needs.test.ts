import assert from "node:assert/strict";
import type { ClusterNeed } from "../../../components/contract/needs";
import { clusterNeeds } from "../../../components/platform/facts";
import { CONNECTORS } from "../teraslice/samples";
import { decode, GOOD, goodWith, kubernetesWith } from "./fixtures";

/** What a config needs besides rights, as one line each. */
const lines = (values: Record<string, unknown>): string[] =>
  clusterNeeds(decode(values)).flatMap((need) => (need.type === "objects" ? [] : [line(need)]));

const line = (need: Exclude<ClusterNeed, { readonly type: "objects" }>): string =>
  `${need.path}: ${need.type} ${need.type === "api" ? need.kind : (need.name ?? "by default")}${need.isOptional ? "?" : ""}`;

const OPTIONAL = ["cluster: storageClass by default?", "metricsServer: api PodMetrics?"];
const RUNTIMES = ["provisioners.dedicated: storageClass by default", "provisioners.dedicated: ingressClass nginx"];

/** The resources in each namespace, or cluster-wide, by the path of what needs them. */
function resources(values: Record<string, unknown>, path: string): Record<string, readonly string[]> {
  const own = clusterNeeds(decode(values)).filter((need) => need.path === path);
  return Object.fromEntries(
    own.flatMap((need) => (need.type === "objects" ? [[need.namespace ?? "", need.resources]] : [])),
  );
}

describe("the needs of a platform", () => {
  it("are the classes and APIs that its features name", () => {
    assert.deepEqual(lines(GOOD), [...OPTIONAL, ...RUNTIMES]);
    const teraslice = {
      image: "example/teraslice:3",
      terafoundation: { connectors: CONNECTORS, prom_metrics_enabled: true },
      assetsClaim: { sizeGb: 10, storageClass: "shared" },
      settings: { assets_volume: "assets" },
      ingress: { className: "internal", hosts: [{ host: "teraslice.example.com" }] },
      serviceMonitor: {},
    };
    assert.deepEqual(lines(goodWith({ teraslice })), [
      ...OPTIONAL,
      "teraslice: api ServiceMonitor",
      "teraslice.assetsClaim: storageClass shared",
      "teraslice.ingress: ingressClass internal",
      ...RUNTIMES,
    ]);
  });

  it("do not include an API that a release of the platform serves", () => {
    assert.deepEqual(lines(goodWith({ metricsServer: { replicas: 1 } })), [OPTIONAL[0], ...RUNTIMES]);
  });

  it("include the rights for namespaces, releases and objects", () => {
    const values = goodWith({ ray: { one: { mode: "kuberay" } }, metricsServer: { replicas: 1 } });
    const own = resources(values, "ray.one");
    assert.deepEqual(own[""], ["namespaces"]);
    assert.ok(own["ray"]?.includes("rayclusters.ray.io") && own["ray"].includes("roles.rbac.authorization.k8s.io"));
    const { "": cluster, ...release } = resources(values, "metricsServer");
    assert.deepEqual(cluster, ["clusterroles.rbac.authorization.k8s.io"]);
    assert.ok(Object.values(release).flat().includes("secrets"));
  });

  it("are those of another cluster if a provisioner has its own", () => {
    const needs = clusterNeeds(
      decode(kubernetesWith({ kubeconfig: { path: "yard/kubeconfig" }, createNamespace: true })),
    );
    const elsewhere = needs.filter(({ access }) => access !== undefined);
    assert.deepEqual([...new Set(elsewhere.map(({ path }) => path))], ["provisioners.dedicated"]);
    assert.ok(elsewhere.some((need) => need.type === "objects" && need.resources.includes("namespaces")));
  });
});
