import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../../kubernetes/connect/connect";
import { at, textAt } from "../../../kubernetes/objects/objects";
import { FINALIZER } from "../../../service/runtimeResources/kind";
import { FAULT, CLEANUP } from "../../doubles/gardener/behaviour/faults";
import { shootRef } from "../../../kubernetes/gardener/shoot";
import { until } from "../../engine/cli/held";
import { ResourcePlace } from "./resources";

// docs/runtime-resources.md has the Runtime that these tests begin with.
describe("Runtime resources", () => {
  let place: ResourcePlace;
  before(async () => {
    place = await ResourcePlace.start();
  });
  after(() => place.end());

  const release = (name: string) =>
    place.gardener.garden.merge(shootRef(place.gardener.namespace, name), {
      metadata: { annotations: { [FAULT]: "none" } },
    });
  const change = (maximum: number) => (spec: { shoot: { provider: { workers: { maximum: number }[] } } }) => {
    spec.shoot.provider.workers[0]!.maximum = maximum;
  };

  it("are served as soon as their kind is there: from the spec to the kubeconfig", async () => {
    await until("the service misses the kind", () =>
      Promise.resolve(/Runtimes can't be watched/.test(place.service.log)),
    );
    await place.install();
    await place.kcp.apply(place.example("first"));
    const ready = await place.untilState("first", "Ready");
    assert.deepEqual(place.reasons(ready), {
      Provisioned: "True ShootCreationCompleted",
      KubeconfigReady: "True GardenerClusterCRReady",
      OidcAndConfigMapConfigured: "True OidcAndConfigMapsConfigured",
      Configured: "True AdministratorsConfigured",
    });
    assert.equal(at(ready, "status", "provisioningCompleted"), true);
    assert.ok(ready.metadata.finalizers?.includes(FINALIZER));
    const shoot = await place.gardener.shoot("first");
    assert.equal(at(shoot, "spec", "provider", "workers", 0, "maximum"), 20);
    assert.deepEqual([shoot?.metadata.labels?.["account"], shoot?.metadata.labels?.["subaccount"]], ["red", "sub-1"]);
    const secret = await place.secret("first");
    assert.equal(secret?.metadata.labels?.["operator.kyma-project.io/kyma-name"], "first");
    const kubeconfig = Buffer.from(textAt(secret, "data", "config") ?? "", "base64").toString("utf8");
    const namespace = { apiVersion: "v1", kind: "Namespace", name: "kube-system" };
    assert.ok(await connect(kubeconfig, undefined, {}).get(namespace));
  });

  it("are deployments of their tenant, by operations that the API shows", async () => {
    const query = `{ runtimeStatus(id: "first") { lastOperationStatus { operation state } runtimeConfiguration { clusterConfig { name } } } }`;
    assert.deepEqual(await place.get(query), {
      lastOperationStatus: { operation: "ProvisionNoInstall", state: "Succeeded" },
      runtimeConfiguration: { clusterConfig: { name: "first" } },
    });
  });

  it("are changed once when the spec changes, and say so within the time that the broker waits", async () => {
    await place.kcp.apply(place.example("first", change(21)));
    const changed = Date.now();
    await place.untilState("first", "Pending", "(update)");
    assert.ok(Date.now() - changed < 4_000, "the broker takes Ready for the end of its change after four seconds");
    const ready = await place.untilState("first", "Ready");
    assert.equal(place.reasons(ready)["Provisioned"], "True ConfigurationCompleted");
    assert.equal(at(await place.gardener.shoot("first"), "spec", "provider", "workers", 0, "maximum"), 21);
    const text = "select count(*)::int as count from operation where requested_by = 'runtimes' and kind = 'update'";
    const { rows } = await place.host.place.pool.query<{ count: number }>(text);
    assert.equal(rows[0]?.count, 1);
  });

  it("keep what the API changes until their spec changes", async () => {
    const config = "{ gardenerConfig: { autoScalerMax: 22 } }";
    await place.get(`mutation { upgradeShoot(id: "first", config: ${config}) { id } }`);
    await place.untilState("first", "Pending", "(update)");
    await place.untilState("first", "Ready");
    assert.equal(at(await place.gardener.shoot("first"), "spec", "provider", "workers", 0, "maximum"), 22);
    await place.kcp.apply(place.example("first", change(23)));
    await place.untilState("first", "Pending");
    await place.untilState("first", "Ready");
    assert.equal(at(await place.gardener.shoot("first"), "spec", "provider", "workers", 0, "maximum"), 23);
  });

  it("are refused with the path of what can't be served, and served when it is gone", async () => {
    const shared = place.example("first", (spec) => {
      spec.shoot.networking.vpcNetwork = "shared";
      change(23)(spec);
    });
    await place.kcp.apply(shared);
    const failed = await place.untilState("first", "Failed", 'spec.shoot.networking.vpcNetwork: found "shared"');
    assert.equal(place.reasons(failed)["Provisioned"], "False ConversionErr");
    await place.kcp.apply(place.example("first", change(23)));
    await place.untilState("first", "Ready");
  });

  it("have several OIDC providers and both families of addresses", async () => {
    const issuers = ["https://a.example.com", "https://b.example.com"];
    const runtime = place.bare("both", ({ shoot: { networking, kubernetes } }) => {
      networking.dualStack = true;
      const [oidc = {}] = kubernetes.kubeAPIServer.additionalOidcConfig;
      kubernetes.kubeAPIServer.additionalOidcConfig = issuers.map((issuerURL) => ({ ...oidc, issuerURL }));
    });
    await place.kcp.apply(runtime);
    await place.untilState("both", "Ready");
    const shoot = await place.gardener.shoot("both");
    assert.deepEqual(at(shoot, "spec", "networking", "ipFamilies"), ["IPv4", "IPv6"]);
    const { namespace } = place.gardener;
    const configMap = { apiVersion: "v1", kind: "ConfigMap", namespace, name: "both-authentication" };
    const config = textAt(await place.gardener.garden.get(configMap), "data", "config.yaml") ?? "";
    for (const issuer of issuers) assert.ok(config.includes(`url: ${issuer}`), config);
    await place.delete("both");
    await place.gone("both");
  });

  it("have one cluster each: another Runtime with its name or id is refused, and leaves nothing", async () => {
    await place.kcp.apply(place.bare("second", ({ shoot }) => (shoot.name = "first")));
    await place.untilState("second", "Failed", "spec.shoot.name (cluster.name)");
    const { metadata, ...rest } = place.bare("third");
    const labels = { ...metadata.labels, "kyma-project.io/runtime-id": "first" };
    await place.kcp.apply({ ...rest, metadata: { ...metadata, labels } });
    await place.untilState("third", "Failed", "there is a deployment first already");
    for (const id of ["second", "third"]) {
      await place.delete(id);
      await place.gone(id);
    }
    assert.ok(await place.secret("first"));
    assert.ok(await place.gardener.shoot("first"));
  });

  it("keep their id and their tenant", async () => {
    const label = (id: string) => ({ metadata: { labels: { "kyma-project.io/runtime-id": id } } });
    await place.merge("first", label("other"));
    await place.untilState("first", "Failed", 'found "other"; expected "first", which the runtime keeps');
    await place.merge("first", label("first"));
    await place.untilState("first", "Ready");
  });

  it("of another namespace are left alone", async () => {
    const runtime = place.bare("elsewhere");
    await place.kcp.apply({ ...runtime, metadata: { ...runtime.metadata, namespace: place.elsewhere } });
    await sleep(2_000);
    const live = await place.kcp.get({ ...runtime, namespace: place.elsewhere, name: "elsewhere" });
    assert.deepEqual([live?.metadata.finalizers, live?.["status"]], [undefined, undefined]);
  });

  it("are deprovisioned when they are deleted", async () => {
    await place.delete("first");
    await place.gone("first");
    assert.equal(await place.gardener.shoot("first"), undefined);
    assert.equal(await place.secret("first"), undefined);
  });

  it("get one cluster when processes of the service are killed, and another one takes over", async () => {
    const second = await place.begin();
    await place.kcp.apply(place.bare("killed", ({ shoot }) => (shoot.secretBindingName = CLEANUP)));
    await place.untilState("killed", "Pending", "WaitingForClusterCreation");
    const uid = (await place.gardener.shoot("killed"))?.metadata.uid;
    await place.service.stop("SIGKILL");
    place.service = second;
    await release("killed");
    await place.untilState("killed", "Ready");
    assert.equal((await place.gardener.shoot("killed"))?.metadata.uid, uid);
  });

  it("stay when their deployment is deprovisioned by the API, until they are deleted", async () => {
    await place.get(`mutation { deprovisionRuntime(id: "killed") }`);
    await place.untilState("killed", "Failed", "the runtime was deprovisioned by operation");
    assert.equal(await place.gardener.shoot("killed"), undefined);
    await place.delete("killed");
    await place.gone("killed");
  });

  it("leave nothing when they are deleted while they are provisioned", async () => {
    await place.kcp.apply(place.bare("hasty", ({ shoot }) => (shoot.secretBindingName = CLEANUP)));
    await place.untilState("hasty", "Pending", "WaitingForClusterCreation");
    await place.delete("hasty");
    await release("hasty");
    await place.gone("hasty");
    assert.equal(await place.gardener.shoot("hasty"), undefined);
    const states =
      "select kind, state from operation join deployment on deployment.id = deployment_id where name = 'hasty' order by operation.id";
    const { rows } = await place.host.place.pool.query(states);
    assert.deepEqual(rows, [
      { kind: "provision", state: "canceled" },
      { kind: "deprovision", state: "succeeded" },
    ]);
  });
});
