import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { failed, World } from "./world";
import { testYard } from "./yard";

/** What has something in a cluster. */
const REAL = /:(ManifestSet|BundleRelease)$/;

interface State {
  readonly deployment: { readonly resources?: readonly { urn: string; type: string }[] };
}

describe("the destroy of a platform with deployments", function () {
  this.timeout(300_000);
  let world: World;
  let namespaces: readonly string[];

  before(async () => {
    world = new World(await testYard());
    namespaces = ["runtimes", "spare", "shop"].map((name) => `${name}-${world.tag}`);
    const manifests = path.join(world.folder, "bundle", "manifests");
    mkdirSync(manifests, { recursive: true });
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" }, data: { open: "yes" } };
    writeFileSync(path.join(manifests, "shop.yaml"), JSON.stringify(configMap));
    const [runtimes, spare, shop] = namespaces;
    const spec = { createNamespace: true, host: "http://*.runtimes.localhost", image: "example/runtime", ping: "off" };
    const pool = (name: string) => ({
      type: "static",
      spec: { runtimes: [{ host: `http://${name}-${world.tag}.localhost:9091`, slots: 2 }] },
    });
    await world.platform({
      cluster: { type: "existing", kubeconfig: { path: world.place.kubeconfig } },
      provisioners: {
        used: { type: "kubernetes", spec: { ...spec, namespace: runtimes } },
        unused: { type: "kubernetes", spec: { ...spec, namespace: spare } },
        empty: pool("empty"),
        taken: pool("taken"),
      },
      defaultProvisioner: "used",
      bundles: {
        shop: { versions: { "1.0.0": { sources: [{ type: "local", path: path.join(world.folder, "bundle") }] } } },
      },
      instances: { shop: { bundle: "shop", namespace: shop, createNamespace: true } },
    });
  });
  after(async () => {
    await world.kubectl("delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  /** What the platform's state has of its clusters. */
  async function things(): Promise<string[]> {
    const { deployment } = JSON.parse(await world.must("platform", "stack", "export", "-s", world.tag)) as State;
    return (deployment.resources ?? []).filter(({ type }) => REAL.test(type)).map(({ urn }) => urn);
  }

  const destroy = (...flags: string[]) =>
    world.pulumi("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview", ...flags);

  for (const [provisioner, message] of [
    ["used", /provisioner used cannot be removed while it has 1 deployment: of-used/],
    ["taken", /pool \S+\/taken cannot be removed while it has 1 deployment: of-taken/],
  ] as const) {
    it(`deletes nothing while provisioner "${provisioner}" has a deployment`, async () => {
      const id = `of-${provisioner}`;
      await world.deployment(id, { slots: 1, version: "1.0.0", provisioner });
      await world.outputs(id);
      const before = await things();
      assert.ok(before.some((urn) => urn.endsWith("::bundles-shop-release")));
      failed(await destroy(), message);
      failed(await destroy("--continue-on-error"), message);
      const bundle = before.find((urn) => urn.endsWith("::bundles-shop-release")) ?? "";
      failed(await destroy("--target", bundle, "--target-dependents"), message);
      assert.deepEqual(await things(), before);
      await world.get("-n", namespaces[2] ?? "", "configmap", "shop");
      await world.must("platform", "up", "-s", world.tag, "--yes", "--skip-preview");
      await world.destroy(id);
    });
  }

  it("continues once the deployments are gone", async () => {
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
    assert.deepEqual(await things(), []);
  });
});
