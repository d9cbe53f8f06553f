import assert from "node:assert/strict";
import type { Context } from "../../../foundation/pulumi/resource";
import { shootAccessText } from "../../../foundation/shootAccess";
import { at, type KubeObject } from "../../../kubernetes/objects/objects";
import { untilAwake } from "../../../provider/resources/kymaInstallation/awake";
import { checkKyma, type KymaInputs } from "../../../provider/resources/kymaInstallation/inputs";
import { kymaInstallation } from "../../../provider/resources/kymaInstallation/kymaInstallation";
import { Garden } from "./garden";

const operation = (state: string) => ({ type: "Reconcile", state, progress: 100 });

describe("Kyma in a cluster that is being deleted", () => {
  let garden: Garden;
  let said: string[];
  const context: Context = {
    urn: "urn:test",
    backend: "file:///state",
    preview: false,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (severity, message) => said.push(`${severity}: ${message}`),
  };
  beforeEach(async () => {
    said = [];
    garden = await new Garden().start();
  });
  afterEach(() => garden.stop());

  const inputs = (timeoutSeconds = 30): KymaInputs =>
    checkKyma({
      kubeconfig: shootAccessText({ garden: garden.kubeconfig(), namespace: "garden-dev", shoot: "acme" }),
      ...{ cluster: "Shoot garden-dev/acme", version: "1.24.8", timeoutSeconds },
    }).inputs as unknown as KymaInputs;
  const cluster = (hibernated: boolean): KubeObject =>
    garden.add(
      "acme",
      {},
      {
        spec: { hibernation: { enabled: hibernated } },
        status: { observedGeneration: 1, hibernated, lastOperation: operation("Succeeded") },
      },
    );
  const becomes = (status: object) => {
    garden.onChange = (shoot) => ({ ...shoot, status: { ...(shoot["status"] as object), ...status } });
  };
  const patches = () => garden.asked.filter((line) => line.startsWith("PATCH"));

  it("is removed immediately if the cluster is awake or is not a Shoot", async () => {
    cluster(false);
    assert.equal(await untilAwake(context, inputs()), true);
    assert.equal(await untilAwake(context, { kubeconfig: "clusters: []", timeoutSeconds: 1 }), true);
    assert.deepEqual(patches(), []);
  });

  it("is removed after its hibernated cluster is woken", async () => {
    cluster(true);
    becomes({ hibernated: false });
    assert.equal(await untilAwake(context, inputs()), true);
    assert.equal(at(garden.shoots.get("acme"), "spec", "hibernation", "enabled"), false);
    assert.match(said.join("\n"), /status: stage: CleanupCluster \(the hibernated cluster is woken/);
  });

  it("is deleted together with a cluster that cannot wake, with a warning", async () => {
    cluster(true);
    const lastErrors = [{ description: "no CPUs", codes: ["ERR_INFRA_QUOTA_EXCEEDED"] }];
    becomes({ lastOperation: operation("Failed"), lastErrors });
    await kymaInstallation.delete(context, "kyma-installation", { inputs: inputs(), state: inputs() });
    assert.match(said.join("\n"), /warning: .*does not wake, .*Service Catalog .*ERR_INFRA_QUOTA_EXCEEDED/);
  });

  it("waits no longer than its timeout for the cluster to wake", async () => {
    cluster(true);
    becomes({ lastOperation: operation("Processing") });
    assert.equal(await untilAwake(context, inputs(1)), false);
    assert.match(said.join("\n"), /warning: .*stage WaitForHibernation is not done after 1 seconds/);
  });

  it("is not removed if the cluster is gone or is being deleted", async () => {
    assert.equal(await untilAwake(context, inputs()), false);
    const { metadata, ...rest } = cluster(true);
    garden.shoots.set("acme", {
      ...rest,
      metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
    });
    assert.equal(await untilAwake(context, inputs()), false);
    assert.deepEqual([patches(), said], [[], []]);
  });
});
