import assert from "node:assert/strict";
import { problemsOf, shootProblems, isClusterHibernated } from "../../../cli/fleet/gardener/shootProblems";
import { SHOOT } from "../../../components/resources/tokens";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import { set } from "../fleet/fixtures";
import { PLATFORM } from "../runtime/platform";
import { Garden } from "./garden";

const READY = { observedGeneration: 1, lastOperation: { type: "Reconcile", state: "Succeeded", progress: 100 } };

describe("the problems of a Gardener cluster", () => {
  let garden: Garden;
  beforeEach(async () => (garden = await new Garden().start()));
  afterEach(() => garden.stop());

  const shoot = (status: object = {}, spec: object = {}, metadata: object = {}): KubeObject => {
    const found = garden.add("acme", {}, { spec, status: { ...READY, ...status } });
    return { ...found, metadata: { ...found.metadata, ...metadata } };
  };
  const texts = (found: KubeObject | undefined, uid = "uid-acme") =>
    problemsOf("Shoot garden-dev/acme", found, uid).map(({ text }) => text);

  it("are empty for a healthy cluster, awake or hibernated", () => {
    assert.deepEqual(texts(shoot()), []);
    const asleep = { hibernated: true, conditions: [{ type: "APIServerAvailable", status: "False" }] };
    assert.deepEqual(texts(shoot(asleep, { hibernation: { enabled: true } })), []);
  });

  it("include a Shoot that is missing, replaced or being deleted", () => {
    assert.match(texts(undefined).join(), /deleted outside of this stack/);
    assert.match(texts(shoot(), "uid-before").join(), /another one \(UID uid-acme, the state has uid-before\)/);
    const going = shoot({}, {}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    assert.match(texts(going).join(), /is being deleted since 2026/);
  });

  it("include a failed operation with advice, and unhealthy conditions", () => {
    const lastErrors = [{ description: "no more CPUs", codes: ["ERR_INFRA_QUOTA_EXCEEDED"] }];
    const failed = shoot({ lastErrors, lastOperation: { type: "Reconcile", state: "Failed", progress: 40 } });
    assert.match(texts(failed).join(), /no more CPUs \(ERR_INFRA_QUOTA_EXCEEDED\)\na quota of the cloud's account/);
    const conditions = [{ type: "EveryNodeReady", status: "False", message: "1 of 3 nodes" }];
    assert.deepEqual(texts(shoot({ conditions })), ["Shoot garden-dev/acme: EveryNodeReady: 1 of 3 nodes"]);
  });

  it("are read from the provisioner's garden, and unknown if the garden does not answer", async () => {
    shoot();
    const inputs = { shoot: { metadata: { namespace: "garden-dev", name: "acme" } } };
    const resources = [set({ type: SHOOT, inputs, outputs: { uid: "uid-acme", hibernated: true } })];
    const platform = (kubeconfig: string) =>
      ({ ...PLATFORM, provisioners: { garden: { type: "gardener", kubeconfig } } }) as unknown as Platform;
    const found = (kubeconfig: string) =>
      shootProblems(resources, "garden", platform(kubeconfig), new AbortController().signal);
    assert.deepEqual(await found(garden.kubeconfig()), []);
    const [unknown] = await found(garden.kubeconfig("expired"));
    const recorded = [set({ type: SHOOT, inputs, outputs: { uid: "uid-acme", gardenUid: "project-9" } })];
    const { signal } = new AbortController();
    assert.deepEqual(await shootProblems(recorded, "garden", platform(garden.kubeconfig()), signal), [
      {
        kind: "cluster",
        text: "Shoot garden-dev/acme: it is in garden project-9; its provisioner leads to garden project-1 now",
      },
    ]);
    assert.equal(unknown?.kind, "unknown");
    assert.match(unknown?.text ?? "", /Gardener did not answer: .*not accepted/);
    assert.equal(isClusterHibernated(resources), true);
  });
});
