import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CONFINEMENT, PLACE } from "../../../bundles/approvals/confine/policies";
import { CONTENT_LABEL, DEFINITION, POLICY, POLICY_BINDING } from "../../../bundles/approvals/definition";
import type { Client } from "../../../kubernetes/client/client";
import { at, type KubeObject } from "../../../kubernetes/objects/objects";
import { projectRoot } from "../../../toolchain/root";
import { Repository } from "../../unit/bundles/repository";
import { configMap, deployment, service } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, messageOf, World, type Files, type Release } from "./world";

const run = promisify(execFile);
const RBAC = "rbac.authorization.k8s.io";

const role = (...verbs: string[]) => ({
  ...{ apiVersion: `${RBAC}/v1`, kind: "Role", metadata: { name: "web" } },
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }],
});
const deny = {
  ...{ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata: { name: "deny" } },
  spec: { podSelector: {}, policyTypes: ["Ingress"] },
};
const job = (command: string) => ({
  ...{
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "task", annotations: { "stackyard.dev/replace": "true" } },
  },
  spec: {
    template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image: "a", command: [command] }] } },
  },
});
const secret = (value: string) => ({
  ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "key" } },
  stringData: { value },
});

/** What a machine with all rights of the user who applies the bundle can do, without what the release would do. */
describe("a user who is confined to the approved content", () => {
  let world: World;
  let user: string;
  let hostile: Client;
  let release: Release;
  const made: KubeObject[] = [];
  const group = (): string => `${world.namespace}.example.com`;

  const files = (value: string, ...verbs: string[]): Files => ({
    "a.yaml": [configMap("settings", { value }), secret(value), role("get", ...verbs), deny],
    "b.yaml": [deployment({ name: "web", replicas: 0 }), service("web"), job(value)],
  });

  async function approve(content?: Files | string, ...more: string[]): Promise<string> {
    const kubeconfig = path.join(world.folder, "kubeconfig");
    writeFileSync(kubeconfig, world.kubeconfig);
    const source = typeof content === "object" ? world.bundle(`read-${Math.random()}`, content) : content;
    const bin = path.join(projectRoot(), "cli", "bin", "kubectl-bundle");
    const args = [
      "approve",
      "shop",
      ...(source === undefined ? [] : [source]),
      "-n",
      world.namespace,
      "--yes",
      "--kubeconfig",
      kubeconfig,
      ...more,
    ];
    return (await run(bin, args)).stdout;
  }
  const confine = (content: Files) => approve(content, "--confine", user);

  async function refused(
    work: () => Promise<unknown>,
    expected = /is not what was approved of bundle|writing approved content requires/,
  ) {
    for (let tries = 0; ; tries++) {
      const error = await work().then(
        () => "it was accepted",
        (thrown: unknown) => String(thrown),
      );
      if (expected.test(error)) return;
      // Policies and their parameters take effect with a delay.
      assert.ok(tries < 30, error);
      await sleep(100);
    }
  }
  const inNamespace = (object: { metadata: object }): KubeObject =>
    ({ ...object, metadata: { ...object.metadata, namespace: world.namespace } }) as KubeObject;
  const contents = () =>
    world.client.list(
      { apiVersion: "apps/v1", kind: "ControllerRevision", namespace: PLACE },
      { label: CONTENT_LABEL },
    );

  before(async () => {
    world = await new World(await testKubeconfig()).open();
    user = `deployer-${world.namespace}`;
    const rights = {
      ...{ apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name: user } },
      rules: [
        ...["", "apps", "batch", "networking.k8s.io", RBAC, "apiextensions.k8s.io", group(), "scheduling.k8s.io"].map(
          (one) => ({ apiGroups: [one], resources: ["*"], verbs: ["*"] }),
        ),
        { apiGroups: ["stackyard.dev"], resources: ["*"], verbs: ["get", "list", "create", "patch", "delete"] },
      ],
    };
    const bound = {
      ...{ apiVersion: `${RBAC}/v1`, kind: "ClusterRoleBinding", metadata: { name: user } },
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: user },
      subjects: [{ apiGroup: RBAC, kind: "User", name: user }],
    };
    for (const one of [rights, bound]) made.push(await world.client.apply(one));
    hostile = world.client.as({ user });
    release = world.release("shop", { as: user, approval: "more", force: true });
    await confine(files("1"));
    await refused(() => hostile.apply(inNamespace(configMap("other"))));
  });
  after(async () => {
    for (const { apiVersion, kind, metadata } of [...CONFINEMENT].reverse())
      await world.client.remove({ apiVersion, kind, name: metadata.name });
    for (const { metadata } of await contents())
      await world.client.remove({
        ...{ apiVersion: "apps/v1", kind: "ControllerRevision" },
        ...{ namespace: PLACE, name: metadata.name },
      });
    for (const { apiVersion, kind, metadata } of [...made, DEFINITION, POLICY_BINDING, POLICY])
      await world.client.remove({ apiVersion, kind, name: metadata.name });
    await world.close();
  });

  it("applies that content, and again after others have changed it", async () => {
    await release.up(files("1"));
    await world.client.merge(world.ref("apps/v1", "Deployment", "web"), { spec: { replicas: 1 } });
    await release.refresh();
    await release.up(files("1"));
    assert.equal(at(await world.there("Deployment", "web", "apps/v1"), "spec", "replicas"), 0);
    assert.ok(await world.there("Job", "task", "batch/v1"));
  });

  it("writes no other object, not even in another namespace or version", async () => {
    await refused(() => hostile.apply(inNamespace(configMap("other"))));
    await refused(() => hostile.apply({ ...configMap("settings"), metadata: { name: "settings", namespace: PLACE } }));
    const labels = { "stackyard.dev/bundle": "shop", "stackyard.dev/bundle-namespace": world.namespace };
    await refused(() => hostile.apply(inNamespace({ ...configMap("other"), metadata: { name: "other", labels } })));
    const { apiVersion, kind } = { apiVersion: `${RBAC}/v1`, kind: "ClusterRoleBinding" };
    const roleRef = { apiGroup: RBAC, kind: "ClusterRole", name: "cluster-admin" };
    await refused(() => hostile.apply({ apiVersion, kind, metadata: { name: "root" }, roleRef, subjects: [] }));
  });

  it("changes no field, label or annotation of an approved object", async () => {
    await refused(() => hostile.apply(inNamespace(configMap("settings", { value: "2" }))));
    await refused(() => hostile.apply(inNamespace(role("get", "delete"))));
    const web = world.ref("apps/v1", "Deployment", "web");
    const pod = { spec: { hostNetwork: true } };
    await refused(() => hostile.merge(web, { spec: { template: pod } }));
    await refused(() => hostile.merge(web, { spec: { template: { metadata: { annotations: { a: "b" } } } } }));
    await refused(() => hostile.merge(web, { metadata: { annotations: { a: "b" } } }));
    await refused(() => hostile.merge(web, { metadata: { labels: { app: "bank" } } }));
    await refused(() => hostile.merge(web, { metadata: { finalizers: ["example.com/stays"] } }));
    await refused(() => hostile.merge(world.ref("v1", "Service", "web"), { spec: { selector: { app: "bank" } } }));
    await refused(() => hostile.merge(world.ref("v1", "Service", "web"), { spec: { externalIPs: ["192.0.2.1"] } }));
    await refused(() => hostile.merge(world.ref("v1", "Service", "web"), { spec: { ports: [{ port: 443 }] } }));
    await refused(() => hostile.merge(world.ref("v1", "Secret", "key"), { metadata: { labels: { a: "b" } } }));
    await hostile.remove(world.ref("batch/v1", "Job", "task"));
    await refused(() => hostile.apply(inNamespace(job("2"))), /is not what was approved|is being deleted/);
    await refused(() => hostile.create(inNamespace(job("2"))));
  });

  it("reaches nothing through subresources and connections", async () => {
    const account = world.ref("v1", "ServiceAccount", "default");
    const token = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    await refused(() => hostile.issue(account, "token", token));
    const path = `/apis/apps/v1/namespaces/${world.namespace}/deployments/web/scale`;
    const sent = {
      method: "PATCH" as const,
      path,
      contentType: "application/merge-patch+json",
      body: '{"spec":{"replicas":9}}',
    };
    const { status, body } = await hostile.connection.send({ ...sent, timeoutMs: 5_000 });
    assert.equal(status, 403, body);
  });

  it("deletes objects of the bundle, but no restriction and nothing of others", async () => {
    await world.client.apply(inNamespace(configMap("others")));
    await refused(() => hostile.remove(world.ref("v1", "ConfigMap", "others")));
    await refused(() => hostile.remove(world.ref("networking.k8s.io/v1", "NetworkPolicy", "deny")));
    await hostile.remove(world.ref("v1", "ConfigMap", "settings"));
    assert.equal(await world.there("ConfigMap", "settings"), undefined);
  });

  it("can neither change nor remove what was approved", async () => {
    const [content] = await contents();
    assert.ok(content);
    const ref = {
      ...{ apiVersion: "apps/v1", kind: "ControllerRevision" },
      namespace: PLACE,
      name: content.metadata.name,
    };
    await refused(() => hostile.remove(ref));
    await refused(() => hostile.merge(ref, { metadata: { labels: { [CONTENT_LABEL]: null } } }));
    await refused(() => hostile.create({ ...content, metadata: { ...content.metadata, name: "mine" } }));
    // Nor somebody else with rights on the kind.
    const eve = `eve-${user}`;
    const subjects = [{ apiGroup: RBAC, kind: "User", name: eve }];
    made.push(await world.client.apply({ ...(made[1] as KubeObject), metadata: { name: eve }, subjects }));
    await refused(
      () => world.client.as({ user: eve }).remove(ref),
      /writing approved content requires the verb approve/,
    );
  });

  it("can't apply content that was changed after the approval", async () => {
    const text = await release.fails(files("2"));
    assert.match(text, /must be approved/);
    await release.refresh();
    const { digest } = await release.check(files("1"));
    // The content that was approved, from a cache that was changed on the disk.
    for (const file of readdirSync(path.join(world.folder, "cache"), { recursive: true, encoding: "utf8" })) {
      const cached = path.join(world.folder, "cache", file);
      if (!file.includes(".")) continue;
      writeFileSync(cached, readFileSync(cached).subarray(0, 20));
    }
    await release.up(files("1"), { digest });
    assert.deepEqual((await world.there("ConfigMap", "settings"))?.["data"], { value: "1" });
  });

  it("can't apply a Git tag that was moved after the approval", async () => {
    const content = (value: string) => ({ "manifests/a.yaml": JSON.stringify(configMap("settings", { value })) });
    const repository = await Repository.make(path.join(world.folder, "repository"), content("5"));
    repository.git("tag", "v1");
    const tag = { sources: [{ type: "git", repository: `file://${repository.folder}`, ref: { tag: "v1" } }] };
    await approve(`git+file://${repository.folder}#tag=v1`);
    await release.up({}, tag);
    await repository.commit(content("6"));
    repository.git("tag", "--force", "v1");
    assert.match(await messageOf(release.up({}, tag)), /must be approved/);
    assert.deepEqual((await world.there("ConfigMap", "settings"))?.["data"], { value: "5" });
  });

  it("must be approved with the sources of the content", async () => {
    await messageOf(release.up(files("7")));
    const { digest } = await release.check(files("7"));
    await assert.rejects(
      approve(undefined, "--digest", digest),
      /may apply only the approved content of bundle .*: name its sources/,
    );
  });

  it("applies the content that was approved last, also of two approvals at once", async () => {
    const [one, two] = [files("3", "list"), files("4", "list")];
    await Promise.all([approve(one), approve(two)]);
    const sets = new Set((await contents()).map(({ metadata: { name } }) => name.slice(0, name.lastIndexOf("."))));
    assert.equal(sets.size, 1);
    const results = [await release.up(one).catch(String), await release.up(two).catch(String)];
    assert.ok(results.some((result) => typeof result === "string" && /must be approved/.test(result)));
    await approve(two);
    await release.up(two);
    assert.match(await messageOf(release.up(one)), /must be approved/);
    assert.deepEqual((await world.there("ConfigMap", "settings"))?.["data"], { value: "4" });
  });

  it("updates to approved content without a quota of the bundle that new objects exceed", async () => {
    const used = (await world.configMaps()).length + 1;
    const quota = {
      ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "few" } },
      spec: { hard: { "count/configmaps": String(used) } },
    };
    const kept = [configMap("settings", { value: "8" }), deny];
    const limited = { "a.yaml": [...kept, quota] };
    await approve(limited);
    await release.up(limited);
    // The API server enforces it when its controller has counted.
    while (at(await world.there("ResourceQuota", "few"), "status", "used", "count/configmaps") !== String(used))
      await sleep(50);
    await refused(() => hostile.remove(world.ref("v1", "ResourceQuota", "few")));
    const more = { "a.yaml": [...kept, configMap("more"), configMap("most")] };
    assert.match(await messageOf(release.up(more)), /must be approved[^]*ResourceQuota \S+few: is removed/);
    await approve(more);
    await release.up(more);
    assert.match(world.said("info"), /removes ResourceQuota \S+ first, because .*exceeded quota/s);
    assert.ok((await world.configMaps()).includes("most"));
  });

  it("applies a new kind with its objects", async () => {
    const defined = { "a.yaml": [crd(group()), gadget(group(), "one")] };
    await approve(defined);
    await release.up(defined);
    await refused(() => hostile.apply(inNamespace(gadget(group(), "one", { size: 2 }))));
    await refused(() => hostile.apply(crd(group(), { size: { type: "string" } })));
  });

  it("applies nothing after its content was denied", async () => {
    await world.client.apply(inNamespace(configMap("anchor")));
    const kubeconfig = path.join(world.folder, "kubeconfig");
    const { digest } = release.state ?? {};
    const bin = path.join(projectRoot(), "cli", "bin", "kubectl-bundle");
    await run(bin, [
      "deny",
      "shop",
      "--digest",
      String(digest),
      "-n",
      world.namespace,
      "--yes",
      "--kubeconfig",
      kubeconfig,
    ]);
    await refused(() => hostile.apply(inNamespace(gadget(group(), "one"))));
  });
});
