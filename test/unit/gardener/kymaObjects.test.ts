import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { checkKyma, releaseUrls, type KymaInputs } from "../../../provider/resources/kymaInstallation/inputs";
import { installationOf, overridesOf } from "../../../provider/resources/kymaInstallation/objects";
import { progressOf } from "../../../provider/resources/kymaInstallation/install";

const given = (more: object = {}) => ({ cluster: "c", version: "1.24.8", ...more });
const inputs = (more: object = {}) => checkKyma(given(more)).inputs as unknown as KymaInputs;
const faults = (more: object) => checkKyma(given(more)).failures.map(({ property }) => property);

const release: KubeObject = {
  apiVersion: "installer.kyma-project.io/v1alpha1",
  kind: "Installation",
  metadata: { name: "kyma-installation", namespace: "default", labels: { action: "install", keep: "x" } },
  spec: { version: "1.24.8", components: [{ name: "istio", namespace: "istio-system" }] },
};

describe("Kyma by its installer", () => {
  it("uses Kyma's release URLs unless its inputs give another URL", () => {
    assert.equal(
      releaseUrls("1.24.8").installerUrl,
      "https://storage.googleapis.com/kyma-prow-artifacts/1.24.8/kyma-installer-cluster.yaml",
    );
    for (const version of ["PR-123", "main", "main-abc"])
      assert.match(releaseUrls(version).tillerUrl, /kyma-development-artifacts\/.*\/tiller.yaml$/);
    const own = inputs({ installerUrl: "https://own/installer.yaml" });
    assert.deepEqual([own.installerUrl, own.tillerUrl], ["https://own/installer.yaml", undefined]);
  });

  it("reports all faults in its inputs at once, without secret values", () => {
    assert.deepEqual(faults({ components: [] }), ["components"]);
    assert.deepEqual(faults({ components: [{ component: "istio", conflictStrategy: "Both" }] }), [
      "components[0].namespace",
      "components[0].conflictStrategy",
    ]);
    assert.deepEqual(faults({ version: "1/2", profile: "large", digest: "x" }), ["version", "digest", "profile"]);
    const { failures } = checkKyma(given({ secretOverrides: [{ key: "k", valu: "hunter2" }] }));
    assert.doesNotMatch(JSON.stringify(failures), /hunter2/);
  });

  it("has the profile and the components in order, and no action label", () => {
    const components = [
      { component: "testing", namespace: "kyma-system" },
      { component: "compass-runtime-agent", namespace: "compass-system", sourceURL: "https://x/y.git" },
    ];
    const made = installationOf(release, inputs({ profile: "Production", components }));
    assert.deepEqual(made.metadata.labels, { keep: "x" });
    assert.deepEqual(made["spec"], {
      version: "1.24.8",
      profile: "production",
      components: [
        { name: "testing", namespace: "kyma-system" },
        { name: "compass-runtime-agent", namespace: "compass-system", source: { url: "https://x/y.git" } },
      ],
    });
    assert.deepEqual(installationOf(release, inputs())["spec"], release["spec"]);
  });

  it("has overrides in ConfigMaps and secret overrides in Secrets", () => {
    const made = overridesOf(
      inputs({
        conflictStrategy: "Replace",
        configuration: [{ key: "global.a", value: "1" }],
        secretOverrides: [
          { key: "global.token", value: "t" },
          { component: "core", key: "password", value: "p" },
        ],
        components: [
          {
            component: "core",
            namespace: "kyma-system",
            configuration: [{ key: "b", value: "2" }],
            conflictStrategy: "Merge",
          },
          { component: "plain", namespace: "kyma-system" },
        ],
      }),
    );
    const shown = made.map(({ kind, metadata, ...rest }) => [kind, metadata.name, metadata.labels, rest["data"]]);
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    assert.deepEqual(shown, [
      [
        "ConfigMap",
        "global-installer-config",
        { installer: "overrides", "on-conflict": "Replace" },
        { "global.a": "1" },
      ],
      [
        "Secret",
        "global-installer-config",
        { installer: "overrides", "on-conflict": "Replace" },
        { "global.token": base64("t") },
      ],
      [
        "ConfigMap",
        "core-installer-config",
        { installer: "overrides", component: "core", "on-conflict": "Merge" },
        { b: "2" },
      ],
      [
        "Secret",
        "core-installer-config",
        { installer: "overrides", component: "core", "on-conflict": "Merge" },
        { password: base64("p") },
      ],
    ]);
  });

  it("has the progress that the installer reports for its last action", () => {
    const state = (labels: object, status?: object) =>
      progressOf({
        ...release,
        metadata: { ...release.metadata, labels: { ...labels } },
        status,
      });
    assert.deepEqual(progressOf(undefined), { kind: "absent" });
    assert.equal(state({}).kind, "idle");
    assert.equal(state({ action: "install" }, { state: "Installed" }).kind, "working");
    assert.equal(state({}, { state: "InProgress" }).kind, "working");
    assert.equal(state({}, { state: "Installed" }).kind, "installed");
    const errorLog = [{ component: "istio", log: "a\nb\nc\nd", occurrences: 3 }];
    assert.deepEqual(state({}, { state: "Error", description: "install istio", errorLog }), {
      kind: "error",
      description: "install istio",
      text: "install istio; istio: a b c (3 times)",
    });
  });
});
