import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { findings, type World } from "../../../provider/resources/terasliceJob/preflight/faults";

const node = (name: string, labels: object = {}, more: { cpu?: string; memory?: string; taints?: object[] } = {}) =>
  ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    spec: { taints: more.taints },
    status: {
      conditions: [{ type: "Ready", status: "True" }],
      allocatable: { cpu: more.cpu ?? "4", memory: more.memory ?? "16Gi" },
    },
  }) as unknown as KubeObject;

const claim = (name: string, ...accessModes: string[]) =>
  ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec: { accessModes } }) as KubeObject;

const quota = (hard: object, more: object = {}) =>
  ({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "team" }, spec: { hard, ...more } }) as KubeObject;

const world = (more: Partial<World> = {}): World => ({
  namespace: "ts",
  claims: [],
  secrets: [],
  priorityClasses: [],
  nodes: [node("one", { zone: "west" })],
  quotas: [],
  growing: false,
  ...more,
});

const resources = (cpu: string, memory: number) => ({
  containers: [{ resources: { requests: { cpu, memory }, limits: { cpu, memory } } }],
});

/** The execution controller's Job and the workers' Deployment, with this in their pods. */
const footprint = (worker: object = {}, replicas = 2, controller: object = {}): KubeObject[] => [
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "exc" },
    spec: { template: { spec: { ...resources("500m", 512_000_000), ...controller } } },
  },
  { apiVersion: "v1", kind: "Service", metadata: { name: "svc" }, spec: {} },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "wkr" },
    spec: { replicas, template: { spec: { ...resources("1", 1_000_000_000), ...worker } } },
  },
];

const required = (...matchExpressions: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
});
const zone = (...values: string[]) => required({ key: "zone", operator: "In", values });
const mounts = (claimName: string) => ({ volumes: [{ name: "v", persistentVolumeClaim: { claimName } }] });

describe("the preflight check of a job", () => {
  const faults = (objects: KubeObject[], more: Partial<World> = {}) => findings(objects, world(more)).faults;
  const warnings = (objects: KubeObject[], more: Partial<World> = {}) => findings(objects, world(more)).warnings;

  it("reports nothing if the job can run", () => {
    assert.deepEqual(findings(footprint(zone("west")), world()), { faults: [], warnings: [] });
  });

  it("reports that no node is ready", () => {
    const cordoned = { ...node("one"), spec: { unschedulable: true } } as KubeObject;
    assert.match(faults(footprint(), { nodes: [cordoned] })[0] ?? "", /no node is ready/);
  });

  it("reports targets that no node has together", () => {
    assert.deepEqual(faults(footprint(zone("east"))), ["no node has what a worker requires: zone In east"]);
    const both = required({ key: "zone", operator: "In", values: ["west"] }, { key: "gpu", operator: "Exists" });
    assert.match(faults(footprint(both))[0] ?? "", /zone In west and gpu Exists/);
    const nodes = [node("one", { zone: "west" }), node("two", { gpu: "1" })];
    assert.equal(faults(footprint(both), { nodes }).length, 1);
  });

  it("reports a taint that is not tolerated", () => {
    const taints = [{ key: "dedicated", value: "ts", effect: "NoSchedule" }];
    const nodes = [node("one", {}, { taints })];
    assert.match(faults(footprint(), { nodes }).join(), /does not tolerate the taint dedicated=ts:NoSchedule/);
    const tolerations = [{ key: "dedicated", operator: "Equal", value: "ts", effect: "NoSchedule" }];
    assert.deepEqual(faults(footprint({ tolerations }, 1, { tolerations }), { nodes }), []);
  });

  it("reports a worker that is larger than every node that it could run on", () => {
    assert.match(
      faults(footprint(resources("6", 2_000_000_000))).join(),
      /a worker asks for 6 CPUs and 2 GB of memory; the nodes that it could run on have at most 4 CPUs and 17\.2 GB/,
    );
  });

  it("warns instead if an autoscaler can add the node", () => {
    const found = findings(footprint(zone("east")), world({ growing: true }));
    assert.deepEqual(found.faults, []);
    assert.match(found.warnings[0] ?? "", /zone In east; it waits until the autoscaler adds one/);
  });

  it("reports a claim that is missing, lost or cannot be shared", () => {
    assert.match(faults(footprint(mounts("data")))[0] ?? "", /the claim data does not exist in the namespace ts/);
    const lost = { ...claim("data", "ReadWriteMany"), status: { phase: "Lost" } };
    assert.match(faults(footprint(mounts("data")), { claims: [lost] })[0] ?? "", /lost its volume/);
    const single = { claims: [claim("data", "ReadWriteOncePod")] };
    assert.match(faults(footprint(mounts("data")), single)[0] ?? "", /ReadWriteOncePod, and 2 pods mount it/);
    assert.deepEqual(faults(footprint(mounts("data"), 1), single), []);
    const shared = { claims: [claim("data", "ReadWriteMany")] };
    assert.deepEqual(findings(footprint(mounts("data")), world(shared)), { faults: [], warnings: [] });
    const once = { claims: [claim("data", "ReadWriteOnce")] };
    assert.match(warnings(footprint(mounts("data")), once)[0] ?? "", /all 2 pods .* on one node/);
  });

  it("reports a missing priority class and a missing pull secret", () => {
    assert.match(faults(footprint({ priorityClassName: "high" }))[0] ?? "", /priority class high does not exist/);
    assert.deepEqual(faults(footprint({ priorityClassName: "high" }), { priorityClasses: ["high"] }), []);
    const pulls = { imagePullSecrets: [{ name: "registry" }] };
    assert.match(warnings(footprint(pulls))[0] ?? "", /pull secret registry does not exist/);
    assert.deepEqual(warnings(footprint(pulls), { secrets: ["registry"] }), []);
  });

  it("reports a quota that allows no pod, and warns if it does not allow all pods", () => {
    assert.match(
      faults(footprint(), { quotas: [quota({ "requests.cpu": "1" })] })[0] ?? "",
      /allows 1 of requests\.cpu, .* need 1\.5/,
    );
    assert.match(
      warnings(footprint({}, 9), { quotas: [quota({ pods: "5" })] })[0] ?? "",
      /allows 5 of pods, and all .* need 10/,
    );
    assert.deepEqual(findings(footprint(), world({ quotas: [quota({ "limits.memory": "4Gi" })] })).faults, []);
    assert.deepEqual(faults(footprint(), { quotas: [quota({ pods: "0" }, { scopes: ["BestEffort"] })] }), []);
  });

  it("reports nothing about objects that it cannot read", () => {
    const blind = {
      claims: undefined,
      secrets: undefined,
      priorityClasses: undefined,
      nodes: undefined,
      quotas: undefined,
    };
    const objects = footprint({ ...mounts("data"), ...zone("east"), priorityClassName: "high" });
    assert.deepEqual(findings(objects, world(blind)), { faults: [], warnings: [] });
  });
});
