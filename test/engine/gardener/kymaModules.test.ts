import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { at, listAt, textAt } from "../../../kubernetes/objects/objects";
import { checkModules, type ModulesInputs, type ModulesState } from "../../../provider/resources/kymaModules/inputs";
import { kymaModules } from "../../../provider/resources/kymaModules/kymaModules";
import { Gardener } from "../../doubles/gardener/gardener";
import { shootsCluster } from "../../doubles/gardener/shootsCluster";
import { LifecycleManager } from "../../doubles/lifecycleManager/lifecycleManager";
import { blocksOf } from "../../fixtures/pages";
import { GCP } from "../../unit/gardener/clusters";
import { contextOf } from "../../unit/provider/context";
import { until } from "../cli/held";
import { failed, World } from "../runtime/world";
import { testYard } from "../runtime/yard";

const KYMA = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" };
const IN_CLUSTER = { ...KYMA, namespace: "kyma-system", name: "default" };

/** The examples of docs/kyma.md. */
const blocks = blocksOf("docs/kyma.md").filter(({ language }) => language === "yaml");
const [provisioners, deployment] = blocks.map(({ text }) => load(text)) as [
  { "stackyard:provisioners": { garden: { spec: { kyma: object } } } },
  { "stackyard-runtime:deployment": { kyma: object } },
];
const example = provisioners["stackyard:provisioners"].garden;
const asked = deployment["stackyard-runtime:deployment"].kyma;

