import assert from "node:assert/strict";
import { headLines } from "../../../cli/runtime/status";
import { summarise } from "../../../cli/fleet/summary";
import { size } from "../../../cli/runtime/text/result";
import { KYMA_MODULES, SHOOT } from "../../../components/resources/tokens";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import { GCP } from "../gardener/clusters";
import { record, set, stack } from "./fixtures";

describe("the status of a runtime that is a cluster", () => {
  const request = {
    ...GCP,
    workerPools: [{ name: "gpu", machineType: "g2-standard-8", autoScalerMin: 0, autoScalerMax: 2 }],
  };
  const shoot = shootOf(request, {
    ...{
      name: "acme",
      namespace: "garden-rill",
      binding: { kind: "SecretBinding", name: "account" },
      runtimeId: "acme",
      hibernated: false,
    },
  });
  const state = (outputs: object = { kubernetesVersion: "1.33.5" }, ...more: ReturnType<typeof set>[]) =>
    stack("acme", { resources: [set({ type: SHOOT, inputs: { shoot }, outputs: { ...outputs } }), ...more] });
  const asked = record({ deployment: { version: "default", kyma: { version: "2.20.0" } } });
  const lines = (of: ReturnType<typeof summarise>) =>
    headLines(of, new Date()).filter((line) => /^ {2}(version|slots|kubernetes|kyma|region|nodes) /.test(line));

  it("shows versions, region and machines instead of version and slots", () => {
    assert.deepEqual(lines(summarise({ state: state(), record: asked })), [
      "  kubernetes   1.33.5",
      "  kyma         2.20.0",
      "  region       europe-west3",
      "  nodes        2 to 4 n2-standard-4, 0 to 2 g2-standard-8",
    ]);
  });

  it("shows the modules of Kyma with their versions where Kyma has none", () => {
    const versions = { keda: "2.0.0", istio: "1.1.0" };
    const modules = set({ type: KYMA_MODULES, inputs: {}, outputs: { versions } });
    const asked = record({ deployment: { version: "default", kyma: {} } });
    const shown = lines(summarise({ state: state({ kubernetesVersion: "1.33.5" }, modules), record: asked }));
    assert.equal(shown[1], "  kyma         istio 1.1.0, keda 2.0.0");
  });

  it("shows the requested version during the creation, and no Kyma without one", () => {
    const bare = record({ deployment: { version: "default" } });
    const created = summarise({ state: state({}), record: bare });
    assert.deepEqual(lines(created).slice(0, 2), ["  kubernetes   1.33.4", "  region       europe-west3"]);
    assert.equal(created.version, "1.33.4");
    assert.equal(created.cluster?.shoot, "garden-rill/acme");
  });

  it("omits unknown values in its size", () => {
    assert.equal(size({ cluster: {}, cpu: 8, memoryGb: 32, storageBytes: 0 }), "8 CPU, 32 GB memory");
    assert.equal(size({ cpu: 1, memoryGb: 4, storageBytes: 0 }), "1 CPU, 4 GB memory, 0 B disk");
  });
});
