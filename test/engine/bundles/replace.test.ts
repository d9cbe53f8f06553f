import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { configMap, deployment, service, statefulSet } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { messageOf, World, type Release } from "./world";

const REPLACE = { "stackyard.dev/replace": "true" };
const noted = <T extends { readonly metadata: object }>(object: T) => ({
  ...object,
  metadata: { ...object.metadata, annotations: REPLACE },
});
const job = (image: string) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "work" },
  spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image }] } } },
});
const frozen = (value: string) => ({ ...configMap("frozen", { value }), immutable: true });
const secret = (value: string) => ({
  ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "frozen" } },
  ...{ stringData: { value }, immutable: true },
});
const binding = (name: string) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: { name: "readers" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  subjects: [{ kind: "ServiceAccount", name: "default", namespace: "default" }],
});
const claim = (storageClassName: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "disk" },
  spec: { accessModes: ["ReadWriteOnce"], storageClassName, resources: { requests: { storage: "1Gi" } } },
});
const headless = () => ({ ...service(), spec: { ...service().spec, clusterIP: "None" } });
const other = { selector: { matchLabels: { app: "acme", more: "yes" } } };
const template = { metadata: { labels: { app: "acme", more: "yes" } }, spec: deployment().spec.template.spec };

describe("an object with an immutable field", () => {
  let world: World;
  let release: Release;
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    release = world.release();
  });
  afterEach(() => world.close());
  const uid = async ({ apiVersion, kind, metadata }: KubeObject) =>
    (await world.there(kind, metadata.name, apiVersion))?.metadata.uid;

  /** Kinds with a change each that an API server refuses, and the field that it refuses. */
  const changes: [string, object, object, RegExp][] = [
    ["a Job", job("example/runtime:done"), job("example/runtime:next"), /spec\.template: field is immutable/],
    ["a Service", service(), headless(), /spec\.clusterIPs?\[0\]: may not change once set/],
    ["an immutable ConfigMap", frozen("1"), frozen("2"), /data: field is immutable/],
    ["an immutable Secret", secret("hunter2"), secret("hunter3"), /data/],
    ["a RoleBinding", binding("view"), binding("edit"), /roleRef: cannot change roleRef/],
    ["a Deployment", deployment(), deployment({ spec: { ...other, template } }), /spec\.selector: field is immutable/],
    ["a StatefulSet", statefulSet(), statefulSet({ storage: "2Gi" }), /spec\.volumeClaimTemplates/],
  ];
  for (const [title, before, after, field] of changes) {
    it(`is reported with its field and advice, and replaced when annotated: ${title}`, async () => {
      const [first, next] = [before as KubeObject, after as KubeObject];
      const { kind, metadata } = first;
      await release.up({ "a.yaml": first });
      const old = await uid(first);
      const message = await messageOf(release.preview({ "a.yaml": next }));
      assert.match(message, new RegExp(`^manifests/a\\.yaml:1: ${kind} ${world.namespace}/${metadata.name}: `));
      assert.match(message, field);
      assert.ok(message.includes('stackyard.dev/replace: "true"'), message);
      assert.ok(!/hunter|aHVudGVy/.test(message), "a secret is shown");
      assert.ok(message.length < 800, message);
      assert.match(await release.fails({ "a.yaml": next }), field);
      assert.equal(await uid(first), old);

      world.logged.length = 0;
      await release.preview({ "a.yaml": noted(next) });
      assert.match(world.said("info"), new RegExp(`1 object to be replaced:\n± ${kind} \\S+/${metadata.name} `));
      assert.match(world.said("info"), field);
      assert.equal(await uid(first), old);
      await release.up({ "a.yaml": noted(next) });
      assert.notEqual(await uid(first), old);
      await release.up({ "a.yaml": noted(next) });
      await release.down();
    });
  }

  it("is replaced by object or kind if the release allows it; mutable fields change in place", async () => {
    const replace = ["batch/v1/Job", `v1/ConfigMap/${world.namespace}/frozen`];
    await release.up({ "a.yaml": [job("example/runtime:done"), frozen("1"), configMap("a")] }, { replace });
    const old = await world.there("ConfigMap", "a");
    await release.up({ "a.yaml": [job("example/runtime:next"), frozen("2"), configMap("a", { a: "c" })] }, { replace });
    const now = await world.there("ConfigMap", "a");
    assert.equal(now?.metadata.uid, old?.metadata.uid);
    assert.deepEqual((await world.there("ConfigMap", "frozen"))?.["data"], { value: "2" });
    await release.down();
  });

  it("is kept if the new object is invalid", async () => {
    await release.up({ "a.yaml": deployment() });
    const old = await uid(deployment());
    const wrong = noted(deployment({ spec: { ...other, replicas: -1 } }));
    assert.match(await messageOf(release.preview({ "a.yaml": wrong })), /spec\.replicas/);
    assert.match(await release.fails({ "a.yaml": wrong }), /spec\.replicas/);
    assert.equal(await uid(deployment()), old);
    await release.down();
  });

  it("is never replaced if it holds data", async () => {
    await release.up({ "a.yaml": claim("standard") });
    const message = await messageOf(release.preview({ "a.yaml": claim("other") }));
    assert.match(message, /PersistentVolumeClaim \S+\/disk: .*use its present values, or give/s);
    assert.doesNotMatch(message, /replace/);
    assert.match(await messageOf(release.preview({ "a.yaml": noted(claim("other")) })), /is never replaced/);
    await release.down();
  });

  it("keeps its pods and disks if it is a StatefulSet", async () => {
    await release.up({ "a.yaml": statefulSet() });
    const [pod, disk] = [await world.there("Pod", "acme-0"), await world.there("PersistentVolumeClaim", "data-acme-0")];
    await release.up({ "a.yaml": noted(statefulSet({ spec: { podManagementPolicy: "Parallel" } })) });
    assert.equal((await world.there("Pod", "acme-0"))?.metadata.uid, pod?.metadata.uid);
    assert.equal((await world.there("PersistentVolumeClaim", "data-acme-0"))?.metadata.uid, disk?.metadata.uid);
    const claimless = noted(statefulSet({ spec: { volumeClaimTemplates: [] } }));
    assert.match(await messageOf(release.preview({ "a.yaml": claimless })), /its claims hold data: data-acme-0/);
    assert.match(await release.fails({ "a.yaml": claimless }), /its claims hold data: data-acme-0/);
    await release.down();
  });

  it("is replaced if it is a failed Job", async () => {
    const { spec, ...rest } = noted(job("example/runtime:missing"));
    const failing = { "a.yaml": { ...rest, spec: { ...spec, activeDeadlineSeconds: 1 } } };
    assert.match(await release.fails(failing), /Job \S+\/work: it failed \(DeadlineExceeded/);
    const first = (await world.there("Job", "work", "batch/v1"))?.metadata.uid;
    world.logged.length = 0;
    await release.preview(failing);
    assert.match(world.said("info"), /± Job \S+\/work .*\n {4}it failed/);
    assert.match(await release.fails(failing), /it failed/);
    assert.notEqual((await world.there("Job", "work", "batch/v1"))?.metadata.uid, first);
    await release.down();
  });
});
