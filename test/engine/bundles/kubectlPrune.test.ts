import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { dump } from "js-yaml";
import { configMap, service } from "../manifests/world";
import { testKubeconfig } from "../manifests/yard";
import { World } from "./world";

const SET = "--applyset=configmap/bundle-shop";

describe("a release as a kubectl ApplySet", () => {
  let world: World;
  let kubeconfig: string;
  beforeEach(async () => {
    world = await new World(await testKubeconfig()).open();
    kubeconfig = path.join(world.folder, "kubeconfig");
    writeFileSync(kubeconfig, world.kubeconfig, { mode: 0o600 });
  });
  afterEach(() => world.close());

  const env = () => ({ ...process.env, KUBECTL_APPLYSET: "true" });
  const given = (args: readonly string[]) => ["--kubeconfig", kubeconfig, "-n", world.namespace, ...args];
  const kubectl = (...args: string[]): string =>
    execFileSync("kubectl", given(args), { encoding: "utf8", stdio: "pipe", env: env() });
  const refused = (...args: string[]): string => {
    const { status, stderr } = spawnSync("kubectl", given(args), { encoding: "utf8", env: env() });
    assert.notEqual(status, 0);
    return stderr;
  };
  /** Options that apply these objects, and remove what else is in the set. */
  const prune = (objects: readonly object[], ...more: string[]): string[] => {
    const file = path.join(world.folder, "wanted.yaml");
    writeFileSync(file, objects.map((object) => dump(object)).join("---\n"));
    return ["apply", "--server-side", "--prune", SET, "-f", file, ...more];
  };
  const parent = async () => (await world.there("ConfigMap", "bundle-shop"))?.metadata;

  it("lists its members for kubectl, including those in other namespaces", async () => {
    const elsewhere = `${world.namespace}-more`;
    const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: elsewhere } };
    const inside = { ...configMap("far"), metadata: { name: "far", namespace: elsewhere } };
    const release = world.release();
    await release.up({ "a.yaml": [configMap("a"), configMap("b"), service(), own, inside] });
    const { labels = {}, annotations = {} } = (await parent()) ?? {};
    const id = labels["applyset.kubernetes.io/id"];
    assert.match(id ?? "", /^applyset-[\w-]{43}-v1$/);
    assert.equal(annotations["applyset.kubernetes.io/contains-group-kinds"], "ConfigMap,Namespace,Service");
    assert.equal(annotations["applyset.kubernetes.io/additional-namespaces"], elsewhere);
    const found = kubectl("get", "configmaps,services", "-l", `applyset.kubernetes.io/part-of=${id}`, "-o", "name");
    assert.deepEqual(found.trim().split("\n"), ["configmap/a", "configmap/b", "service/acme"]);
    const said = kubectl(...prune([configMap("a"), configMap("b"), service(), own]));
    assert.match(said, /^configmap\/far pruned$/m);
    assert.deepEqual(await world.configMaps(elsewhere), []);
    await release.down();
  });

  it("loses only members that kubectl prunes, which kubectl previews and a refresh restores", async () => {
    const release = world.release();
    const files = { "a.yaml": [configMap("a"), configMap("b"), service()] };
    await release.up(files);
    const stranger = { ...configMap("stranger"), metadata: { name: "stranger", namespace: world.namespace } };
    await world.client.apply(stranger);

    const tried = kubectl(...prune([configMap("a"), service()], "--dry-run=server"));
    assert.match(tried, /^configmap\/b pruned \(server dry run\)$/m);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop", "stranger"]);

    const said = kubectl(...prune([configMap("a"), service()]));
    assert.deepEqual(
      said.split("\n").filter((line) => line.includes("pruned")),
      ["configmap/b pruned"],
    );
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "stranger"]);

    // Without a refresh nobody looks; the engine's update finds the content unchanged.
    assert.deepEqual(await release.changes(files), []);
    assert.ok(await release.refresh());
    assert.deepEqual(release.inputs?.drift, [`ConfigMap ${world.namespace}/b is missing`]);
    await release.up(files);
    assert.deepEqual(await world.configMaps(), ["a", "b", "bundle-shop", "stranger"]);
    // And what kubectl noted is taken back.
    await release.up({ "a.yaml": [configMap("a")] });
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop", "stranger"]);
    assert.equal((await parent())?.annotations?.["applyset.kubernetes.io/contains-group-kinds"], "ConfigMap");
    await release.down();
    assert.deepEqual(await world.configMaps(), ["stranger"]);
  });

  it("updates a record of an older version, which kubectl rejects as another tool's", async () => {
    const release = world.release();
    const files = { "a.yaml": [configMap("a"), configMap("b")] };
    await release.up(files);
    const note = world.ref("v1", "ConfigMap", "bundle-shop");
    const tooling = { "applyset.kubernetes.io/tooling": "stackyard/0.1.0" };
    await world.client.merge(note, { metadata: { annotations: tooling } });
    assert.match(refused(...prune([configMap("a")])), /managed by tooling "stackyard"/);
    await release.up({ "a.yaml": [configMap("a")] });
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
    kubectl(...prune([configMap("a")]));
    await release.down();
    assert.deepEqual(await world.configMaps(), []);
  });

  it("leaves an ApplySet alone that kubectl created", async () => {
    kubectl(...prune([configMap("a")]));
    const message = await world.release().fails({ "a.yaml": configMap("b") });
    assert.match(message, /ConfigMap \S+\/bundle-shop is where bundle \S+ notes .*belongs to kubectl\//);
    assert.deepEqual(await world.configMaps(), ["a", "bundle-shop"]);
  });
});
