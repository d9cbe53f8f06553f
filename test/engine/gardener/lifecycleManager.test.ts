import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { listAt, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { Gardener } from "../../doubles/gardener/gardener";
import { shootsCluster } from "../../doubles/gardener/shootsCluster";
import { readCrds, servedCrd, writeCrds } from "../../doubles/lifecycleManager/crds";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { lifecycleManager, usesLifecycleManager } from "../../tools/lifecycleManager";
import { GCP } from "../../unit/gardener/clusters";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { RealLifecycleManager } from "./realLifecycleManager";

const KYMA = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" };

/** Lifecycle Manager itself, on a real API server; the clusters of Shoots are another one, in which pods are simulated. */
describe("Kyma by the modules of Lifecycle Manager itself", function () {
  this.timeout(1_800_000); // The first time it is built.
  const id = `real-${randomBytes(2).toString("hex")}`;
  let gardener: Gardener;
  let installed: string;
  let manager: RealLifecycleManager;
  let plane: Client;
  let cluster: Client;
  let world: World;

  before(async function () {
    if (!usesLifecycleManager(projectRoot())) {
      console.log("      skipped: Lifecycle Manager is not installed; STACKYARD_LIFECYCLE_MANAGER=1 installs it");
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [lifecycleManager]);
    installed = path.dirname(programs["lifecycle-manager"] ?? "");
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    const file = path.join(yard, "kubeconfig");
    const kubeconfig = readFileSync(file, "utf8");
    plane = connect(kubeconfig, undefined, {});
    const shoots = await shootsCluster();
    cluster = shoots.client;
    gardener = await Gardener.start({ yard, cluster: shoots, stepMs: 20, project: `l${id.slice(-2)}` });
    manager = await RealLifecycleManager.start(plane, file, installed);
    await manager.certify(id);
    await manager.release("istio", { regular: "1.0.0", fast: "1.1.0" });
    await manager.release("keda", { regular: "2.0.0" });
    world = new World(await testYard());
    await world.platform({
      defaultProvisioner: "garden",
      provisioners: {
        garden: {
          type: "gardener",
          spec: {
            project: gardener.project,
            kubeconfig: { content: gardener.kubeconfig },
            secretBindings: { gcp: "gcp" },
            defaults: { ...GCP, kubernetesVersion: "1.33.4", machineType: "n1-standard-4" },
            kyma: { mode: "modules", controlPlane: { kubeconfig: { content: kubeconfig } }, timeoutSeconds: 120 },
          },
        },
      },
    });
  });
  after(async () => {
    await manager?.stop();
    await gardener?.stop();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.log(manager.logs());
  });

  const kyma = () => plane.get({ ...KYMA, namespace: "kcp-system", name: id });
  const up = async (modules: readonly object[]) => {
    await world.deployment(id, { cluster: { tenant: "red" }, kyma: { modules } });
    await world.must("runtime", "up", "-s", id, "--yes", "--skip-preview");
  };
  const versionOf = async (name: string) =>
    textAt(
      await cluster.get({ apiVersion: "v1", kind: "ConfigMap", namespace: "kyma-system", name }),
      "data",
      "version",
    );

  it("has the kinds that its double adds", () => {
    const crds = ["kymas", "modulereleasemetas", "moduletemplates"].map((name) =>
      servedCrd(load(readFileSync(path.join(installed, `${name}.yaml`), "utf8")) as KubeObject),
    );
    if (process.env["UPDATE_SNAPSHOTS"]) writeCrds(crds);
    assert.deepEqual(readCrds(), crds);
  });

  it("installs modules, moves them to another channel, and removes them", async () => {
    await up([{ name: "istio" }, { name: "keda" }]);
    assert.equal(textAt(await kyma(), "status", "state"), "Ready");
    assert.deepEqual([await versionOf("istio"), await versionOf("keda")], ["1.0.0", "2.0.0"]);
    assert.ok((await world.isSettled(id)).ok);
    await up([{ name: "istio", channel: "fast" }]);
    assert.deepEqual([await versionOf("istio"), await versionOf("keda")], ["1.1.0", undefined]);
    assert.deepEqual(
      listAt(await kyma(), "status", "modules").map(({ name, channel }) => [name, channel]),
      [["istio", "fast"]],
    );
  });

  it("is deleted with its modules before the cluster is", async () => {
    await world.destroy(id);
    assert.equal(await kyma(), undefined);
    assert.equal(await versionOf("istio"), undefined);
    assert.equal(await gardener.shoot(id), undefined);
  });
});
