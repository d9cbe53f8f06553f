import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../foundation/pulumi/resource";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { at, textAt } from "../../../kubernetes/objects/objects";
import { checkKyma, type KymaInputs, type KymaState } from "../../../provider/resources/kymaInstallation/inputs";
import { kymaInstallation } from "../../../provider/resources/kymaInstallation/kymaInstallation";
import { until } from "../cli/held";
import { definition, installerStages, ReleasesDouble } from "../../doubles/kyma/installer";

const INSTALLATION = {
  apiVersion: "installer.kyma-project.io/v1alpha1",
  kind: "Installation",
  namespace: "default",
  name: "kyma-installation",
};

describe("Kyma with its installer in a cluster", () => {
  let kubeconfig: string;
  let client: Client;
  let releases: ReleasesDouble;
  let state: KymaState;
  const statuses: string[] = [];

  const context = (preview = false): Context => ({
    urn: "urn",
    backend: "file:///state",
    preview,
    signal: AbortSignal.timeout(120_000),
    timeoutSeconds: 60,
    log: (_severity, message) => void statuses.push(message),
  });
  const inputs = (more: object = {}): KymaInputs =>
    checkKyma({
      kubeconfig,
      cluster: "the yard",
      version: "1.24.8",
      ...releases.publish("1.24.8"),
      configuration: [{ key: "global.domainName", value: "acme.example.com" }],
      secretOverrides: [{ component: "core", key: "password", value: "hunter2" }],
      components: [{ component: "core", namespace: "kyma-system" }],
      ...more,
    }).inputs as unknown as KymaInputs;
  const behave = async (how: "installs" | "fails" | "recovers"): Promise<void> => {
    for (const stage of installerStages(how)) await client.apply(stage);
    if (how === "recovers") return;
    await client.remove({ apiVersion: "kwok.x-k8s.io/v1alpha1", kind: "Stage", name: "kyma-installer-recovers" });
  };
  /** KWOK gives a kind up that it could not look at when it got its Stages, so they are made again until it plays them. */
  const played = async (): Promise<void> => {
    const probe = { ...INSTALLATION, name: "probe" };
    const { apiVersion, kind, namespace, name } = probe;
    await client.apply({ apiVersion, kind, metadata: { namespace, name, labels: { action: "install" } }, spec: {} });
    const isPlayed = async () => textAt(await client.get(probe), "status", "state") !== undefined;
    for (let attempt = 1; !(await isPlayed()); attempt++) {
      assert.ok(attempt <= 5, "KWOK does not play the installer");
      for (const { apiVersion, metadata } of installerStages("recovers"))
        await client.remove({ apiVersion, kind: "Stage", name: metadata.name });
      await behave("installs");
      for (let look = 0; look < 100 && !(await isPlayed()); look++) await sleep(50);
    }
    await client.remove(probe);
  };
  const installer = () =>
    client.get({ apiVersion: "apps/v1", kind: "Deployment", namespace: "kyma-installer", name: "kyma-installer" });
  const override = (kind: string, name: string) =>
    client.get({ apiVersion: "v1", kind, namespace: "kyma-installer", name: `${name}-installer-config` });

  before(async () => {
    kubeconfig = readFileSync(path.join(process.env["STACKYARD_TEST_YARD"] ?? "", "kubeconfig"), "utf8");
    client = connect(kubeconfig, undefined, {});
    releases = new ReleasesDouble();
    await releases.listen();
    await client.apply(definition);
    await until(
      "the kind Installation is served",
      async () => (await client.discovery.version("installer.kyma-project.io", "Installation")) !== undefined,
    );
    await played();
  });
  after(() => releases.close());

  it("rejects a missing version in a preview and installs nothing", async () => {
    const missing = inputs({ installerUrl: inputs().installerUrl.replace("1.24.8", "1.99.0") });
    await assert.rejects(
      kymaInstallation.create(context(true), missing),
      /no manifests of Kyma at .*1\.99\.0.*check the version/,
    );
    await assert.rejects(kymaInstallation.create(context(true), inputs({ digest: "0".repeat(64) })), /expected 0000/);
    await kymaInstallation.create(context(true), inputs());
    assert.equal(await installer(), undefined);
  });

  it("is installed with overrides, and the create waits until it is installed", async () => {
    ({ state } = await kymaInstallation.create(context(), inputs()));
    assert.equal(state.state, "Installed");
    assert.ok(await installer());
    const installation = await client.get(INSTALLATION);
    assert.deepEqual(at(installation, "spec", "components"), [{ name: "core", namespace: "kyma-system" }]);
    assert.deepEqual((await override("ConfigMap", "global"))?.["data"], { "global.domainName": "acme.example.com" });
    const password = textAt(await override("Secret", "core"), "data", "password") ?? "";
    assert.equal(Buffer.from(password, "base64").toString(), "hunter2");
    assert.ok(
      statuses.some((line) => line.startsWith("stage: WaitingForInstallation")),
      statuses.join("\n"),
    );
  });

  it("is upgraded with a new installer, and unused overrides are removed", async () => {
    const before = await installer();
    const next = inputs({ version: "1.25.0", ...releases.publish("1.25.0"), configuration: undefined });
    const old = { inputs: inputs(), state };
    const { changes } = await kymaInstallation.diff(context(), "kyma-installation", old, next);
    assert.ok(
      Object.values(changes).every((kind) => !kind.endsWith("replace")),
      JSON.stringify(changes),
    );
    state = await kymaInstallation.update(context(), "kyma-installation", old, next);
    const after = await installer();
    assert.notEqual(after?.metadata.uid, before?.metadata.uid);
    assert.equal(textAt(after, "spec", "template", "spec", "containers", 0, "image"), "kyma-installer:1.25.0");
    assert.equal(await override("ConfigMap", "global"), undefined);
    assert.ok(await override("Secret", "core"));
  });

  it("waits through transient errors and fails with the installer's message on lasting ones", async () => {
    await behave("recovers");
    const old = { inputs: inputs(), state };
    state = await kymaInstallation.update(context(), "kyma-installation", old, inputs({ profile: "evaluation" }));
    assert.equal(state.state, "Installed");
    await behave("fails");
    const impatient = inputs({ profile: "production", errorPatienceSeconds: 1 });
    await assert.rejects(kymaInstallation.update(context(), "kyma-installation", old, impatient), (error: Error) => {
      assert.equal(error.name, "IncompleteError");
      assert.match(error.message, /Kyma 1\.24\.8 can't be installed: install istio; istio: timed out/);
      return true;
    });
  });

  it("is uninstalled by the installer and counts as deleted once its Installation is gone", async () => {
    const old = { inputs: inputs(), state };
    await kymaInstallation.delete(context(), "kyma-installation", old);
    assert.equal(textAt(await client.get(INSTALLATION), "metadata", "labels", "action"), "uninstall");
    assert.ok(await kymaInstallation.read(context(), "kyma-installation", old));
    await client.remove(INSTALLATION);
    assert.equal(await kymaInstallation.read(context(), "kyma-installation", old), undefined);
    await kymaInstallation.delete(context(), "kyma-installation", old);
  });
});
