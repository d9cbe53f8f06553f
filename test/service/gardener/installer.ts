import assert from "node:assert/strict";
import { at, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import type { Json } from "../../../foundation/json/isObject";
import { definition } from "../../doubles/kyma/installer";
import { until } from "../../engine/cli/held";
import type { RuntimePlace, Status } from "./place";

const INSTALLATION = {
  apiVersion: "installer.kyma-project.io/v1alpha1",
  kind: "Installation",
  namespace: "default",
  name: "kyma-installation",
};
const WORKING = { state: "InProgress", description: "installing istio", errorLog: null };
const INSTALLED = { state: "Installed", description: "Kyma installed", errorLog: null };
const FAILED = {
  state: "Error",
  description: "install istio",
  errorLog: [{ component: "istio", log: "timed out", occurrences: 1 }],
};
const KYMA = `kymaConfig: { version: "1.24.8", components: [{ component: "compass-runtime-agent", namespace: "compass-system" }] }`;

/** Kyma by its own installer, which the test plays. */
export function installer(placeOf: () => RuntimePlace): void {
  const client = () => placeOf().cluster.client;
  const found = (): Promise<KubeObject | undefined> => client().get(INSTALLATION);
  const report = (status: Json): Promise<KubeObject> => client().merge(INSTALLATION, { status });
  /** An installer at work, whoever started it. */
  const atWork = async (): Promise<void> => {
    const { apiVersion, kind, namespace, name } = INSTALLATION;
    await client().apply({ apiVersion, kind, metadata: { namespace, name }, spec: {}, status: WORKING });
  };
  const reported = (id: string, text: string): Promise<void> => placeOf().reported(id, text);
  /** A runtime whose cluster is there and has an installer at work before anybody begins with Kyma. */
  const begun = async (name: string): Promise<Status> => {
    const place = placeOf();
    const status = await place.provision(name, 'targetSecret: "cleanup"', KYMA);
    await place.until(status.id, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    await atWork();
    await place.release(name);
    await place.until(status.id, ({ message }) => message.endsWith("Stage WaitingForInstallation"));
    return status;
  };

  describe("with Kyma by its own installer", () => {
    before(async () => {
      const place = placeOf();
      await place.service.stop();
      await place.begin({ APP_GARDENER_PROVISIONER: "installer" });
      await client().apply(definition);
      const { discovery } = client();
      await until("the kind Installation is served", async () => {
        return (await discovery.version("installer.kyma-project.io", "Installation")) !== undefined;
      });
    });

    it("continues with a running installer, does not start it twice, and waits through a transient error", async () => {
      const place = placeOf();
      const status = await begun("installed");
      await reported(status.id, "%WaitingForInstallation (installing istio)%");
      assert.equal(at(await found(), "metadata", "labels", "action"), undefined);
      const deployment = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        namespace: "kyma-installer",
        name: "kyma-installer",
      };
      assert.equal(await client().get(deployment), undefined);
      await report(FAILED);
      await reported(status.id, "%error: install istio; istio: timed out%");
      await client().remove(INSTALLATION);
      await reported(status.id, "%WaitingForInstallation (absent)%");
      await atWork();
      await report(INSTALLED);
      await place.succeeded(status);
      const components = KYMA.replace("1.24.8", "1.99.0").replace("kymaConfig:", "{ kymaConfig:");
      const unknown = await place.change("upgradeRuntime", status.runtimeID, `${components} }`);
      const { state, lastError } = await place.until(unknown.id);
      assert.equal(state, "Failed");
      assert.match(lastError.errMessage, /there are no manifests of Kyma at http\S+\/1\.99\.0\/\S+; check the version/);
      assert.equal(textAt(await found(), "metadata", "labels", "action"), undefined);
      await place.succeeded(await place.change("hibernateRuntime", status.runtimeID));
      const gone = await place.deprovision(status.runtimeID);
      await place.succeeded(gone);
      await reported(gone.id, "%CleanupCluster (the hibernated cluster is woken%");
      assert.equal(textAt(await found(), "metadata", "labels", "action"), "uninstall");
      await place.emptyCluster();
      await client().remove(INSTALLATION);
    });

    it("fails with the installer's message on a lasting error", async () => {
      const place = placeOf();
      const status = await begun("broken");
      await reported(status.id, "%WaitingForInstallation (installing istio)%");
      await report(FAILED);
      const { state, lastError } = await place.until(status.id);
      assert.equal(state, "Failed");
      assert.match(lastError.errMessage, /Kyma 1\.24\.8 is not installed in time: install istio; istio: timed out/);
      await place.succeeded(await place.change("hibernateRuntime", status.runtimeID));
      // It can't wake any more, and can't be deleted before that is resolved.
      await place.fail("broken", "quota-exceeded");
      const gone = await place.deprovision(status.runtimeID);
      assert.equal((await place.until(gone.id)).lastError.reason, "ERR_INFRA_QUOTA_EXCEEDED");
      await reported(gone.id, "%does not wake, so Kyma is not removed before the cluster is deleted%");
      await place.release("broken");
      const again = `mutation { retryOperation(id: "${gone.id}") { operation { id } } }`;
      const { operation } = await place.get<{ operation: Status }>(again);
      assert.equal((await place.succeeded(operation)).operation, "Deprovision");
      assert.equal(at(await found(), "metadata", "labels", "action"), undefined);
      await place.emptyCluster();
      await client().remove(INSTALLATION);
    });

    it("skips Kyma's removal for a cluster that never had an API server", async () => {
      const place = placeOf();
      await atWork();
      const status = await place.provision("unborn", 'targetSecret: "quota-exceeded"', KYMA);
      assert.equal((await place.until(status.id)).state, "Failed");
      await place.fail("unborn", "none");
      assert.equal((await place.succeeded(await place.deprovision(status.runtimeID))).operation, "Deprovision");
      assert.equal(at(await found(), "metadata", "labels", "action"), undefined);
      await place.emptyCluster();
      await client().remove(INSTALLATION);
    });
  });
}
