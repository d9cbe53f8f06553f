import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { configMap, deployment } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { crd, gadget, World } from "./world";

describe("a bundle release", () => {
  let world: World;
  beforeEach(async () => (world = await new World(await testKubeconfig()).open()));
  afterEach(() => world.close());
  const data = async (name: string) => (await world.there("ConfigMap", name))?.["data"] as Record<string, string>;
  const kubectl = (...args: string[]): string => {
    const file = path.join(world.folder, "kubeconfig");
    writeFileSync(file, world.kubeconfig, { mode: 0o600 });
    return execFileSync("kubectl", ["--kubeconfig", file, "-n", world.namespace, ...args], {
      encoding: "utf8",
      stdio: "pipe",
    });
  };

  it("names the other manager of conflicting fields and takes them over with force", async () => {
    const release = world.release();
    await release.up({ "a.yaml": configMap("a", { color: "red", size: "1" }) });
    kubectl("patch", "configmap", "a", "--type=merge", "--field-manager=painter", "-p", '{"data":{"color":"green"}}');
    const wanted = { "a.yaml": configMap("a", { color: "blue", size: "2" }) };
    const message = await release.fails(wanted);
    assert.match(
      message,
      /manifests\/a\.yaml:1: ConfigMap \S+\/a: fields are managed by others: \.data\.color by "painter"/,
    );
    assert.match(message, /force: true/);
    assert.deepEqual(await data("a"), { color: "green", size: "1" });
    await assert.rejects(release.preview(wanted), /"painter"/);
    await release.up(wanted, { force: true });
    assert.deepEqual(await data("a"), { color: "blue", size: "2" });
  });

  it("adopts existing objects only on request and lists the objects to adopt", async () => {
    await world.client.apply({
      ...configMap("a", { a: "theirs" }),
      metadata: { name: "a", namespace: world.namespace },
    });
    kubectl("annotate", "configmap", "a", "note=mine");
    const files = { "a.yaml": configMap("a", { a: "ours" }) };
    const release = world.release();
    const message = await release.fails(files);
    const key = `v1/ConfigMap/${world.namespace}/a`;
    assert.ok(message.includes("exists already and belongs to no bundle"), message);
    assert.ok(message.includes(`adopt: ["${key}"]`), message);
    assert.deepEqual(await world.configMaps(), ["a"], "something was made all the same");
    await release.up(files, { adopt: [key] });
    assert.deepEqual(await data("a"), { a: "ours" });
    const other = await world.release("other").fails(files, { adopt: [key] });
    assert.match(
      other,
      new RegExp(`ConfigMap \\S+/a belongs to bundle ${world.namespace}/shop; .* does not take over`),
    );
  });

  it("rejects CRD changes that break existing resources, unless allowed by name", async () => {
    const group = `${world.namespace}.example.com`;
    const release = world.release();
    await release.up({ "a.yaml": [crd(group), gadget(group, "one", { size: 7 })] });
    const narrower = { "a.yaml": [crd(group, { size: { type: "integer", maximum: 5 } })] };
    const message = await release.fails(narrower);
    assert.match(
      message,
      /allowCrdChanges: \["\S+\/boundsNarrowed","\S+\/invalidObjects"\].*range of a number is narrowed/s,
    );
    assert.match(message, /Gadget \S+\/one \^\.spec\.size: it must be <= 5/);
    await assert.rejects(release.preview(narrower), /range of a number is narrowed/);
    await release.up(narrower, { allowCrdChanges: [`gadgets.${group}/boundsNarrowed`, "misfits"] });
    await release.down();
  });

  it("impersonates a ServiceAccount with minimal permissions", async () => {
    const { namespace } = world;
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "deployer", namespace } };
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }];
    const api = "rbac.authorization.k8s.io";
    await world.client.apply(account);
    await world.client.apply({
      apiVersion: `${api}/v1`,
      kind: "Role",
      metadata: { name: "deployer", namespace },
      rules,
    });
    await world.client.apply({
      apiVersion: `${api}/v1`,
      kind: "RoleBinding",
      metadata: { name: "deployer", namespace },
      roleRef: { apiGroup: api, kind: "Role", name: "deployer" },
      subjects: [{ kind: "ServiceAccount", name: "deployer", namespace }],
    });
    const as = `system:serviceaccount:${namespace}:deployer`;
    const release = world.release("shop", { as });
    await release.up({ "a.yaml": configMap("a") });
    const message = await release.fails({ "a.yaml": [configMap("a"), deployment()] });
    assert.match(
      message,
      new RegExp(`${as} may not apply bundle ${namespace}/shop, and nothing was changed[^]*- deployments`),
    );
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });
});
