import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { testYard } from "./yard";
import { World } from "./world";
import { secure } from "../../tools/warmPulumi/stackFile";

/** Another way to the same cluster. */
function otherKubeconfig(world: World): string {
  const file = path.join(world.folder, "other-kubeconfig");
  const text = readFileSync(world.place.kubeconfig, "utf8").replace("https://127.0.0.1:", "https://localhost:");
  assert.match(text, /https:\/\/localhost:/);
  writeFileSync(file, text);
  return file;
}

/** What has to live on when a cluster gets another address, as it does with a tunnel, or from another machine. */
describe("another address of the same cluster", function () {
  this.timeout(300_000);
  let world: World;
  let namespaces: readonly string[];

  before(async () => {
    world = new World(await testYard());
    namespaces = ["runtimes", "ray", "shop"].map((name) => `${name}-${world.tag}`);
    const manifests = path.join(world.folder, "bundle", "manifests");
    mkdirSync(manifests, { recursive: true });
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shop" }, data: { open: "yes" } };
    writeFileSync(path.join(manifests, "shop.yaml"), JSON.stringify(configMap));
  });
  after(async () => {
    await world.kubectl("delete", "namespace", ...namespaces, "--ignore-not-found", "--wait=false");
    world.remove();
  });

  /** A platform, and a provisioner that has a kubeconfig of its own for the same cluster and namespace. */
  const config = (kubeconfig: string, own: string): Record<string, unknown> => {
    const [runtimes, ray, shop] = namespaces;
    const small = { cpu: 1, memoryGb: 1 };
    const host = `http://*.${runtimes}.localhost`;
    const spec = { namespace: runtimes, createNamespace: true, host, image: "example/runtime", ping: "off" };
    const clusters = { mode: "static", namespace: ray, pool: "", reservedCpu: 0, head: small, timeoutSeconds: 60 };
    return {
      cluster: { type: "existing", kubeconfig: { path: kubeconfig } },
      provisioners: {
        shared: { type: "kubernetes", spec },
        own: { type: "kubernetes", spec: { ...spec, kubeconfig: { path: own } } },
      },
      defaultProvisioner: "own",
      ray: { small: clusters },
      bundles: {
        shop: { versions: { "1.0.0": { sources: [{ type: "local", path: path.join(world.folder, "bundle") }] } } },
      },
      instances: { shop: { bundle: "shop", namespace: shop, createNamespace: true } },
    };
  };

  /** UIDs of all that matters, by kind and name. */
  async function uids(): Promise<Record<string, string>> {
    const kinds = "namespaces,statefulsets,deployments,pods,services,ingresses,persistentvolumeclaims,configmaps";
    const found = await Promise.all(
      namespaces.map((namespace) => world.get("-n", namespace, kinds.replace("namespaces,", ""))),
    );
    const spaces = await Promise.all(namespaces.map((namespace) => world.get("namespace", namespace)));
    const all = [...found.flatMap(({ items = [] }) => items), ...spaces];
    return Object.fromEntries(all.map(({ kind, metadata }) => [`${kind} ${metadata.name}`, metadata.uid]));
  }

  it("replaces and deletes nothing on the platform or of a runtime with a disk", async () => {
    const { ledgerUrl } = world.place;
    const upWith = async (...kubeconfigs: [string, string]): Promise<string> => {
      await world.configurePlatform({ ...config(...kubeconfigs), ledger: secure(ledgerUrl) });
      return world.must("platform", "up", "-s", world.tag, "--yes");
    };
    const [here, there] = [world.place.kubeconfig, otherKubeconfig(world)];
    await upWith(here, there);
    await world.deployment("acme", { slots: 1, version: "1.0.0" });
    await world.outputs("acme");
    const before = await uids();
    assert.ok("PersistentVolumeClaim data-runtime-acme-0" in before && "Pod runtime-acme-0" in before);

    const platform = await upWith(there, here);
    assert.doesNotMatch(platform, /replaced|deleted|created/);
    const runtime = await world.must("runtime", "up", "-s", "acme", "--yes");
    assert.deepEqual(await uids(), before);
    assert.doesNotMatch(runtime, /PersistentVolumeClaim .* deleted/);
    const settled = await world.isSettled("acme");
    assert.ok(settled.ok, settled.text);
    const again = await world.pulumi("platform", "preview", "-s", world.tag, "--expect-no-changes", "--diff");
    assert.ok(again.ok, again.text);
    await world.destroy("acme");
    assert.deepEqual(await world.objects(namespaces[0] ?? ""), []);
    await world.must("platform", "destroy", "-s", world.tag, "--yes", "--skip-preview");
  });
});
