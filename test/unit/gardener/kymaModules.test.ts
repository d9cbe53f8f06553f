import assert from "node:assert/strict";
import { kymaSchema } from "../../../components/runtime/request/kyma/schema";
import { keptModules } from "../../../components/runtime/types/gardener/kyma/modules";
import { planKyma } from "../../../components/runtime/types/gardener/kyma/plan";
import { kymaSettings } from "../../../components/runtime/types/gardener/kyma/settings";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { catalogFaults } from "../../../provider/resources/kymaModules/catalog";
import { areSame, mergedModules } from "../../../provider/resources/kymaModules/objects";
import { modulesProgress } from "../../../provider/resources/kymaModules/progress";
import { goodWith, KUBECONFIG, linesOf } from "../config/fixtures";

const settings = (more: object = {}) => kymaSettings.parse({ mode: "modules", modules: [{ name: "istio" }], ...more });
const planned = (request: object, more: object = {}) => planKyma(settings(more), kymaSchema.parse(request));

describe("Kyma by modules", () => {
  it("has the channel and the modules of the request, or those of the provisioner", () => {
    assert.deepEqual(planned({}), {
      mode: "modules",
      kyma: { channel: "regular", modules: [{ name: "istio" }], labels: {} },
      timeoutSeconds: 3600,
    });
    const keda = { name: "keda", channel: "regular", customResourcePolicy: "Ignore", managed: false };
    const labels = { "operator.kyma-project.io/beta": "true" };
    assert.deepEqual(planned({ modules: [keda] }, { channel: "fast", labels, timeoutSeconds: 60 }), {
      mode: "modules",
      kyma: { channel: "fast", modules: [keda], labels },
      timeoutSeconds: 60,
    });
    assert.deepEqual(planned({ channel: "fast", modules: [] }), {
      mode: "modules",
      kyma: { channel: "fast", modules: [], labels: {} },
      timeoutSeconds: 3600,
    });
  });

  it("has no version or components, and the other modes have no modules", () => {
    const expected = /kyma\.version: found "2\.4\.0"; expected channel and modules instead: with mode modules/;
    assert.throws(() => planned({ version: "2.4.0" }), expected);
    assert.throws(() => planned({ components: [] }), /kyma\.components: found \[\]; expected channel and modules/);
    const manifests = kymaSettings.parse({});
    assert.throws(
      () => planKyma(manifests, kymaSchema.parse({ version: "2.4.0", modules: [] })),
      /kyma\.modules: found \[\]; expected nothing with mode manifests of the provisioner/,
    );
    assert.throws(
      () => planKyma(manifests, kymaSchema.parse({})),
      /kyma\.version: found nothing; expected a version, for mode manifests/,
    );
  });

  it("refuses names and channels that Lifecycle Manager does not take, and a module twice", () => {
    const paths = (kyma: object) => kymaSchema.safeParse(kyma).error?.issues.map(({ path }) => path.join("."));
    const modules = [{ name: "istio" }, { name: "Keda" }, { name: "istio" }, { name: "eventing", channel: "none" }];
    assert.deepEqual(paths({ channel: "x", modules }), [
      "channel",
      "modules.1.name",
      "modules.3.channel",
      "modules.2.name",
    ]);
    assert.deepEqual(paths({ modules: [{ name: "istio", version: "1.0.0" }] }), ["modules.0"]);
    assert.equal(paths({ channel: "fast", modules: [{ name: "api-gateway", channel: "regular" }] }), undefined);
  });

  it("needs the way to Lifecycle Manager, which the other modes do not have", () => {
    const faults = (kyma: object) =>
      linesOf(
        goodWith({
          provisioners: {
            eu: { type: "gardener", spec: { project: "rill", kubeconfig: { content: KUBECONFIG }, kyma } },
          },
          defaultProvisioner: "eu",
          environments: {},
        }),
      ).filter((line) => line.includes("kyma"));
    const at = "provisioners.eu.spec.kyma";
    const needed = "expected the access to the cluster in which Lifecycle Manager runs, for mode modules";
    assert.deepEqual(faults({ mode: "modules" }), [`${at}.controlPlane: found nothing; ${needed}`]);
    const [channel, modules] = faults({ channel: "fast", modules: [] });
    assert.match(channel ?? "", /kyma\.channel: found "fast"; expected nothing with mode manifests/);
    assert.match(modules ?? "", /kyma\.modules: found an empty list; expected nothing with mode manifests/);
    const missing = { mode: "modules", controlPlane: { kubeconfig: { path: "nowhere.yaml" } } };
    assert.match(
      faults(missing)[0] ?? "",
      /kyma\.controlPlane\.kubeconfig\.path: found "nowhere\.yaml".*expected a kubeconfig file/,
    );
  });

  it("keeps what a hibernated cluster has, whatever the provisioner says by now", () => {
    const plan = planned({}, { modules: [{ name: "keda" }] });
    assert.equal(plan?.mode, "modules");
    const outputs = { channel: "fast", modules: [{ name: "istio" }], labels: { a: "b" } };
    const state = { urn: { type: "stackyard:index:KymaModules", outputs } };
    assert.deepEqual(keptModules(plan, state).kyma, outputs);
    assert.deepEqual(keptModules(plan, {}).kyma, plan.kyma);
  });

  it("leaves the modules of users in the cluster", () => {
    const live = [{ name: "istio" }, { name: "keda" }, { name: "serverless", channel: "fast" }];
    const merged = mergedModules(live, [{ name: "istio" }, { name: "keda" }], [{ name: "istio", channel: "fast" }]);
    assert.deepEqual(merged, [
      { name: "serverless", channel: "fast" },
      { name: "istio", channel: "fast" },
    ]);
    assert.ok(
      areSame([{ name: "istio", customResourcePolicy: "CreateAndDelete", managed: true }], [{ name: "istio" }]),
    );
    assert.ok(!areSame([{ name: "istio", managed: false }], [{ name: "istio" }]));
  });
});

