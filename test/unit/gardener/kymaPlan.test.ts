import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { GardenerKyma } from "../../../components/runtime/types/gardener/kyma/kyma";
import { planKyma, type KymaPlan } from "../../../components/runtime/types/gardener/kyma/plan";
import { directorSettings, kymaSettings } from "../../../components/runtime/types/gardener/kyma/settings";
import { kymaSchema } from "../../../components/runtime/request/kyma/schema";
import { mock, settled, valueOf } from "../runtime/mocks";

const source = (name: string) => ({
  type: "http",
  url: `https://kyma.example.com/${name}.tgz`,
  auth: { token: "hunter2" },
});
const settings = (more: object = {}) =>
  kymaSettings.parse({
    versions: {
      "2.20.0": {
        modules: {
          istio: { namespace: "istio-system", sources: [source("istio")], digest: `sha256:${"a".repeat(64)}` },
          keda: { namespace: "kyma-system", format: "helm", sources: [source("keda")] },
        },
      },
    },
    ...more,
  });
const request = (more: object = {}) => kymaSchema.parse({ version: "2.20.0", ...more });
const modules = (plan: KymaPlan | undefined) => (plan?.mode === "manifests" ? plan.modules : []);

describe("the Kyma plan of a Gardener cluster", () => {
  it("is undefined without a request or in mode none", () => {
    assert.equal(planKyma(settings(), undefined), undefined);
    assert.equal(planKyma(settings({ mode: "none" }), request()), undefined);
    assert.throws(() => planKyma(undefined, request()), /kyma.version: found 2.20.0; expected no kyma/);
  });

  it("has all modules of the version in order, with their credentials kept separate", () => {
    const [istio, keda, ...more] = modules(planKyma(settings(), request()));
    assert.deepEqual(more, []);
    assert.deepEqual(istio, {
      name: "istio",
      namespace: "istio-system",
      format: "plain+v0",
      sources: [{ type: "http", url: "https://kyma.example.com/istio.tgz" }],
      credentials: [{ auth: { token: "hunter2" } }],
      digest: `sha256:${"a".repeat(64)}`,
    });
    assert.equal(keda?.format, "helm");
  });

  it("has the named components in order, with overrides as values", () => {
    const components = [
      { component: "keda", namespace: "mine", configuration: [{ key: "manager.replicas", value: "2" }] },
      { component: "istio", namespace: "istio-system" },
    ];
    const configuration = [
      { key: "global.domainName", value: "a.example.com" },
      { key: "global.password", value: "p", secret: true },
    ];
    const [keda, istio] = modules(planKyma(settings(), request({ components, configuration })));
    assert.deepEqual([keda?.name, keda?.namespace, istio?.name], ["keda", "mine", "istio"]);
    assert.deepEqual(keda?.values, { global: { domainName: "a.example.com" }, manager: { replicas: "2" } });
    assert.deepEqual(keda?.secretValues, { global: { password: "p" } });
  });

  it("rejects an unknown version or component with the known names and the closest match", () => {
    assert.throws(
      () => planKyma(settings(), request({ version: "2.20.1" })),
      /found "2.20.1"; expected one of 2.20.0; did you mean 2.20.0/,
    );
    const components = [{ component: "kedaa", namespace: "x" }];
    assert.throws(
      () => planKyma(settings(), request({ components })),
      /kyma.components\[0\].component: found "kedaa"; expected one of istio, keda; did you mean keda\?/,
    );
  });

  it("omits compass-runtime-agent if the version has no module for it", () => {
    const components = ["keda", "compass-runtime-agent"].map((component) => ({ component, namespace: "x" }));
    const names = modules(planKyma(settings(), request({ components }))).map(({ name }) => name);
    assert.deepEqual(names, ["keda"]);
  });

  it("gives configuration to modules of format helm and rejects it for other modules", () => {
    const configuration = [{ key: "a.b", value: "1" }];
    const [istio, keda] = modules(planKyma(settings(), request({ configuration })));
    assert.deepEqual([istio?.values, keda?.values], [undefined, { a: { b: "1" } }]);
    const components = [{ component: "istio", namespace: "istio-system", configuration }];
    assert.throws(
      () => planKyma(settings(), request({ components })),
      /kyma\.components\[0\]\.configuration: found entries; expected none: module istio is of format plain\+v0; modules of format helm take values/,
    );
    const plain = [{ component: "istio", namespace: "istio-system" }];
    assert.throws(
      () => planKyma(settings(), request({ configuration, components: plain })),
      /kyma\.configuration: found entries; expected none: no module is of format helm/,
    );
  });

  it("has the inputs of the installer, with secret overrides kept separate", () => {
    const own = settings({ mode: "installer", installerUrl: "https://own/{version}/installer.yaml" });
    const plan = planKyma(
      own,
      request({
        profile: "Production",
        configuration: [
          { key: "a", value: "1" },
          { key: "b", value: "2", secret: true },
        ],
        components: [
          { component: "core", namespace: "kyma-system", configuration: [{ key: "c", value: "3", secret: true }] },
        ],
      }),
    );
    assert.deepEqual(plan?.mode === "installer" && plan.installer, {
      version: "2.20.0",
      installerUrl: "https://own/2.20.0/installer.yaml",
      profile: "production",
      components: [{ component: "core", namespace: "kyma-system", configuration: [] }],
      configuration: [{ key: "a", value: "1" }],
      secretOverrides: [
        { key: "b", value: "2" },
        { component: "core", key: "c", value: "3" },
      ],
    });
  });
});

