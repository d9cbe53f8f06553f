import assert from "node:assert/strict";
import { Cluster } from "../../../components/cluster/cluster";
import { TerasliceCluster } from "../../../components/teraslice/cluster/terasliceCluster";
import { mock, settled, valueOf, type Registered } from "../runtime/mocks";
import { SECRETIVE, settingsOf } from "./samples";

/** Registers Teraslice with these settings; what was registered and answered. */
async function registered(...args: Parameters<typeof settingsOf>) {
  const recorder = mock(
    () => ({}),
    () => ({}),
  );
  const cluster = new Cluster("cluster", { existing: { kubeconfig: "clusters: []", server: "https://10.0.0.1" } });
  const { endpoint } = new TerasliceCluster("teraslice", { cluster, settings: settingsOf(...args) });
  await settled(recorder);
  const sets = recorder.resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
  return { sets, endpoint: await valueOf(endpoint) };
}

describe("TerasliceCluster", () => {
  it("creates one set of objects in the configured namespace", async () => {
    const { sets, endpoint } = await registered({ timeoutSeconds: 60 }, { name: "acme", kubernetes_namespace: "ts" });
    assert.equal(sets.length, 1);
    const { name, inputs } = sets[0] as Registered;
    assert.equal(name, "teraslice-objects");
    assert.deepEqual([inputs["name"], inputs["namespace"], inputs["timeoutSeconds"]], ["teraslice-acme", "ts", 60]);
    assert.deepEqual(endpoint, {
      name: "acme",
      namespace: "ts",
      service: "acme-master",
      url: "http://acme-master.ts.svc:5678",
      forward: "kubectl -n ts port-forward service/acme-master 5678",
    });
  });

  it("outputs the pod override that jobs need for secrets", async () => {
    const { endpoint } = await registered({}, {}, SECRETIVE);
    assert.deepEqual(Object.keys(endpoint.podSpecOverride ?? {}), ["initContainers", "volumes"]);
  });
});
