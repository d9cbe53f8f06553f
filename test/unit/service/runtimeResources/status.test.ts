import assert from "node:assert/strict";
import { at, listAt } from "../../../../kubernetes/objects/objects";
import * as says from "../../../../service/runtimeResources/status";

const NOW = new Date("2026-11-28T00:00:00.123Z");
const LATER = new Date("2026-11-28T00:01:00Z");
const seen = (more: object) => ({
  ...{ id: "op-1", kind: "provision" as const, state: "in_progress" as const, stage: "apply" as string | null },
  ...{ error: null, message: "", requestedBy: "runtimes", ...more },
});
const failure = (code: string, component: string) =>
  seen({ state: "failed", error: { code, component, reason: "no quota", advice: "Ask for one", retryable: false } });

describe("the status of a Runtime", () => {
  const conditionOf = ({ state, conditions: [first] }: says.Verdict) => [
    state,
    first?.type,
    first?.status,
    first?.reason,
  ];

  for (const [what, verdict, expected] of [
    ["while it is created", says.pending(seen({})), ["Pending", "Provisioned", "Unknown", "Pending"]],
    [
      "while it is changed",
      says.pending(seen({ kind: "update" })),
      ["Pending", "Provisioned", "Unknown", "Processing"],
    ],
    ["that can't be served", says.refused("x"), ["Failed", "Provisioned", "False", "ConversionErr"]],
    [
      "that the service refuses later",
      says.failed(failure("BAD_INPUT", "input")),
      ["Failed", "Provisioned", "False", "ConversionErr"],
    ],
    [
      "that Gardener could not create",
      says.failed(failure("PROVISIONING_FAILED", "gardener")),
      ["Failed", "Provisioned", "False", "CreationErr"],
    ],
    [
      "whose Shoot Gardener's API refuses",
      says.failed(failure("UNAVAILABLE", "gardener-api")),
      ["Failed", "Provisioned", "False", "GardenerErr"],
    ],
    [
      "that failed otherwise",
      says.failed(failure("TIMEOUT", "engine")),
      ["Failed", "Provisioned", "False", "ProcessingErr"],
    ],
    ["without its kubeconfig", says.withoutKubeconfig("x"), ["Pending", "KubeconfigReady", "False", "KubernetesErr"]],
    [
      "that is being deleted",
      says.terminating(seen({ kind: "deprovision" })),
      ["Terminating", "Deprovisioned", "Unknown", "GardenerShootDeleted"],
    ],
    [
      "that could not be deleted",
      says.notDeleted({ reason: "x" }),
      ["Terminating", "Deprovisioned", "False", "GardenerErr"],
    ],
  ] as const) {
    it(`has the state, the condition and the reason of a Runtime ${what}`, () => {
      assert.deepEqual(conditionOf(verdict), expected);
    });
  }

  it("says which operation it is, in which stage, and what to do after a failure", () => {
    const messageOf = ({ conditions: [first] }: says.Verdict) => first?.message;
    assert.equal(messageOf(says.pending(seen({}))), "operation op-1 (provision) is in stage apply");
    assert.equal(messageOf(says.pending(seen({ stage: null }))), "operation op-1 (provision) waits for its turn");
    assert.equal(
      messageOf(says.failed(failure("TIMEOUT", "engine"))),
      "operation op-1 (provision): no quota. Ask for one",
    );
    assert.equal(
      messageOf(says.failed(seen({ state: "canceled", message: "canceled" }))),
      "operation op-1 (provision): canceled",
    );
  });

  it("begins with the path of what is refused, once", () => {
    const messageOf = (why: Parameters<typeof says.refusedFor>[0]) => says.refusedFor(why).conditions[0]?.message;
    const taken = { path: "cluster.name", reason: "cluster a belongs to deployment b" };
    const placed = "spec.shoot.name (cluster.name): cluster a belongs to deployment b";
    assert.equal(messageOf({ ...taken, advice: "Choose another" }), `${placed}. Choose another`);
    assert.equal(messageOf({ ...taken, reason: `cluster.name: ${taken.reason}` }), placed);
    assert.equal(
      messageOf({ path: "id", reason: "there is a deployment b already" }),
      "there is a deployment b already",
    );
  });

  it("keeps conditions, the time of each transition, and that the cluster was once complete", () => {
    const first = says.statusAfter(undefined, says.pending(seen({})), NOW);
    assert.deepEqual(at(first, "conditions", 0, "lastTransitionTime"), "2026-11-28T00:00:00Z");
    assert.equal(at(first, "provisioningCompleted"), undefined);
    const ready = says.statusAfter(first, says.ready({ kind: "provision" }, "the cluster"), LATER);
    assert.deepEqual([at(ready, "state"), at(ready, "provisioningCompleted")], ["Ready", true]);
    assert.deepEqual(
      listAt(ready, "conditions").map(({ type, reason }) => [type, reason]),
      [
        ["Provisioned", "ShootCreationCompleted"],
        ["KubeconfigReady", "GardenerClusterCRReady"],
        ["OidcAndConfigMapConfigured", "OidcAndConfigMapsConfigured"],
        ["Configured", "AdministratorsConfigured"],
      ],
    );
    const updating = says.statusAfter(ready, says.pending(seen({ kind: "update" })), NOW);
    assert.deepEqual([at(updating, "state"), at(updating, "provisioningCompleted")], ["Pending", true]);
    assert.equal(at(updating, "conditions", 1, "lastTransitionTime"), "2026-11-28T00:01:00Z");
  });

  it("is not written again when it says the same", () => {
    const first = says.statusAfter(undefined, says.pending(seen({})), NOW);
    assert.equal(says.statusAfter(first, says.pending(seen({})), LATER), undefined);
    assert.notEqual(says.statusAfter(first, says.pending(seen({ stage: "settle" })), LATER), undefined);
  });
});
