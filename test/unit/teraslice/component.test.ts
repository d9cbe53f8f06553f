import assert from "node:assert/strict";
import { Cluster } from "../../../components/cluster/cluster";
import { TerasliceCluster } from "../../../components/teraslice/cluster/terasliceCluster";
import { mock, settled, valueOf, type Registered } from "../runtime/mocks";
import { withWarnings } from "../runtime/warnings";
import { SECRETIVE, settingsOf } from "./samples";

/** Registers Teraslice with these settings; what was registered, warned of and answered. */
async function registered(...args: Parameters<typeof settingsOf>) {
  const recorder = mock(
    () => ({}),
    () => ({}),
  );
  const { value, warned } = await withWarnings(async () => {
    const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
    const { endpoint } = new TerasliceCluster("teraslice", { cluster, settings: settingsOf(...args) });
    await settled(recorder);
    return endpoint;
  });
  const sets = recorder.resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
  return { sets, warned, endpoint: await valueOf(value) };
}

describe("TerasliceCluster", () => {
  it("creates one set of objects in the configured namespace", async () => {
    const { sets, warned, endpoint } = await registered(
      { timeoutSeconds: 60 },
      { name: "acme", kubernetes_namespace: "ts" },
    );
    assert.equal(sets.length, 1);
    const { name, inputs } = sets[0] as Registered;
    assert.equal(name, "teraslice-objects");
    assert.deepEqual([inputs["name"], inputs["namespace"], inputs["timeoutSeconds"]], ["teraslice-acme", "ts", 60]);
    assert.deepEqual(warned, []);
    assert.deepEqual(endpoint, {
      name: "acme",
      namespace: "ts",
      service: "acme-master",
      url: "http://acme-master.ts.svc:5678",
      forward: "kubectl -n ts port-forward service/acme-master 5678",
    });
  });

  it("warns that original rights are broad", async () => {
    const { warned } = await registered({ rbac: "original" });
    assert.equal(warned.length, 1);
    assert.match(warned[0] ?? "", /stackyard:teraslice\.rbac is original, which is broad/);
  });

  it("outputs the pod override that jobs need for secrets", async () => {
    const { endpoint } = await registered({}, {}, SECRETIVE);
    assert.deepEqual(Object.keys(endpoint.podSpecOverride ?? {}), ["initContainers", "volumes"]);
  });
});