const meta = (name: string, spec: object): KubeObject => ({ apiVersion: "x/v1", kind: "X", metadata: { name }, spec });
const template = (name: string, labels = {}): KubeObject => ({ ...meta(name, {}), metadata: { name, labels } });

describe("the catalog of Lifecycle Manager", () => {
  const channels = [
    { channel: "regular", version: "1.0.0" },
    { channel: "fast", version: "1.1.0" },
  ];
  const metas = [
    meta("istio", { channels }),
    meta("keda", { channels }),
    meta("warden", { mandatory: { version: "1.0.0" } }),
  ];
  const inner = { "operator.kyma-project.io/internal": "true" };
  const templates = [template("istio-1.0.0"), template("istio-1.1.0"), template("keda-1.0.0", inner)];
  const faults = (modules: { name: string; channel?: string }[], more: object = {}) =>
    catalogFaults({ modules, channel: "regular", ...more }, metas, templates);

  it("has the modules by name, channel, version and label", () => {
    assert.deepEqual(faults([{ name: "istio", channel: "fast" }]), []);
    assert.deepEqual(faults([{ name: "keda" }], { labels: inner }), []);
    assert.deepEqual(faults([{ name: "istoi" }, { name: "warden" }, { name: "istio", channel: "slow" }]), [
      'kyma.modules[0].name: found "istoi"; expected a module of Lifecycle Manager: istio, keda; did you mean istio?',
      "kyma.modules[1].name: found warden; expected none that is mandatory: each cluster has it",
      'kyma.modules[2].channel: found "slow"; expected a channel of module istio: fast, regular',
    ]);
    assert.match(faults([{ name: "keda" }])[0] ?? "", /needs the label operator\.kyma-project\.io\/internal/);
    assert.deepEqual(faults([{ name: "keda" }], { channel: "fast" }), [
      "kyma.modules[0].name: found no ModuleTemplate kcp-system/keda-1.1.0 for channel fast; expected one",
    ]);
  });

  it("has no older version than the one that is installed", () => {
    assert.deepEqual(faults([{ name: "istio", channel: "fast" }], { versions: { istio: "1.0.9" } }), []);
    assert.match(
      faults([{ name: "istio" }], { versions: { istio: "1.0.10" } })[0] ?? "",
      /^kyma\.channel: found "regular", which has 1\.0\.0; expected a channel with 1\.0\.10 or newer/,
    );
  });
});

