import assert from "node:assert/strict";
import { ChoiceError } from "../../../components/runtime/choiceError";
import { administratorBindings, operatorBindings } from "../../../components/runtime/types/gardener/bindings";
import { planGardener, type GardenerPlan } from "../../../components/runtime/types/gardener/plan";
import { gardenerPlaceIn, keepInShoot } from "../../../components/runtime/types/gardener/place";
import type { GardenerProvisioner } from "../../../components/runtime/types/gardener/spec";
import type { Deployment } from "../../../components/runtime/request/deployment";
import type { ClusterRequest } from "../../../components/runtime/request/cluster/shape";
import { GCP } from "./clusters";

const SPEC: GardenerProvisioner = {
  type: "gardener",
  cluster: "https://gardener.example.com",
  project: "rill",
  namespace: "garden-rill",
  secretBindings: { gcp: "gcp-account" },
  cloudProfiles: {},
  defaults: {},
  maintenanceWindows: {},
  auditLogs: {},
  timeouts: {},
  allowForceDeletion: false,
};

const deployment = (cluster: Deployment["cluster"], id = "acme"): Deployment => ({
  ...{ id, slots: 1, version: "1.33.4", environment: "prod", annotations: {}, state: "running" },
  ...(cluster && { cluster }),
});

const plan = (asked: Deployment, spec: Partial<GardenerProvisioner> = {}): GardenerPlan =>
  planGardener(
    { provisioner: "garden", deployment: asked, cpu: 1, memoryGb: 4, storageBytes: 0 },
    { ...SPEC, ...spec },
  );

function faultsOf(asked: Deployment, spec: Partial<GardenerProvisioner> = {}): string[] {
  try {
    plan(asked, spec);
  } catch (error) {
    assert.ok(error instanceof ChoiceError);
    return error.message.split("\n").slice(1);
  }
  return [];
}

describe("the plan of a Gardener cluster", () => {
  it("has the provisioner's cloud account, and the deployment's id as its name", () => {
    const { shootName, binding, request } = plan(deployment(GCP));
    assert.deepEqual([shootName, binding], ["acme", { kind: "SecretBinding", name: "gcp-account" }]);
    assert.deepEqual(request, GCP);
  });

  it("uses the provisioner's defaults for fields that the deployment does not set", () => {
    assert.deepEqual(plan(deployment({ machineType: "n2-standard-8" }), { defaults: GCP }).request, {
      ...GCP,
      machineType: "n2-standard-8",
    });
  });

  it("uses a CredentialsBinding if the provider has one, also for a binding that the deployment names", () => {
    const bindingOf = (request: ClusterRequest) =>
      plan(deployment({ ...GCP, ...request }), { credentialsBindings: { gcp: "gcp-credentials" } }).binding;
    assert.deepEqual(bindingOf({}), { kind: "CredentialsBinding", name: "gcp-credentials" });
    assert.deepEqual(bindingOf({ targetSecret: "own" }), { kind: "CredentialsBinding", name: "own" });
  });

  it("reports all faults after the defaults are applied", () => {
    const asked = deployment({
      ...GCP,
      region: undefined,
      provider: "gcp",
      autoScalerMin: 9,
      name: "a-long-long-name-xx",
    });
    assert.deepEqual(faultsOf(asked, { secretBindings: {} }), [
      "  - deployment.cluster.autoScalerMin: found 9; expected at most autoScalerMax, which is 4",
      "  - deployment.cluster.region: found nothing; expected the name of a region",
      '  - deployment.cluster.targetSecret: found nothing; expected a CredentialsBinding or SecretBinding, because provisioner "garden" has none for gcp',
      '  - deployment.cluster.name: found "a-long-long-name-xx"; expected 17 characters at most, with project rill',
    ]);
  });

  it("requires a deployment with a cluster", () => {
    assert.throws(() => plan(deployment(undefined)), /is of type gardener; expected a deployment with cluster/);
  });
});

describe("the place of a Gardener cluster", () => {
  const outputs = {
    cluster: "https://gardener.example.com",
    shoot: { metadata: { namespace: "garden-rill", name: "older" } },
  };
  const place = gardenerPlaceIn("urn", { type: "stackyard:index:Shoot", outputs })!;
  const present = { name: "gardener-1", place };

  it("is its Shoot, which keeps its name", () => {
    assert.deepEqual(place, {
      type: "gardener",
      cluster: "https://gardener.example.com",
      namespace: "garden-rill",
      shoot: "older",
    });
    const { plan: placed } = keepInShoot(plan(deployment(GCP)), present);
    assert.deepEqual([placed.shootName, placed.name], ["older", "gardener-1"]);
  });

  it("rejects another name or project", () => {
    assert.throws(() => keepInShoot(plan(deployment({ ...GCP, name: "newer" })), present), /A Shoot keeps its name/);
    assert.throws(() => keepInShoot(plan(deployment(GCP), { namespace: "garden-other" }), present), ChoiceError);
  });
});

describe("administrators of a cluster", () => {
  it("are bound to cluster-admin once each, by bindings with unique names", () => {
    const bindings = administratorBindings(["ada@example.com", "bob", "ada@example.com"]);
    assert.deepEqual(
      bindings.map(({ subjects }) => (subjects as { name: string }[])[0]!.name),
      ["ada@example.com", "bob"],
    );
    const names = bindings.map(({ metadata }) => (metadata as { name: string }).name);
    assert.equal(new Set(names).size, 2);
  });
});

describe("groups of operators", () => {
  it("are bound to view and cluster-admin if they are configured", () => {
    const shown = (groups: Parameters<typeof operatorBindings>[0]) =>
      operatorBindings(groups).map(({ roleRef, subjects }) => [(roleRef as { name: string }).name, subjects as object]);
    const group = (name: string) => [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name }];
    assert.deepEqual(shown({ view: "runtimeOperator", admin: "runtimeAdmin" }), [
      ["view", group("runtimeOperator")],
      ["cluster-admin", group("runtimeAdmin")],
    ]);
    assert.deepEqual(shown({ admin: "runtimeAdmin" }), [["cluster-admin", group("runtimeAdmin")]]);
    assert.deepEqual(operatorBindings(), []);
  });

  it("have a binding whose name depends on the group and the role", () => {
    const nameOf = (groups: Parameters<typeof operatorBindings>[0]) => operatorBindings(groups)[0]?.["metadata"];
    assert.notDeepEqual(nameOf({ view: "a" }), nameOf({ view: "b" }));
    assert.notDeepEqual(nameOf({ view: "a" }), nameOf({ admin: "a" }));
  });
});