describe("the Kyma resources of a Gardener cluster", () => {
  const director = directorSettings.parse({
    url: "https://director/graphql",
    tokenUrl: "https://oauth/token",
    clientId: "c",
    clientSecret: "s",
  });
  const make = async (plan: KymaPlan | undefined, more: object = {}) => {
    const recorder = mock(
      ({ type }) => (type.endsWith("RuntimeAgent") ? { connectionState: "Synchronized" } : {}),
      () => ({}),
    );
    class Shoot extends pulumi.ComponentResource {}
    const shoot = new Shoot("test:index:Shoot", "shoot");
    const kyma = new GardenerKyma("kyma", { kubeconfig: "k", cluster: "c", plan, shoot, ...more });
    const state = await valueOf(kyma.connectionState);
    await settled(recorder);
    const types = recorder.resources.map(({ type }) => type.replace("stackyard:index:", ""));
    return { state, types: types.filter((type) => !type.includes("Shoot")), recorder };
  };

  it("are one release per module, then the agent", async () => {
    const more = { director, tenant: "t", runtimeId: "r" };
    const agentModule = { namespace: "compass-system", sources: [source("agent")] };
    const withAgent = settings({ versions: { "2.20.0": { modules: { "compass-runtime-agent": agentModule } } } });
    const { types, state, recorder } = await make(planKyma(withAgent, request()), more);
    assert.deepEqual(types, ["GardenerKyma", "BundleRelease", "RuntimeAgent"]);
    assert.equal(state, "Synchronized");
    const agent = recorder.only("stackyard:index:RuntimeAgent").inputs;
    assert.deepEqual([agent["runtimeId"], agent["tenant"], agent["connect"]], ["r", "t", true]);
  });

  it("do not wait for an agent that is not installed", async () => {
    const more = { director, tenant: "t", runtimeId: "r" };
    const isAwaited = async (plan: KymaPlan | undefined) =>
      (await make(plan, more)).recorder.only("stackyard:index:RuntimeAgent").inputs["connect"];
    assert.equal(await isAwaited(undefined), false);
    assert.equal(await isAwaited(planKyma(settings(), request())), false);
    assert.equal(await isAwaited(planKyma(settings({ mode: "installer" }), request())), true);
    const istio = request({ components: [{ component: "istio", namespace: "istio-system" }] });
    assert.equal(await isAwaited(planKyma(settings({ mode: "installer" }), istio)), false);
  });

  it("are one installation in mode installer, and none without a request", async () => {
    const { types } = await make(planKyma(settings({ mode: "installer" }), request()));
    assert.deepEqual(types, ["GardenerKyma", "KymaInstallation"]);
    assert.deepEqual((await make(undefined)).types, ["GardenerKyma"]);
  });
});
