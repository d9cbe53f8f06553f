import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { connect } from "../../../kubernetes/connect/connect";
import { blocksOf, stackFileOf } from "../../fixtures/pages";
import { testYard } from "../runtime/yard";
import { World } from "../runtime/world";

const root = path.join(__dirname, "../../..");

/** Keys of a page's stack file without their namespace, after what has to be the yard's own was put in. */
function exampleOf(page: string, changes: readonly (readonly [RegExp, string])[]): Record<string, unknown> {
  const text = changes.reduce((before, [pattern, value]) => {
    assert.match(before, pattern, `${page} has no longer what the test puts something else in for`);
    return before.replace(pattern, value);
  }, stackFileOf(page));
  const { config } = load(text) as { config: Record<string, unknown> };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace(/^.*:/, ""), value]));
}

describe("the documentation example for", () => {
  let world: World;

  beforeEach(async () => {
    world = new World(await testYard());
  });
  afterEach(() => world.remove());

  /** Deploys the runtime of the page about runtime stacks, and removes it again. */
  async function runtimeFromThePages(): Promise<Record<string, unknown>> {
    const { deployment } = exampleOf("docs/runtime-stacks.md", []);
    await world.deployment("acme", deployment as Record<string, unknown>);
    const outputs = await world.outputs("acme");
    const settled = await world.isSettled("acme");
    assert.ok(settled.ok, settled.text);
    await world.destroy("acme");
    return outputs;
  }

  it("static provisioners gives a deployment its slots", async () => {
    const { ledger, ...config } = exampleOf("docs/provisioners-static.md", [
      [/example\.org/g, `${world.tag}.example.org`],
    ]);
    assert.ok(ledger, "the page no longer says where the ledger is");
    await world.platform(config);
    const { host, cpu } = await runtimeFromThePages();
    assert.match(String(host), /^https:\/\/runtime-[12]\./);
    assert.equal(cpu, 2);
  });

  it("Kubernetes provisioners gives a deployment a workload", async () => {
    const config = exampleOf("docs/provisioners-kubernetes.md", [
      [/~\/\.kube\/config/, world.place.kubeconfig],
      [/namespace: runtimes/, `namespace: docs-${world.tag}`],
      // Pods of the yard are simulated and answer nothing.
      [/image: example\/runtime/, 'image: example/runtime\n        ping: "off"'],
      [/runtime\/examples/g, path.join(root, "runtime/examples")],
    ]);
    await world.platform(config);
    const { host, storageBytes } = await runtimeFromThePages();
    assert.match(String(host), /^https:\/\/acme\.eu\.example\.com$/);
    assert.equal(storageBytes, 80 * 2 ** 30);
  });

  it("manifest sets applies its objects and removes them", async () => {
    const source = blocksOf("docs/manifest-set.md").find(({ language }) => language === "ts");
    assert.ok(source, "the page has no program");
    const namespace = `docs-${world.tag}`;
    await world.kubectl("create", "namespace", namespace);
    world.program("hello", source.text.replace('"./components/', `"${root}/components/`));
    await world.must("hello", "stack", "init", "hello");
    await world.must("hello", "config", "set", "kubeconfig", world.place.kubeconfig);
    await world.must("hello", "config", "set", "namespace", namespace);
    await world.must("hello", "up", "--yes", "--skip-preview");
    const { status } = await world.get("-n", namespace, "deployment", "hello");
    assert.equal((status as { readyReplicas: number }).readyReplicas, 2);
    await world.must("hello", "preview", "--expect-no-changes");
    await world.must("hello", "destroy", "--yes", "--skip-preview");
    assert.deepEqual((await world.get("-n", namespace, "deployments,configmaps")).items?.length, 1, "kube-root-ca.crt");
    await world.kubectl("delete", "namespace", namespace);
  });

  it("operator bundles installs an operator with a usable kind and removes it", async () => {
    const namespace = `docs-${world.tag}`;
    const config = exampleOf("docs/operator-bundles.md", [
      [/~\/\.kube\/config/, world.place.kubeconfig],
      [/docs\/examples/, path.join(root, "docs/examples")],
      [/memcached-operator-system/g, namespace],
      [/bundle: memcached/, "bundle: memcached\n      allowDeletion: [CustomResourceDefinition]"],
    ]);
    await world.platform(config);
    const deployment = await world.get("-n", namespace, "deployment", "memcached-operator");
    assert.equal((deployment.status as { readyReplicas: number }).readyReplicas, 1);
    assert.match(JSON.stringify(deployment), new RegExp(`"olm.targetNamespaces":"${namespace}"`));
    const cluster = connect(readFileSync(world.place.kubeconfig, "utf8"), undefined, {});
    const [apiVersion, kind] = ["cache.example.com/v1alpha1", "Memcached"];
    await cluster.apply({ apiVersion, kind, metadata: { name: "one", namespace }, spec: { size: 3 } });
    await world.must("platform", "preview", "-s", world.tag, "--expect-no-changes");
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    await world.kubectl("delete", "namespace", namespace);
  });
});