describe("the progress of Kyma by modules", () => {
  const wanted = { channel: "regular", modules: [{ name: "istio" }, { name: "keda", channel: "fast" }] };
  const istio = { name: "istio", channel: "regular", state: "Ready" };
  const keda = { name: "keda", channel: "fast", state: "Ready" };
  const seen = { type: "ModuleCatalog", status: "True", observedGeneration: 2 };
  const kyma = (status: object): KubeObject => ({
    ...{ apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" },
    metadata: { name: "acme", generation: 2 },
    status: { state: "Ready", conditions: [seen], ...status },
  });
  const progress = (status: object, removed: string[] = []) => {
    const { kind, text } = modulesProgress(kyma(status), wanted, removed);
    return `${kind}: ${text}`;
  };

  it("is done when each module is ready in its channel, and those that were removed are gone", () => {
    const others = [{ name: "eventing", channel: "regular", state: "Deleting" }];
    assert.equal(progress({ modules: [istio, keda] }), "done: ");
    assert.equal(progress({ modules: [istio] }), "working: keda: not begun");
    assert.equal(
      progress({ modules: [istio, { ...keda, channel: "regular" }] }),
      "working: keda: not in its channel yet",
    );
    assert.equal(progress({ modules: [istio, keda, ...others] }, ["eventing"]), "working: eventing: being removed");
    const processing = { ...keda, state: "Processing" };
    assert.equal(progress({ state: "Processing", modules: [istio, processing] }), "working: keda: Processing");
    assert.equal(
      progress({ modules: [istio, keda], conditions: [{ ...seen, observedGeneration: 1 }] }),
      "working: Lifecycle Manager has not seen the change yet",
    );
    const unsynced = [seen, { type: "CRDsSync", status: "False", message: "CRDs are not synchronized" }];
    assert.equal(progress({ modules: [istio, keda], conditions: unsynced }), "working: CRDs are not synchronized");
    assert.equal(
      progress({ state: undefined }),
      "working: Lifecycle Manager has not reported anything yet; is it running?",
    );
  });

  it("is done with a note for warnings, maintenance windows and the modules of users", () => {
    const warned = { ...keda, state: "Warning", message: "look at me" };
    assert.equal(progress({ state: "Warning", modules: [istio, warned] }), "done: keda: Warning: look at me");
    const later = { ...keda, channel: "regular", maintenance: true, message: "waiting for the window" };
    assert.equal(progress({ modules: [istio, later] }), "done: keda: Ready: waiting for the window");
    const other = { name: "eventing", channel: "regular", state: "Error", message: "broken" };
    assert.equal(progress({ state: "Error", modules: [istio, keda, other] }), "done: eventing: Error: broken");
  });

  it("is an error with the module, its state and its message, or that of all", () => {
    const failed = { ...keda, state: "Error", message: "no template" };
    assert.equal(progress({ state: "Error", modules: [istio, failed] }), "error: keda: Error: no template");
    const older = { ...keda, channel: "regular", state: "Warning", message: "ignore channel skew" };
    assert.equal(progress({ state: "Warning", modules: [istio, older] }), "error: keda: Warning: ignore channel skew");
    const lastOperation = { operation: "access secret not found" };
    assert.equal(progress({ state: "Error", modules: [], lastOperation }), "error: access secret not found");
  });
});
