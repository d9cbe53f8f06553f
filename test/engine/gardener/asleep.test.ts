import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { at, textAt } from "../../../kubernetes/client/objects";
import type { RuntimeCluster } from "../../doubles/gardener/adminKubeconfig";
import { Gardener } from "../../doubles/gardener/gardener";
import { shootsCluster } from "../../doubles/gardener/shootsCluster";
import { definition, ReleasesDouble } from "../../doubles/kyma/installer";
import { GCP } from "../../unit/gardener/clusters";
import { until } from "../cli/held";
import { failed, succeeded, World } from "../runtime/world";
import { testYard } from "../runtime/yard";

const INSTALLATION = {
  apiVersion: "installer.kyma-project.io/v1alpha1",
  kind: "Installation",
  namespace: "default",
  name: "kyma-installation",
};

describe("a hibernated cluster after an update of Kyma that failed", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "kyma-module-"));
  const releases = new ReleasesDouble();
  let cluster: RuntimeCluster;
  let gardener: Gardener;
  let world: World;

  before(async () => {
    mkdirSync(path.join(folder, "manifests"));
    const module = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "asleep" }, data: { version: "2.20.0" } };
    writeFileSync(path.join(folder, "manifests", "module.yaml"), JSON.stringify(module));
    await releases.listen();
    const installerUrl = releases.publish("1.24.8").installerUrl.replace("1.24.8", "{version}");
    cluster = await shootsCluster();
    await cluster.client.apply(definition);
    const { discovery } = cluster.client;
    await until("the kind Installation is served", async () => {
      return (await discovery.version("installer.kyma-project.io", "Installation")) !== undefined;
    });
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    const project = `a${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard, cluster, stepMs: 20, project });
    world = new World(await testYard());
    const istio = (from: string) => ({
      modules: { istio: { namespace: "default", sources: [{ type: "local", path: from }] } },
    });
    const garden = (kyma: object) => ({
      type: "gardener",
      spec: {
        project,
        kubeconfig: { content: gardener.kubeconfig },
        secretBindings: { gcp: "gcp" },
        defaults: { ...GCP, tenant: undefined, kubernetesVersion: "1.32.8", machineType: "n1-standard-4" },
        kyma,
      },
    });
    await world.platform({
      defaultProvisioner: "manifests",
      provisioners: {
        manifests: garden({ versions: { "2.20.0": istio(folder), "2.21.0": istio("/nowhere") } }),
        installer: garden({ mode: "installer", installerUrl, timeoutSeconds: 3 }),
      },
    });
  });
  after(async () => {
    await gardener.stop();
    await releases.close();
    rmSync(folder, { recursive: true });
  });

  const request = (provisioner: string, version: string, state = "running") =>
    world.deployment(provisioner, { provisioner, state, cluster: {}, kyma: { version } });
  const asleep = async (name: string) => at(await gardener.shoot(name), "spec", "hibernation", "enabled");
  const installation = () => cluster.client.get(INSTALLATION);

  it("keeps the modules that it has, by `pulumi up` as often as it is run", async () => {
    await request("manifests", "2.20.0");
    succeeded(await world.up("manifests"));
    await request("manifests", "2.21.0");
    failed(await world.up("manifests"), /nowhere/);
    await request("manifests", "2.21.0", "hibernated");
    succeeded(await world.up("manifests"));
    succeeded(await world.up("manifests"));
    assert.equal(await asleep("manifests"), true);
    const module = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "asleep" };
    assert.equal(textAt(await cluster.client.get(module), "data", "version"), "2.20.0");
    await world.destroy("manifests");
  });

  it("is not installed into, and continues when it is awake", async () => {
    await request("installer", "1.24.8");
    failed(await world.up("installer"), /Kyma 1\.24\.8 is not installed in time/);
    await cluster.client.merge(INSTALLATION, { metadata: { labels: { action: null } } });
    await request("installer", "1.24.8", "hibernated");
    succeeded(await world.up("installer"));
    succeeded(await world.up("installer"));
    assert.equal(await asleep("installer"), true);
    assert.equal(at(await installation(), "metadata", "labels", "action"), undefined);
    await request("installer", "1.24.8");
    const done = world.up("installer");
    await until("the installer is started", async () => {
      return at(await installation(), "metadata", "labels", "action") === "install";
    });
    const metadata = { labels: { action: null } };
    await cluster.client.merge(INSTALLATION, {
      metadata,
      status: { state: "Installed", description: "Kyma installed" },
    });
    succeeded(await done);
    assert.ok((await world.isSettled("installer")).ok);
    await world.destroy("installer");
    await cluster.client.remove(INSTALLATION);
  });
});
