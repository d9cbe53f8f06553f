import assert from "node:assert/strict";
import { parseCosts, podResources, usageByOwner } from "../../../cli/usage/groups";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const GIB = 2 ** 30;
const names = { teams: new Map([["search", "Search"]]), runtimes: new Set(["runtimes"]) };

function pod(namespace: string, name: string, labels: Readonly<Record<string, string>>, more: object = {}): KubeObject {
  const resources = { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "2Gi" } };
  const spec = { containers: [{ name: "main", resources }], ...more };
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace, name, labels }, spec, status: { phase: "Running" } };
}
const claim = (namespace: string, name: string, labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { namespace, name, labels },
  spec: { resources: { requests: { storage: "10Gi" } } },
});
const uses = (claimName: string) => ({ volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] });
const app = (name: string, instance: string) => ({
  "app.kubernetes.io/name": name,
  "app.kubernetes.io/instance": instance,
});

const pods = [
  pod("runtimes", "acme-0", app("runtime", "acme"), uses("data-acme-0")),
  pod("runtimes", "own-0", app("rill", "own")),
  pod("ray", "head", app("ray", "main-ray")),
  pod("ray", "worker", app("ray", "main-ray")),
  pod("hub", "jupyter-ann", { "hub.jupyter.org/username": "ann" }, uses("claim-ann")),
  pod("hub", "hub-1", { app: "jupyterhub" }),
  pod("search", "index", {}),
  pod("search", "notebook", { "hub.jupyter.org/username": "ann" }),
];
const claims = [
  claim("runtimes", "data-acme-0", app("runtime", "acme")),
  claim("runtimes", "data-asleep-0", app("runtime", "asleep")),
  claim("hub", "claim-ann"),
];

describe("usage of a cluster", () => {
  it("counts each pod once, for what it runs", () => {
    const rows = usageByOwner({ pods, claims, costs: undefined }, names).map(
      ({ kind, name, namespaces, pods: count, disk }) =>
        `${kind} ${name} ${namespaces.join("+")} ${count} ${disk! / GIB}`,
    );
    assert.deepEqual(rows.sort(), [
      "deployment acme runtimes 1 10",
      // It hibernates.
      "deployment asleep runtimes 0 10",
      "deployment own runtimes 1 0",
      "namespace hub hub 1 0",
      "ray main ray 2 0",
      "team Search search 1 0",
      "user ann hub+search 2 10",
    ]);
  });

  it("has no disk of what uses a namespace whose claims can't be read", () => {
    const hasClaims = (namespace: string): boolean => namespace !== "search";
    const rows = usageByOwner({ pods, claims, costs: undefined, hasClaims }, names);
    const without = rows.flatMap(({ kind, name, disk }) => (disk === undefined ? [`${kind} ${name}`] : []));
    assert.deepEqual(without.sort(), ["team Search", "user ann"]);
  });

  it("takes those of one kind alone if it is named", () => {
    const by = (kind: Parameters<typeof usageByOwner>[2]): string[] =>
      usageByOwner({ pods, claims: [], costs: undefined }, names, kind).map(
        (one) => `${one.name} ${one.pods} ${one.cpu}`,
      );
    assert.deepEqual(by("team"), ["Search 2 1"]);
    assert.deepEqual(by("user"), ["ann 2 1"]);
    assert.deepEqual(by("namespace"), ["hub 2 1", "ray 2 1", "runtimes 2 1", "search 2 1"]);
  });

  it("skips pods that have ended", () => {
    const ended = { ...pods[0]!, status: { phase: "Succeeded" } };
    assert.deepEqual(usageByOwner({ pods: [ended], claims: [], costs: undefined }, names), []);
  });

  it("adds the costs of the window, also of pods that are gone, and sorts by them", () => {
    const costs = parseCosts({
      code: 200,
      data: [
        {
          "ray/gone": {
            properties: {
              namespace: "ray",
              labels: { app_kubernetes_io_name: "ray", app_kubernetes_io_instance: "old-ray" },
            },
            totalCost: 9.5,
          },
          "hub/jupyter-ann": {
            properties: { namespace: "hub", labels: { hub_jupyter_org_username: "ann" } },
            totalCost: 1.25,
          },
          __idle__: { properties: { cluster: "acme" }, totalCost: 40 },
          "kube-system/new": { properties: { namespace: "kube-system" }, totalCost: null },
        },
      ],
    });
    const [first, second] = usageByOwner({ pods, claims: [], costs }, names);
    assert.deepEqual([first?.kind, first?.name, first?.pods, first?.cost], ["ray", "old", 0, 9.5]);
    assert.deepEqual([second?.name, second?.pods, second?.cost], ["ann", 2, 1.25]);
    assert.equal(parseCosts({ code: 500, message: "no" }), undefined);
    assert.deepEqual(parseCosts({ data: [null, {}] }), []);
  });

  it("counts what the scheduler reserves: sidecars, the largest container before them, the overhead", () => {
    const of = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu } }, ...more });
    const spec = (initContainers: object[], containers: object[]): KubeObject =>
      pod("a", "a", {}, { initContainers, containers, overhead: { cpu: "250m" } });
    assert.equal(podResources(spec([of("2")], [of("1"), of("500m")])).cpu, 2.25);
    assert.equal(podResources(spec([of("1", { restartPolicy: "Always" }), of("2")], [of("1500m")])).cpu, 2.75);
    const gpu = { resources: { limits: { "nvidia.com/gpu": "2", "nvidia.com/mig-1g.5gb": "1", cpu: "3" } } };
    assert.deepEqual(podResources(pod("a", "a", {}, { containers: [gpu] })), {
      ...{ cpu: 3, cpuLimit: 3, memory: 0, memoryLimit: 0, gpus: 3 },
    });
  });
});