describe("a runtime on Gardener with Kyma by modules", () => {
  const id = `kyma-${randomBytes(2).toString("hex")}`;
  let gardener: Gardener;
  let manager: LifecycleManager;
  let plane: Client;
  let cluster: Client;
  let kubeconfig: string;
  let world: World;

  before(async () => {
    const yard = process.env["STACKYARD_TEST_YARD"] ?? "";
    kubeconfig = readFileSync(path.join(yard, "kubeconfig"), "utf8");
    plane = connect(kubeconfig, undefined, {});
    const shoots = await shootsCluster();
    cluster = shoots.client;
    gardener = await Gardener.start({ yard, cluster: shoots, stepMs: 20, project: `m${id.slice(-2)}` });
    manager = await LifecycleManager.start(plane);
    await manager.release("istio", { regular: "1.0.0", fast: "1.1.0" });
    await manager.release("keda", { regular: "2.0.0", fast: "2.0.0" });
    await manager.release("eventing", { regular: "3.0.0", fast: "3.0.0" });
    await manager.release("beta-thing", { regular: "0.1.0" }, { "operator.kyma-project.io/beta": "true" });
    world = new World(await testYard());
    const { spec } = gardener.provisioner({
      defaults: { ...GCP, kubernetesVersion: "1.33.4", machineType: "n1-standard-4" },
      kyma: { ...example.spec.kyma, controlPlane: { kubeconfig: { content: kubeconfig } }, timeoutSeconds: 60 },
    });
    await world.platform({
      defaultProvisioner: "garden",
      provisioners: {
        garden: { type: "gardener", spec: { ...example.spec, ...spec } },
      },
    });
  });
  after(async () => {
    await manager.stop();
    await gardener.stop();
  });

  const kyma = () => plane.get({ ...KYMA, namespace: "kcp-system", name: id });
  const secret = () =>
    plane.get({ apiVersion: "v1", kind: "Secret", namespace: "kcp-system", name: `kubeconfig-${id}` });
  const account = () =>
    cluster.get({
      apiVersion: "v1",
      kind: "ServiceAccount",
      namespace: "kube-system",
      name: "stackyard-lifecycle-manager",
    });
  const request = (request: object = {}, state = "running") =>
    world.deployment(id, { state, cluster: { tenant: "red", subAccount: "sub" }, kyma: request });
  const up = () => world.must("runtime", "up", "-s", id, "--yes", "--skip-preview");
  const modulesOf = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      listAt(await kyma(), "status", "modules").map(({ name, channel, version }) => [
        String(name),
        [channel, version].join(" "),
      ]),
    );

  it("is refused with every path before a cluster is made", async () => {
    await request({
      channel: "slow",
      modules: [{ name: "kede" }, { name: "istio" }, { name: "beta-thing", channel: "regular" }],
    });
    for (const verb of ["preview", "up"]) {
      const ended = await world.pulumi(
        "runtime",
        verb,
        "-s",
        id,
        ...(verb === "up" ? ["--yes", "--skip-preview"] : []),
      );
      failed(
        ended,
        /kyma\.modules\[0\]\.name: found "kede"; expected a module of Lifecycle Manager: beta-thing, eventing, istio, keda; did you mean keda\?/,
      );
      failed(ended, /kyma\.channel: found "slow"; expected a channel of module istio: fast, regular/);
      failed(ended, /kyma\.modules\[2\]\.name: .* needs the label operator\.kyma-project\.io\/beta/);
    }
    await request({ version: "2.20.0" });
    failed(
      await world.pulumi("runtime", "preview", "-s", id),
      /kyma\.version: found "2\.20\.0"; expected channel and modules instead/,
    );
    assert.equal(await gardener.shoot(id), undefined);
    assert.equal(await kyma(), undefined);
  });

  it("gets the modules of the provisioner, through credentials that last", async () => {
    await request();
    await world.must("runtime", "preview", "-s", id);
    await up();
    assert.deepEqual(await modulesOf(), { istio: "regular 1.0.0", keda: "regular 2.0.0" });
    const { labels = {}, annotations = {} } = (await kyma())?.metadata ?? {};
    assert.equal(labels["operator.kyma-project.io/kyma-name"], id);
    assert.equal(labels["kyma-project.io/global-account-id"], "red");
    assert.match(annotations["skr-domain"] ?? "", /shoot\.example\.com$/);
    const given = Buffer.from(textAt(await secret(), "data", "config") ?? "", "base64").toString("utf8");
    await connect(given, undefined, {}).list({ apiVersion: "v1", kind: "Node" });
    const token = textAt(JSON.parse(given), "users", 0, "user", "token") ?? "none";
    assert.ok(!(await world.state(id)).includes(token), "the token is in the state");
    assert.ok((await world.isSettled(id)).ok);
  });

  it("adds, moves and removes modules, and leaves those of users in the cluster", async () => {
    const users = { name: "eventing", channel: "fast" };
    await cluster.merge(IN_CLUSTER, { spec: { modules: [{ name: "istio" }, { name: "keda" }, users] } });
    await request(asked);
    await up();
    assert.deepEqual(await modulesOf(), { istio: "fast 1.1.0", eventing: "fast 3.0.0" });
    await request({ modules: [] });
    await up();
    assert.deepEqual(await modulesOf(), { eventing: "fast 3.0.0" });
    await request({ modules: [{ name: "istio", channel: "fast" }] });
    await up();
    await request({ modules: [{ name: "istio" }] });
    failed(
      await world.pulumi("runtime", "preview", "-s", id),
      /kyma\.channel: found "regular", which has 1\.0\.0; expected a channel with 1\.1\.0 or newer for module istio/,
    );
  });

  it("keeps what the cluster has while it is hibernated", async () => {
    const wanted = { modules: [{ name: "istio", channel: "fast" }] };
    await request(wanted, "hibernated");
    await up();
    assert.ok(await kyma());
    await request(wanted);
    await up();
    assert.ok((await world.isSettled(id)).ok);
  });

  it("writes the access again that is lost, and its module that a user removed", async () => {
    await plane.remove({ apiVersion: "v1", kind: "Secret", namespace: "kcp-system", name: `kubeconfig-${id}` });
    await cluster.merge(IN_CLUSTER, { spec: { modules: [] } });
    await world.must("runtime", "refresh", "-s", id, "--yes", "--skip-preview");
    await up();
    assert.ok(await secret());
    await until("the user's module is gone", async () => !("eventing" in (await modulesOf())));
    assert.deepEqual(await modulesOf(), { istio: "fast 1.1.0" });
  });

  describe("by its resource", () => {
    const lines: string[] = [];
    const context = contextOf((line) => void lines.push(line));
    let old: { readonly inputs: ModulesInputs; readonly state: ModulesState };
    const inputsWith = (more: object): ModulesInputs =>
      checkModules({ ...old.inputs, ...more }).inputs as unknown as ModulesInputs;

    before(async () => {
      const { resources } = (
        JSON.parse(await world.must("runtime", "stack", "export", "-s", id, "--show-secrets")) as {
          readonly deployment: {
            readonly resources: readonly {
              readonly type: string;
              readonly inputs: ModulesInputs;
              readonly outputs: ModulesState;
            }[];
          };
        }
      ).deployment;
      const found = resources.find(({ type }) => type === "stackyard:index:KymaModules");
      assert.ok(found);
      const own = {
        kubeconfig: JSON.stringify({
          kind: "ShootAccess",
          garden: gardener.kubeconfig,
          namespace: gardener.namespace,
          shoot: id,
        }),
      };
      const inputs = { ...found.inputs, ...own, controlPlaneKubeconfig: kubeconfig };
      old = { inputs, state: { ...found.outputs, ...inputs } };
    });

    it("fails with the module, its state and its message, and goes on from there", async () => {
      manager.ends.set("keda", { state: "Error", message: "no CRD" });
      const next = inputsWith({
        modules: [{ name: "istio", channel: "fast" }, { name: "keda" }],
        errorPatienceSeconds: 1,
      });
      await assert.rejects(kymaModules.update(context, id, old, next), (error: Error & { state?: ModulesState }) => {
        assert.match(error.message, /can't install the modules of Kyma kcp-system\/.*: keda: Error: no CRD$/);
        assert.equal(error.state?.incomplete, true);
        old = { inputs: next, state: error.state ?? assert.fail() };
        return true;
      });
      manager.ends.delete("keda");
      assert.deepEqual(Object.keys((await kymaModules.diff(context, id, old, next)).changes), ["incomplete"]);
      const state = await kymaModules.update(context, id, old, next);
      assert.deepEqual([state.incomplete, state.versions?.["keda"]], [undefined, "2.0.0"]);
      old = { inputs: next, state };
    });

    it("says that Lifecycle Manager does not run", async () => {
      await manager.stop();
      const next = inputsWith({ modules: [{ name: "istio", channel: "fast" }], timeoutSeconds: 2 });
      await assert.rejects(
        kymaModules.update(context, id, old, next),
        /is not ready after 2 seconds: Lifecycle Manager has not seen the change yet/,
      );
      manager.resume();
      old = {
        inputs: next,
        state: await kymaModules.update(context, id, old, inputsWith({ ...next, timeoutSeconds: 60 })),
      };
    });

    it("leaves a Kyma of another Shoot, or of nobody known, as it is", async () => {
      const foreign = inputsWith({ shootUid: "another" });
      await assert.rejects(
        kymaModules.create(context, foreign),
        /is that of the Shoot with UID .*; expected none of this name/,
      );
      lines.length = 0;
      await kymaModules.delete(context, id, { inputs: foreign, state: { ...old.state, ...foreign } });
      assert.match(lines.join("\n"), /warning: Kyma kcp-system\/.* is that of the Shoot .*; it is left alone/);
      assert.ok(await kyma());
      assert.ok(await secret());
      assert.ok(await account(), "Lifecycle Manager needs its account for somebody else");
    });

    it("waits until the modules are gone, and says which one is not", async () => {
      manager.stuck.add("istio");
      const { inputs, state } = old;
      const impatient = { ...inputs, timeoutSeconds: 5 };
      await assert.rejects(
        kymaModules.delete(context, id, { inputs: impatient, state }),
        /is not gone after 5 seconds: istio: Deleting.*check that it runs/,
      );
      assert.ok(await secret(), "Lifecycle Manager still needs its access");
      manager.stuck.delete("istio");
      await until("the Kyma is gone", async () => (await kyma()) === undefined);
    });

    it("is removed before its cluster, with all that was made for it", async () => {
      // The modules were removed by hand before; an update makes them again.
      await world.must("runtime", "refresh", "-s", id, "--yes", "--skip-preview");
      await up();
      assert.equal(at(await kyma(), "status", "state"), "Ready");
      await world.must("runtime", "destroy", "-s", id, "--yes", "--skip-preview");
      assert.equal(await kyma(), undefined);
      assert.equal(await secret(), undefined);
      assert.equal(await gardener.shoot(id), undefined);
      assert.equal(await account(), undefined);
    });
  });
});
