import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { loadAll } from "js-yaml";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { configMap, deployment, service, statefulSet } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World, type Files, type Release } from "./world";

const selecting = (app: string) => ({ spec: { selector: { app }, ports: [{ port: 80 }] } });

const RBAC = "rbac.authorization.k8s.io";
const ADMISSION = "admissionregistration.k8s.io/v1";

describe("a user with exactly the printed permissions", () => {
  let world: World;
  let user: string;
  let release: Release;
  const given: KubeObject[] = [];
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    user = `system:serviceaccount:${world.namespace}:deployer`;
    release = world.release("shop", { as: user });
  });
  afterEach(async () => {
    for (const { apiVersion, kind, metadata } of given.splice(0)) {
      await world.client.remove({ apiVersion, kind, ...metadata });
    }
    await world.close();
  });

  /** Gives what the error prints, and waits until the authorizer knows it. */
  async function give(error: string): Promise<void> {
    const roles = loadAll(error.slice(error.indexOf("\n") + 1)) as KubeObject[];
    for (const role of roles) {
      // A second error prints what is missing besides.
      const name = `${role.metadata.name}-${given.length}`;
      const ref = role["roleRef"] as object | undefined;
      const bound = ref && { roleRef: { ...ref, name: `${role.metadata.name}-${given.length - 1}` } };
      given.push(await world.client.apply({ ...role, ...bound, metadata: { ...role.metadata, name } }));
    }
    await sleep(500);
  }
  /** Everything of the bundle that there is, to see that nothing was changed. */
  const versions = async (): Promise<string[]> => {
    const kinds = [
      ["v1", "ConfigMap"],
      ["v1", "Service"],
      ["apps/v1", "Deployment"],
      [`${RBAC}/v1`, "Role"],
    ] as const;
    const all = await Promise.all(
      kinds.map(([apiVersion, kind]) => world.client.list({ apiVersion, kind, namespace: world.namespace })),
    );
    const own = all.flat().filter(({ metadata }) => metadata.labels?.["stackyard.dev/bundle"] !== undefined);
    return own.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
  };
  /** Says what is missing and changes nothing; works when that is given. */
  async function onceGiven(work: () => Promise<unknown>, missing: RegExp): Promise<void> {
    const before = await versions();
    const error = await messageOf(work());
    assert.match(error, /, and nothing was changed\. This gives exactly what is missing/);
    assert.match(error, missing);
    assert.deepEqual(await versions(), before);
    await give(error);
    await work();
  }

  it("deploys a bundle, updates it, prunes it, detects drift and deletes it", async () => {
    const first: Files = {
      "01_a.yaml": [configMap("a"), configMap("b"), service()],
      "02_b.yaml": [deployment(), statefulSet({ name: "base" })],
    };
    await onceGiven(() => release.preview(first), /deployments/);
    await release.up(first);
    await release.preview(first);
    assert.ok(await release.refresh());
    assert.deepEqual(await release.changes(first), []);
    const second: Files = {
      "01_a.yaml": [configMap("a", { a: "c" }), configMap("c")],
      "02_b.yaml": [deployment({ replicas: 0 }), statefulSet({ name: "base", replicas: 2 })],
    };
    await onceGiven(() => release.preview(second), /resourceNames:\n {6}- c\n/);
    await release.up(second);
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "c"]);
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("applies workloads without NetworkPolicies that it may not create", async () => {
    const isolated = world.release("shop", { as: user, networkPolicies: true });
    await onceGiven(() => isolated.up({ "a.yaml": [deployment(), service()] }), /deployments/);
    const policies = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", namespace: world.namespace };
    assert.deepEqual(await world.client.list(policies), []);
    const admin = world.release("other", { networkPolicies: true });
    await admin.up({ "a.yaml": [deployment({ name: "other" }), { ...service("other"), ...selecting("other") }] });
    const [policy, ...more] = await world.client.list(policies);
    assert.deepEqual(policy?.["spec"], {
      podSelector: { matchLabels: { app: "other" } },
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: {} }] }, { ports: [{ protocol: "TCP", port: 80 }] }],
    });
    assert.deepEqual(more, []);
  });

  it("does not start to prune or delete objects that it may not delete", async () => {
    const admin = world.release("shop");
    const files = { "a.yaml": [configMap("a"), service()] };
    await admin.up(files);
    Object.assign(release, { id: admin.id, inputs: { ...admin.inputs, as: user }, state: admin.state });
    const changed = { "a.yaml": [configMap("a", { a: "c" })] };
    await onceGiven(() => release.up(changed), /services/);
    for (const one of given.splice(0)) await world.client.remove({ ...one, ...one.metadata });
    await sleep(500);
    await onceGiven(() => release.down(), /may not delete bundle/);
    assert.deepEqual(await world.configMaps(), []);
  });

  it("needs no permission for a kind in a namespace without objects of that kind", async () => {
    const elsewhere = `${world.namespace}-more`;
    await world.client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: elsewhere } });
    const far = { ...service(), metadata: { name: "far", namespace: elsewhere } };
    await onceGiven(() => release.up({ "a.yaml": [configMap("a"), far] }), new RegExp(elsewhere));
    await release.up({ "a.yaml": [configMap("a")] });
    await release.down();
    await world.client.remove({ apiVersion: "v1", kind: "Namespace", name: elsewhere });
  });

  it("applies a kind with its resources, updates and deletes it", async () => {
    const group = `${world.namespace}.example.com`;
    const files = (size: object) => ({ "a.yaml": [crd(group, { size }), gadget(group, "one")] });
    await onceGiven(() => release.up(files({ type: "integer" })), /- gadgets\n/);
    await release.up(files({ type: "integer", maximum: 9 }), { allowCrdChanges: ["boundsNarrowed"] });
    await release.down();
    const ref = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: `gadgets.${group}` };
    assert.equal(await world.client.get(ref), undefined);
  });

  it("may read the parameters of a bundle's admission policies", async () => {
    const name = `${world.namespace}.example.com`;
    const policy = {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicy", metadata: { name } },
      spec: {
        paramKind: { apiVersion: "v1", kind: "Secret" },
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["strange.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["x"] },
          ],
        },
        validations: [{ expression: "params != null" }],
      },
    };
    const bound = {
      ...{ apiVersion: ADMISSION, kind: "ValidatingAdmissionPolicyBinding", metadata: { name } },
      spec: {
        policyName: name,
        validationActions: ["Deny"],
        paramRef: { name: "limits", namespace: world.namespace, parameterNotFoundAction: "Deny" },
      },
    };
    await onceGiven(() => release.up({ "a.yaml": [bound, policy] }), /- secrets\n {4}verbs:\n {6}- get\n/);
    await release.down();
  });

  it("replaces a StatefulSet and keeps its disks", async () => {
    const annotations = { "stackyard.dev/replace": "true" };
    const files = (spec: object) => {
      const set = statefulSet({ spec });
      return { "a.yaml": { ...set, metadata: { ...set.metadata, annotations } } };
    };
    await onceGiven(() => release.up(files({})), /persistentvolumeclaims/);
    await release.up(files({ podManagementPolicy: "Parallel" }));
    await release.down();
  });

  it("needs permissions for approvals if the release requires approvals", async () => {
    const files = { "a.yaml": configMap("a") };
    await onceGiven(() => release.up(files, { approval: "more" }), /bundleapprovals/);
    await release.down();
  });
});
